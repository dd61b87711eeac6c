"""Parts that the page's script fetches, and the two panels."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dialogue import spawned as registry
from dialogue.models import MessageRole, TurnChunk, TurnState
from dialogue.spawned import Spawned
from dialogue.web.urls import urlpatterns
from missions.models import MissionSuggestionRecord
from tests.dialogue.web.conftest import Chat, begin
from tests.support.api import Someone
from tooling.models import ModelCall


def sync(client: Client, chat: Chat, after: int = 0) -> dict[str, Any]:
    response = client.get(chat.url(f"sync?after={after}"))
    assert response.status_code == 200
    body: dict[str, Any] = response.json()
    return body


def test_every_address_has_an_access_rule() -> None:
    assert [
        each.name for each in urlpatterns if not hasattr(each.callback, "access_rule")
    ] == []


@pytest.mark.lesson("chat-R1")
def test_sync_brings_what_is_new_and_no_more(client: Client, chat: Chat) -> None:
    turn = chat.say("hello", TurnState.RUNNING)
    TurnChunk.objects.create(turn=turn, attempt=1, step=1, offset=0, text="Half")
    first = sync(client, chat)
    chat.conversation.refresh_from_db()
    assert first["event"] == chat.conversation.event_seq
    assert first["messages"].count("data-seq") == 1
    assert first["unfinished"] is True
    assert first["live"] == {
        "turn": str(turn.pk),
        "attempt": 1,
        "step": 1,
        "offset": 0,
        "text": "Half",
    }
    chat.answer(turn, "Half and whole")
    second = sync(client, chat, after=first["last"])
    assert second["messages"].count("data-seq") == 1
    assert 'data-step="1"' in second["messages"]
    assert sync(client, chat, after=second["last"])["messages"].strip() == ""


def test_sync_comes_in_parts_when_there_is_much(client: Client, chat: Chat) -> None:
    for number in range(60):
        chat.answer(chat.say(f"{number}"), "yes")
    after, seen = 0, 0
    for _part in range(5):
        body = sync(client, chat, after)
        seen += body["messages"].count("data-seq")
        after = body["last"] or after
        if not body["more"]:
            break
    assert seen == 120


def test_sync_says_how_earlier_turns_stand(client: Client, chat: Chat) -> None:
    first = chat.say("one", TurnState.FAILED, error_code="timeout")
    second = chat.say("two", TurnState.RUNNING)
    third = chat.say("three", TurnState.QUEUED)
    marks = sync(client, chat)["marks"]
    assert "took too long" in marks[str(first.pk)]
    assert marks[str(second.pk)] == ""
    assert marks[str(third.pk)] == "Waits for its turn"


@pytest.mark.parametrize("after", ["x", "-1", "1" * 30, "%00", "²"])
def test_a_number_that_is_none_is_refused(
    client: Client, chat: Chat, after: str
) -> None:
    assert client.get(chat.url(f"sync?after={after}")).status_code == 400


def test_one_message_alone(client: Client, member: Someone, chat: Chat) -> None:
    row = chat.answer(chat.say("hello"), "**yes**")
    html = client.get(chat.url(f"messages/{row.pk}/")).content.decode()
    assert html.count("data-seq") == 1
    assert "<strong>yes</strong>" in html
    other = begin(member)
    assert client.get(other.url(f"messages/{row.pk}/")).status_code == 404


def test_older_messages_with_the_way_to_those_before(
    client: Client, chat: Chat
) -> None:
    for number in range(60):
        chat.say(f"{number}")
    html = client.get(chat.url("older?before=60")).content.decode()
    assert html.count("data-seq") == 50
    assert "data-older" in html
    assert "data-older" not in client.get(chat.url("older?before=10")).content.decode()


def test_the_zone_of_turns_alone(client: Client, chat: Chat) -> None:
    assert client.get(chat.url("turns/")).content.decode().strip() == ""
    chat.say("go", TurnState.RUNNING)
    assert "Answering" in client.get(chat.url("turns/")).content.decode()


@pytest.mark.case("A12")
def test_a_card_shows_the_row_as_it_is_now(client: Client, chat: Chat) -> None:
    suggestion = MissionSuggestionRecord.objects.create(
        tenant=chat.owner.tenant,
        origin_conversation=chat.conversation.pk,
        title="Nightly export",
        text="We need a nightly export",
        reason="switch_off",
        origin_message=uuid.uuid4(),
        origin_turn=uuid.uuid4(),
    )
    ref = {"kind": "suggestion", "id": str(suggestion.pk)}
    chat.add(MessageRole.NOTICE, "Kept.", {"kind": "suggestion", "cards": [ref]})
    url = chat.url(f"cards/suggestion/{suggestion.pk}/")
    page = client.get(chat.url()).content.decode()
    assert f'data-card="suggestion" data-id="{suggestion.pk}"' in page
    assert f'data-url="{url}"' in page
    before = client.get(url).content.decode()
    assert "Nightly export" in before
    MissionSuggestionRecord.objects.update(status="dismissed")
    assert client.get(url).content.decode() != before


@pytest.mark.parametrize("kind", ["suggestion", "proposal", "mission", "unknown"])
def test_a_card_that_is_not_there_is_not_found(
    client: Client, chat: Chat, kind: str
) -> None:
    assert client.get(chat.url(f"cards/{kind}/{uuid.uuid4()}/")).status_code == 404


def test_a_card_that_went_away_leaves_a_word(client: Client, chat: Chat) -> None:
    ref = {"kind": "suggestion", "id": str(uuid.uuid4())}
    chat.add(MessageRole.NOTICE, "Kept.", {"kind": "suggestion", "cards": [ref]})
    assert "cannot be shown any more" in client.get(chat.url()).content.decode()


PARTS = ["sync", "older", "turns/", "spawned", "costs", "complete"]


@pytest.mark.parametrize("part", PARTS)
def test_foreign_parts_are_not_found(
    signed_in: Callable[[Someone], Client], stranger: Someone, chat: Chat, part: str
) -> None:
    client = signed_in(stranger)
    assert client.get(chat.url(part)).status_code == 404
    foreign = chat.url(part).replace("/acme/", "/globex/")
    assert client.get(foreign).status_code == 404


# --- panels ---


@pytest.mark.promise("D34", "D42")
def test_what_came_of_it_is_listed_with_its_message(
    client: Client, chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = chat.say("We need an export").human_message
    rows = [
        Spawned(kind, uuid.uuid4(), title, status, url, timezone.now(), message.pk)
        for kind, title, status, url in (
            ("mission", "Mission <one>", "ready", "/m"),
            ("request", "Proposal one", "approved", "/r"),
        )
    ]
    monkeypatch.setattr(registry, "_LISTERS", {"all": lambda **_ids: rows})
    html = client.get(chat.url("spawned")).content.decode()
    assert html.index("Proposal one") < html.index("Mission &lt;one&gt;")
    assert f'href="{chat.url()}#m1"' in html
    assert ">Ready</span>" in html


def test_nothing_came_of_it_yet(client: Client, chat: Chat) -> None:
    assert "Nothing yet" in client.get(chat.url("spawned")).content.decode()


def pay(chat: Chat, nano: int | None, **fields: Any) -> None:
    ModelCall.objects.create(
        **{
            "tenant": chat.owner.tenant,
            "conversation_id": chat.conversation.pk,
            "call_site": "Dialogue:GeneralDialogue",
            "preset": "main",
            "backend": "openai",
            "model": "large",
            "outcome": "done",
            "fresh_tokens": 100,
            "output_tokens": 20,
            "cost_nano_usd": nano,
            "price_version": "unpriced" if nano is None else "stated",
            "started_at": timezone.now(),
            **fields,
        }
    )


@pytest.mark.promise("D31", "D32")
def test_costs_are_the_sum_of_their_rows(client: Client, chat: Chat) -> None:
    pay(chat, 12_000_000)
    pay(chat, 3_000_000, call_site="Dialogue:MissionAssistant")
    pay(chat, 1_000_000, outcome="failed")
    html = client.get(chat.url("costs")).content.decode()
    assert "Dialogue:GeneralDialogue" in html
    assert "$0.0130" in html
    assert "$0.00300" in html
    assert "<strong>$0.0160</strong>" in html
    assert "$0.0160" in client.get(chat.url()).content.decode()


@pytest.mark.lesson("chat-R18")
def test_what_has_no_price_is_never_nothing(client: Client, chat: Chat) -> None:
    pay(chat, None)
    html = client.get(chat.url("costs")).content.decode()
    assert "<strong>unpriced</strong>" in html
    assert "$0.00" not in html
    assert sync(client, chat)["cost"] == "unpriced"
    pay(chat, 20_000_000)
    assert sync(client, chat)["cost"] == "$0.0200 + 1 unpriced call"
    assert "$0.0200 + 1 unpriced call" in client.get(chat.url()).content.decode()
