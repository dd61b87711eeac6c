"""Orders and assent reach the gate: what the person said decides what may run."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from dialogue.models import Turn, TurnState
from dialogue.services.send import Sent
from dialogue.turns.job import claim, finish
from dialogue.turns.runner import TurnRunner
from missions.models import Mission
from tests.dialogue.conftest import People, wait_for_state
from tests.support import stub
from tests.support.stub import StubProvider
from tooling.models import Features, ToolCall, ToolCallState

Send = Callable[..., Sent]
pytestmark = pytest.mark.django_db(transaction=True)


def answer(turn: Turn, *states: ToolCallState, ago: float = 1.0) -> None:
    """End a turn in which calls of `mission_create` came to these states."""
    job = claim(turn.pk, owner="w")
    assert job is not None
    for number, state in enumerate(states):
        ToolCall.objects.create(
            tenant_id=turn.tenant_id,
            conversation_id=turn.conversation_id,
            turn_id=turn.pk,
            provider_call_id=f"call_{number}",
            name="mission_create",
            arguments_hash="",
            verdict="surface",
            gate="intent",
            state=state,
            started_at=timezone.now() - dt.timedelta(seconds=ago),
        )
    finish(job, TurnState.DONE, text="This could be done.")


def judged(sent: Sent) -> tuple[str, list[str]]:
    assert claim(sent.turn.pk, owner="w") is not None
    turn = Turn.objects.get(pk=sent.turn.pk)
    return turn.intent, turn.intent_tools


SURFACED = ToolCallState.SURFACED
NOTHING: tuple[str, list[str]] = ("other", [])


@pytest.mark.promise("A3", "D53")
@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ([SURFACED], ("execution_command", ["mission_create"])),
        ([SURFACED, ToolCallState.REFUSED], ("execution_command", ["mission_create"])),
        ([], NOTHING),
        ([SURFACED, SURFACED], NOTHING),
        ([ToolCallState.REFUSED], NOTHING),
        ([ToolCallState.DONE], NOTHING),
    ],
)
def test_assent_is_for_the_one_action_that_was_shown(
    send: Send, states: list[ToolCallState], expected: tuple[str, list[str]]
) -> None:
    answer(send("We need a backup.").turn, *states)
    assert judged(send("Yes, do it.")) == expected


@pytest.mark.promise("A3")
def test_assent_does_not_reach_behind_the_turn_before(send: Send) -> None:
    answer(send("We need a backup.").turn, SURFACED)
    answer(send("Which missions are open?").turn)
    assert judged(send("Yes, do it.")) == NOTHING


@pytest.mark.promise("A3")
def test_assent_typed_before_the_action_was_shown_is_for_nothing(send: Send) -> None:
    first, second = send("We need a backup."), send("Yes, do it.")
    answer(first.turn, SURFACED, ago=-1.0)
    assert judged(second) == NOTHING


SOUND = {
    "title": "Review who has access",
    "objective": "Every account has an owner who confirmed it.",
    "tasks": [{"title": "List the accounts"}],
    "acceptance_criteria": ["Each account is confirmed"],
}


@pytest.mark.promise("A3", "D53", "D55", "D57")
def test_an_order_runs_the_write_and_assent_runs_what_a_wish_had_shown(
    send: Send,
    people: People,
    runner: TurnRunner,
    provider: StubProvider,
    settings: Settings,
) -> None:
    settings.WRITE_TOOLS_SERVED = True
    Features.objects.create(tenant=people.tenant, write_tools=True)
    create = stub.tool_call("mission_create", json.dumps(SOUND))
    for text, state, missions in (
        ("It would be good to review who has access.", "surfaced", 0),
        ("Yes, please go ahead.", "done", 1),
        ("Create a mission for the review of keys.", "done", 2),
        ("Do not create a mission for the review of cars.", "surfaced", 2),
    ):
        provider.script(create, stub.text("Said."))
        turn = wait_for_state(send(text).turn)
        call = ToolCall.objects.get(turn_id=turn.pk)
        assert (call.state, Mission.objects.count()) == (state, missions), text
