"""Where a stream starts: a query that says nothing we know is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dialogue.live import views
from dialogue.live.wire import Position
from dialogue.models import Conversation
from dialogue.services.send import send_message
from tests.dialogue.conftest import People
from tooling.models import User

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Positions of the streams that were started; none of them says anything."""
    positions: list[str] = []

    class Quiet:
        def __init__(self, _conversation: Any, position: Position, _may: Any) -> None:
            positions.append(str(position))

        async def run(self) -> AsyncIterator[bytes]:
            yield b""

    monkeypatch.setattr(views, "Stream", Quiet)
    return positions


@pytest.fixture
def stream(people: People, conversation: Conversation) -> Any:
    """Ask for the stream of a conversation whose journal has events."""
    send_message(
        principal=people.member,
        conversation_id=conversation.pk,
        text="Hello",
        client_key=None,
        now=timezone.now(),
    )
    client = Client()
    client.force_login(User.objects.get(pk=people.member.person))
    path = f"/api/v1/t/acme/conversations/{conversation.pk}/events"

    def ask(query: str = "", **headers: str) -> Any:
        return client.get(path + query, headers=headers)

    return ask


@pytest.mark.parametrize("value", ["zz", "5", "-1", "NOW", "now%20", "%00"])
def test_a_malformed_after_is_refused(
    stream: Any, started: list[str], value: str
) -> None:
    answer = stream(f"?after={value}")
    assert answer.status_code == 400
    [error] = answer.json()["errors"]
    assert (error["code"], error["attr"]) == ("bad_after", "after")
    assert started == []


@pytest.mark.parametrize("value", ["zz", "-1", "1.2", "9" * 30, "%D9%A3"])
def test_a_malformed_id_in_the_query_is_refused(
    stream: Any, started: list[str], value: str
) -> None:
    answer = stream(f"?last_event_id={value}")
    assert answer.status_code == 400
    [error] = answer.json()["errors"]
    assert (error["code"], error["attr"]) == ("bad_event_id", "last_event_id")
    assert started == []


@pytest.mark.parametrize(
    ("query", "header", "position"),
    [
        ("", "", "0"),
        ("?after=", "", "0"),
        ("", "1", "1"),
        ("?last_event_id=1", "", "1"),
        ("?last_event_id=1", "2", "2"),
        # A browser comes back by itself, and never after a refusal.
        ("", "zz", "0"),
        ("?last_event_id=1", "zz", "1"),
    ],
)
def test_where_it_starts(
    stream: Any, started: list[str], query: str, header: str, position: str
) -> None:
    headers = {"Last-Event-ID": header} if header else {}
    assert stream(query, **headers).status_code == 200
    assert started == [position]


def test_now_starts_after_what_is_there(
    stream: Any, started: list[str], conversation: Conversation
) -> None:
    assert stream("?after=now").status_code == 200
    conversation.refresh_from_db()
    assert started == [str(conversation.event_seq)] != ["0"]
