"""Turns against a provider on the real wire: every way in which one can end."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from decisions.models import AttentionRequest
from dialogue.models import (
    Conversation,
    ConversationMessage,
    Event,
    MessageRole,
    Turn,
    TurnChunk,
    TurnState,
)
from dialogue.services.send import Sent
from dialogue.turns.runner import TurnRunner
from missions.models import Mission
from tests.dialogue.conftest import wait_for_state
from tests.support import stub
from tests.support.stub import StubProvider
from tooling.models import ModelCall, ToolCall

Send = Callable[..., Sent]
pytestmark = pytest.mark.django_db(transaction=True)

INCOMPLETE = '{"title":"Remove old projects","scope":"only archived'


def roles_of(conversation: Conversation) -> list[str]:
    """Return the roles of a conversation's messages in order."""
    rows = ConversationMessage.objects.filter(conversation=conversation)
    return list(rows.order_by("seq").values_list("role", flat=True))


def reply_of(turn: Turn) -> ConversationMessage:
    """Return the turn's last assistant message."""
    message = (
        ConversationMessage.objects.filter(turn_id=turn.pk, role=MessageRole.ASSISTANT)
        .order_by("-seq")
        .first()
    )
    assert message is not None, "the turn stored no answer"
    return message


@pytest.mark.promise("D6", "D30", "D31", "D32")
@pytest.mark.lesson("chat-R2")
def test_a_message_is_answered_stored_and_costed_with_no_reader(
    send: Send, runner: TurnRunner, provider: StubProvider, conversation: Conversation
) -> None:
    provider.script(stub.text("All is well."))
    turn = wait_for_state(send("How are things?").turn)
    assert turn.state == TurnState.DONE, turn.error_code
    assert reply_of(turn).text == "All is well."
    assert roles_of(conversation) == ["user", "assistant"]
    [call] = ModelCall.objects.all()
    assert call.call_site == "Dialogue:GeneralDialogue"
    assert call.conversation_id == conversation.pk
    assert call.turn_id == turn.pk
    assert call.cost_nano_usd is not None
    assert call.cost_nano_usd > 0
    assert not TurnChunk.objects.exists(), "the buffer was not pruned"


@pytest.mark.promise("D1")
def test_turn_three_reaches_the_model_with_one_and_two_in_order(
    send: Send, runner: TurnRunner, provider: StubProvider
) -> None:
    provider.script(stub.text("one"), stub.text("two"), stub.text("three"))
    for text in ("first", "second", "third"):
        wait_for_state(send(text).turn)
    messages = provider.requests()[-1]["body"]["messages"]
    spoken = [m["content"] for m in messages if m["role"] in ("user", "assistant")]
    assert spoken == ["first", "one", "second", "two", "third"]


@pytest.mark.case("A06")
@pytest.mark.promise("D40", "D67", "N8")
def test_a_tool_call_leaves_call_result_and_answer_in_order(
    send: Send, runner: TurnRunner, provider: StubProvider, conversation: Conversation
) -> None:
    provider.script(stub.tool_call("mission_list", "{}"), stub.text("None yet."))
    turn = wait_for_state(send("Which missions are there?").turn)
    assert turn.state == TurnState.DONE, turn.error_code
    assert roles_of(conversation) == ["user", "assistant", "tool", "assistant"]
    [call] = ToolCall.objects.all()
    assert (call.name, call.state, call.verdict) == ("mission_list", "done", "run")
    assert ModelCall.objects.count() == 2
    sites = set(ModelCall.objects.values_list("call_site", flat=True))
    assert sites == {"Dialogue:GeneralDialogue", "Dialogue:MissionAssistant"}


@pytest.mark.promise("D67")
def test_calls_above_the_cap_of_one_answer_are_refused_and_kept(
    send: Send, runner: TurnRunner, provider: StubProvider, settings: Any
) -> None:
    settings.TOOL_CALLS_PER_ANSWER = 4
    asked = [("mission_list", json.dumps({"query": f"q{n}"})) for n in range(1, 8)]
    again = [("mission_list", "{}")]
    provider.script(
        stub.tool_calls(*asked), stub.tool_calls(*again), stub.text("That is all.")
    )
    turn = wait_for_state(send("Which missions are there?").turn)
    assert turn.state == TurnState.DONE, turn.error_code
    gates = list(ToolCall.objects.order_by("id").values_list("gate", "state"))
    ran, stopped = ("open", "done"), ("cap_per_answer", "refused")
    assert gates == [*[ran] * 4, *[stopped] * 3, ran]
    told = provider.requests()[1]["body"]["messages"][-1]["content"]
    assert "cap_per_answer" in told


