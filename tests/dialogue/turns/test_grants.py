"""Grants and cards in the agent loop: read at each call, told in the log."""

from __future__ import annotations

import datetime as dt
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from dialogue.models import (
    Conversation,
    ConversationMessage,
    MessageRole,
    TurnState,
)
from dialogue.services.grants import end_leave, give_leave
from dialogue.services.send import Sent
from dialogue.turns import job, tool_steps
from dialogue.turns.runner import TurnRunner
from missions.models import Mission
from tests.dialogue.conftest import People, wait_for_state
from tests.support import stub
from tests.support.stub import StubProvider
from tooling.gate import facts
from tooling.intent.types import Intent, IntentLabel
from tooling.models import Features, SessionGrant, ToolCall

Send = Callable[..., Sent]
pytestmark = pytest.mark.django_db(transaction=True)
WISH = "It would be lovely to have an export of invoices one day."
SHUT = {"toggled": "tenant_toggle", "switched": "deployment_switch"}


def mission(title: str) -> str:
    return json.dumps({"title": title, "objective": "It runs."})


def call(*titles: str) -> Any:
    return stub.tool_calls(*[("mission_create", mission(each)) for each in titles])


@pytest.fixture(autouse=True)
def _open_gates(people: People, settings: Any) -> None:
    settings.WRITE_TOOLS_SERVED = True
    Features.objects.create(tenant=people.tenant, write_tools=True)


@pytest.fixture
def give(people: People, conversation: Conversation) -> Callable[..., SessionGrant]:
    def give(uses: int = 5) -> SessionGrant:
        return give_leave(
            principal=people.operator,
            conversation_id=conversation.pk,
            tools=["mission_create"],
            minutes=15,
            uses=uses,
            now=timezone.now(),
        )

    return give


def tool_messages() -> list[dict[str, Any]]:
    rows = ConversationMessage.objects.filter(role=MessageRole.TOOL).order_by("seq")
    return list(rows.values_list("data", flat=True))


@pytest.mark.promise("D56", "D57", "D58", "D67")
def test_a_held_back_write_stands_as_a_card(
    send: Send, runner: TurnRunner, provider: StubProvider
) -> None:
    provider.script(call("Export"), stub.text("It waits for you."))
    assert wait_for_state(send(WISH).turn).state == TurnState.DONE
    [held] = ToolCall.objects.all()
    [told] = tool_messages()
    assert told["cards"] == [{"kind": "action", "id": str(held.pk)}]
    assert not Mission.objects.exists()


@pytest.mark.promise("A2", "D54")
def test_a_live_grant_lets_it_run_on_a_wish_and_the_model_is_told(
    send: Send, runner: TurnRunner, provider: StubProvider, give: Any
) -> None:
    grant = give(uses=2)
    provider.script(call("Export"), stub.text("Done under your grant."))
    assert wait_for_state(send(WISH).turn).state == TurnState.DONE
    assert Mission.objects.get().title == "Export"
    grant.refresh_from_db()
    assert grant.uses_left == 1
    [told] = tool_messages()
    assert (told["basis"], told["result"]["grant"]["uses_left"]) == ("grant", 1)
    heard = provider.requests()[-1]["body"]["messages"][-1]["content"]
    assert "Say so in your answer" in heard


@pytest.mark.promise("D59", "A4")
@pytest.mark.parametrize("event", ["revoked", "expired", "toggled", "switched"])
def test_what_changes_in_the_middle_of_a_turn_stops_the_next_call(
    event: str,
    send: Send,
    runner: TurnRunner,
    provider: StubProvider,
    people: People,
    conversation: Conversation,
    give: Any,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grant = give()
    whole, context = tool_steps.run_tool, job.tool_context
    ran: list[str] = []

    def later(*arguments: Any, now: dt.datetime) -> Any:
        return context(*arguments, now=now + dt.timedelta(minutes=16))

    def then_change(*arguments: Any, **more: Any) -> Any:
        done = whole(*arguments, **more)
        ran.append(done.state)
        if len(ran) > 1:
            return done
        if event == "revoked":
            end_leave(
                principal=people.member,
                conversation_id=conversation.pk,
                grant_id=grant.pk,
                now=timezone.now(),
            )
        elif event == "expired":
            monkeypatch.setattr(tool_steps, "tool_context", later)
        elif event == "toggled":
            Features.objects.update(write_tools=False)
        else:
            settings.WRITE_TOOLS_SERVED = False
        return done

    monkeypatch.setattr(tool_steps, "run_tool", then_change)
    # Two calls of one answer: both were asked for while the grant was alive.
    provider.script(call("First", "Second"), stub.text("One of them."))
    assert wait_for_state(send(WISH).turn).state == TurnState.DONE
    assert ran == ["done", "refused" if event in SHUT else "surfaced"]
    assert Mission.objects.get().title == "First"
    grant.refresh_from_db()
    assert grant.uses_left == 4
    assert ToolCall.objects.get(state=ran[1]).gate == SHUT.get(
        event, "no_explicit_request"
    )


@pytest.mark.promise("D55", "D49", "D50", "D51", "D53", "D54")
@pytest.mark.parametrize("row", list(itertools.product([False, True], repeat=5)))
def test_through_the_loop_a_write_runs_if_and_only_if_every_gate_is_open(
    row: tuple[bool, ...],
    send: Send,
    runner: TurnRunner,
    provider: StubProvider,
    give: Any,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listed, switch, on, intent, granted = row
    if granted:
        give()
    settings.WRITE_TOOLS_SERVED = switch
    Features.objects.update(write_tools=on)
    if not listed:
        monkeypatch.setattr(facts, "WRITE_ALLOWLIST", frozenset())
    # How messages are read is tried elsewhere.
    reading = Intent(IntentLabel.FEATURE_REQUEST)
    if intent:
        reading = Intent(IntentLabel.EXECUTION_COMMAND, frozenset({"mission_create"}))
    monkeypatch.setattr(job, "judge_intent", lambda *_text, **_more: reading)
    provider.script(call("Export"), stub.text("I tried."))
    assert wait_for_state(send(WISH).turn).state == TurnState.DONE
    runs = listed and switch and on and (intent or granted)
    assert Mission.objects.count() == int(runs)
    [kept] = ToolCall.objects.all()
    assert (kept.state == "done") == runs
    served = provider.requests()[0]["body"].get("tools", [])
    names = {each["function"]["name"] for each in served}
    assert ("mission_create" in names) == (listed and switch)
    uses = SessionGrant.objects.values_list("uses_left", flat=True).first()
    assert uses == (None if not granted else 4 if runs and not intent else 5)
