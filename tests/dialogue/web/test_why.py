"""Why, and why not: on pages and by REST."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dialogue.models import IntentCorrection, Turn
from missions.models import Mission
from tests.dialogue.web.conftest import Chat, begin
from tests.dialogue.web.held import hold
from tests.support.api import Someone, api, client_of
from tooling.llm.manifest import store_part, tools_text
from tooling.models import AuditEntry, Features, ModelCall, ToolCall
from tooling.registry import find_tool

pytestmark = pytest.mark.django_db
SignedIn = Callable[[Someone], Client]
HOUR = dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def _switch(settings: Any) -> None:
    settings.WRITE_TOOLS_SERVED = True


@pytest.fixture
def toggle(member: Someone) -> Features:
    return Features.objects.create(tenant=member.tenant, write_tools=True)


@pytest.fixture
def held(chat: Chat, toggle: Features) -> ToolCall:
    return hold(chat, chat.say("It would be lovely to have an export."))


# --- why, and why not ----------


@pytest.fixture
def explained(chat: Chat, held: ToolCall) -> Turn:
    turn = Turn.objects.get(conversation=chat.conversation)
    words = "It would be lovely to have an export."
    Turn.objects.update(intent="feature_request", intent_span=[0, len(words)])
    tools = tuple(
        tool.spec()
        for name in ("mission_list", "mission_propose", "mission_create")
        if (tool := find_tool(name))
    )
    ModelCall.objects.create(
        tenant=chat.owner.tenant,
        conversation_id=chat.conversation.pk,
        turn_id=turn.pk,
        call_site="Dialogue:GeneralDialogue",
        outcome="done",
        price_version="unpriced",
        manifest={"tools": store_part(tools_text(tools))},
        started_at=timezone.now(),
    )
    turn.refresh_from_db()
    return turn


@pytest.mark.promise("D67", "A2")
def test_why_not_on_the_page(client: Client, chat: Chat, explained: Turn) -> None:
    url = chat.url(f"turns/{explained.pk}/why")
    assert f'data-why="{url}?part=1"' in client.get(chat.url()).content.decode()
    for html in (client.get(url), client.get(f"{url}?part=1")):
        text = html.content.decode()
        for words in (
            "a wish for a feature or a change",
            "It would be lovely to have an export.",
            "no explicit request",
            "a click on Run once, or a grant for this tool",
            "mission_propose",
            "write tools are on for this team",
        ):
            assert words in text, words


@pytest.mark.promise("D67")
def test_why_not_by_rest(chat: Chat, explained: Turn) -> None:
    client = client_of(chat.owner)
    body = client.get(api("acme", f"turns/{explained.pk}/why")).json()
    assert body["intent"]["label"] == "feature_request"
    assert body["intent"]["text"] == "It would be lovely to have an export."
    assert {(each["name"], each["tier"]) for each in body["served"]} == {
        ("mission_list", "read"),
        ("mission_propose", "propose"),
        ("mission_create", "write"),
    }
    [call] = body["calls"]
    assert (call["verdict"], call["gate"], call["basis"]) == (
        "surface",
        "no_explicit_request",
        "",
    )
    assert "Run once" in call["opens"]
    assert body["gates"] == {"deployment_switch": True, "tenant_toggle": True}


def test_a_turn_without_a_model_call_says_so(client: Client, chat: Chat) -> None:
    turn = chat.say("Hello")
    text = client.get(chat.url(f"turns/{turn.pk}/why")).content.decode()
    assert "no model was called" in text
    assert "It called no tool in this turn" in text


def test_why_not_of_another_conversation_is_not_here(
    client: Client, member: Someone, chat: Chat, explained: Turn
) -> None:
    other = begin(member)
    assert client.get(other.url(f"turns/{explained.pk}/why")).status_code == 404
    assert client.post(other.url(f"turns/{explained.pk}/reading")).status_code == 404


@pytest.mark.promise("A3")
@pytest.mark.lesson("H-20")
def test_a_corrected_reading_is_on_record_and_gives_no_right(
    client: Client, chat: Chat, explained: Turn
) -> None:
    url = chat.url(f"turns/{explained.pk}/reading")
    client.post(url, {"label": "execution_command"})
    [row] = IntentCorrection.objects.all()
    assert (row.judged, row.label) == ("feature_request", "execution_command")
    before = (explained.intent, explained.intent_tools)
    explained.refresh_from_db()
    assert (explained.intent, explained.intent_tools) == before
    assert not Mission.objects.exists()
    page = client.get(chat.url(f"turns/{explained.pk}/why")).content.decode()
    assert "reads it as an order to do something now" in page
    entry = AuditEntry.objects.get(action="intent.corrected")
    assert (entry.before, entry.after) == (
        {"label": "feature_request"},
        {"label": "execution_command"},
    )


@pytest.mark.parametrize("label", ["", "run", "EXECUTION_COMMAND", "x" * 300])
def test_a_label_that_is_none_is_not_stored(
    client: Client, chat: Chat, explained: Turn, label: str
) -> None:
    client.post(chat.url(f"turns/{explained.pk}/reading"), {"label": label})
    assert not IntentCorrection.objects.exists()