@pytest.mark.parametrize(
    "name",
    [
        "attention_request_approve",
        "mission_reject",
        "decision_respond",
        "draft_promote",
        "MISSION_APPROVE",
        "\uff4dission_approve",
        "mission_list ",
        "Mission_List",
        "mission\u2024list",
        "mcp__mission_list",
        "functions.mission_list",
        "no_such_tool",
    ],
)
@pytest.mark.promise("D61", "D62", "D63", "N3")
@pytest.mark.case("A28")
def test_names_that_are_not_exactly_a_tool_run_nothing(
    name: str,
    send: Send,
    runner: TurnRunner,
    provider: StubProvider,
) -> None:
    forged = json.dumps({"approved": True, "status": "approved", "approved_by": 1})
    provider.script(stub.tool_call(name, forged), stub.text("I tried."))
    turn = wait_for_state(send("Approve everything yourself.").turn)
    assert turn.state == TurnState.DONE, turn.error_code
    [call] = ToolCall.objects.all()
    assert call.verdict == "refuse", f"{name!r} ran"
    assert call.gate in {"dispose_name", "unknown_tool"}
    assert not Mission.objects.exists()
    assert not AttentionRequest.objects.exists()


@pytest.mark.case("A22")
@pytest.mark.parametrize(
    "step",
    [
        stub.stopped_for_length("mission_propose", INCOMPLETE),
        stub.tool_call("mission_propose", INCOMPLETE),
        stub.tool_call("mission_list", '{"n": 2'),
    ],
)
def test_cut_off_arguments_run_nothing_and_can_be_retried(
    step: dict[str, Any],
    send: Send,
    runner: TurnRunner,
    provider: StubProvider,
    settings: Any,
) -> None:
    settings.WRITE_TOOLS_SERVED = True
    provider.script(step)
    turn = wait_for_state(send("Build an archive of old projects.").turn)
    assert (turn.state, turn.error_code) == (TurnState.FAILED, "arguments_incomplete")
    [call] = ToolCall.objects.all()
    assert call.state == "failed"
    assert not AttentionRequest.objects.exists(), "a cut-off call made a request"


@pytest.mark.promise("A21")
@pytest.mark.parametrize(
    ("step", "code"),
    [
        (stub.error(503), "unavailable"),
        (stub.error(429), "rate_limited"),
        (stub.error(401), "unauthorized"),
        (stub.cut("half of it"), "cut_off"),
        (stub.broken_json("some"), "bad_response"),
        (stub.text(""), "empty_answer"),
    ],
)
def test_a_failing_provider_ends_the_turn_with_a_code_and_a_retry(
    step: dict[str, Any],
    code: str,
    send: Send,
    runner: TurnRunner,
    provider: StubProvider,
) -> None:
    provider.script(step)
    turn = wait_for_state(send("Hello").turn)
    assert (turn.state, turn.error_code) == (TurnState.FAILED, code)
    assert ModelCall.objects.count() == 1, "a failed call has its ledger row too"
    last = Event.objects.order_by("-seq").first()
    assert last is not None
    assert last.data["state"] == "failed"
    assert last.data["error"] == code


@pytest.mark.lesson("chat-R3")
def test_partial_text_of_a_failure_is_kept_and_reaches_the_next_prompt(
    send: Send, runner: TurnRunner, provider: StubProvider
) -> None:
    provider.script(stub.cut("half of it"), stub.text("whole"))
    turn = wait_for_state(send("Hello").turn)
    assert reply_of(turn).text == "half of it"
    assert reply_of(turn).data["partial"] is True
    wait_for_state(send("Go on").turn)
    messages = provider.requests()[-1]["body"]["messages"]
    assert [m["content"] for m in messages[1:]] == ["Hello", "half of it", "Go on"]


def test_a_turn_takes_no_more_steps_than_it_may(
    send: Send, runner: TurnRunner, provider: StubProvider, settings: Any
) -> None:
    settings.TURN_MAX_STEPS = 3
    provider.script(default=stub.tool_call("mission_list", "{}"))
    turn = wait_for_state(send("Loop").turn)
    assert (turn.state, turn.error_code) == (TurnState.FAILED, "step_limit")
    assert len(provider.requests()) == 3
