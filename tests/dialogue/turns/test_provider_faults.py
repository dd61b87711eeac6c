"""Whatever a provider does: the turn says so, keeps nothing half, and is retried."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from decisions.models import AttentionRequest
from dialogue.models import (
    Conversation,
    ConversationMessage,
    MessageRole,
    TurnChunk,
    TurnState,
)
from dialogue.services.send import Sent
from dialogue.services.turns import retry_turn
from dialogue.turns.runner import TurnRunner
from missions.models import Mission, WorkflowDraft
from tests.dialogue.conftest import People, wait_for_state
from tests.support import stub
from tests.support.processes import free_port
from tests.support.stub import StubProvider
from tooling.llm.presets import forget_presets
from tooling.models import ModelCall, Preset, ToolCall

Send = Callable[..., Sent]
pytestmark = pytest.mark.django_db(transaction=True)

SPECIFICATION = json.dumps(
    {"title": "Archive old projects", "objective": "Old projects are out of the way."}
)
CUT = SPECIFICATION[:-9]


def tuned(**changes: Any) -> None:
    """Change the default preset."""
    Preset.objects.filter(is_default=True).update(**changes)
    forget_presets()


def spoken(conversation: Conversation) -> list[str]:
    """Return what the model has said, its calls of tools left out."""
    rows = ConversationMessage.objects.filter(
        conversation=conversation, role=MessageRole.ASSISTANT
    )
    return [row.text for row in rows.order_by("seq") if "tool_calls" not in row.data]


FAULTS = {
    "slow to begin": (stub.text("late", first_byte_ms=3000), "timeout", ""),
    "silent in the middle": (
        stub.text("", tokens=["half ", "of it"], interval_ms=3000),
        "timeout",
        "half ",
    ),
    "reset in the middle": (stub.cut("half of it"), "cut_off", "half of it"),
    "quiet end in the middle": (
        stub.cut("half of it", mode="quiet"),
        "cut_off",
        "half of it",
    ),
    "a line that is no JSON": (
        stub.broken_json("unreadable"),
        "bad_response",
        "unreadable",
    ),
    "no answer": (stub.text(""), "empty_answer", ""),
    "blanks for an answer": (stub.text(" ", tokens=[" ", "\n"]), "empty_answer", ""),
    "server error": (stub.error(500), "unavailable", ""),
    "not found": (stub.error(404), "bad_request", ""),
    "stopped in the arguments": (
        stub.stopped_for_length("mission_propose", CUT),
        "arguments_incomplete",
        "",
    ),
    "cut arguments, said to be whole": (
        stub.tool_call("mission_propose", CUT),
        "arguments_incomplete",
        "",
    ),
    "arguments that are a list": (
        stub.tool_call("mission_propose", f"[{SPECIFICATION}]"),
        "arguments_incomplete",
        "",
    ),
}


@pytest.mark.promise("A21", "N9")
@pytest.mark.case("A22")
@pytest.mark.lesson("chat-R3")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_the_turn_with_a_code_and_the_retry_is_answered(
    fault: str,
    send: Send,
    people: People,
    runner: TurnRunner,
    provider: StubProvider,
    conversation: Conversation,
    settings: Any,
) -> None:
    step, code, partial = FAULTS[fault]
    settings.WRITE_TOOLS_SERVED = True
    tuned(first_token_seconds=0.8, read_seconds=0.8)
    provider.script(step)
    turn = wait_for_state(send("Archive the old projects.").turn)
    assert (turn.state, turn.error_code) == (TurnState.FAILED, code)
    assert ModelCall.objects.count() == 1, "a paid failure is costed"
    for model in (AttentionRequest, WorkflowDraft, Mission, TurnChunk):
        assert not model._default_manager.exists(), model  # noqa: SLF001 -- public in Django
    assert spoken(conversation) == ([partial] if partial else [])

    tuned(first_token_seconds=20, read_seconds=20)
    provider.script(stub.text("Here it is."))
    retried = retry_turn(principal=people.member, turn_id=turn.pk, now=timezone.now())
    turn = wait_for_state(retried)
    assert (turn.state, turn.attempt, turn.error_code) == (TurnState.DONE, 2, "")
    assert spoken(conversation)[-1] == "Here it is."
    history = provider.requests()[-1]["body"]["messages"]
    assert partial == "" or partial not in json.dumps(history), "half an answer is back"


@pytest.mark.promise("A21")
def test_a_provider_that_is_down_fails_the_turn_and_is_tried_again(
    send: Send, people: People, runner: TurnRunner, provider: StubProvider
) -> None:
    tuned(base_url=f"http://127.0.0.1:{free_port()}/v1")
    turn = wait_for_state(send("Hello").turn)
    assert (turn.state, turn.error_code) == (TurnState.FAILED, "unreachable")
    assert turn.error_detail
    tuned(base_url=provider.url)
    provider.script(stub.text("Hello again."))
    retried = retry_turn(principal=people.member, turn_id=turn.pk, now=timezone.now())
    assert wait_for_state(retried).state == TurnState.DONE


@pytest.mark.case("A22")
def test_an_answer_that_stops_for_length_is_kept_and_says_so(
    send: Send, runner: TurnRunner, provider: StubProvider, conversation: Conversation
) -> None:
    provider.script(stub.text("As long as it", finish_reason="length"))
    turn = wait_for_state(send("Tell me all.").turn)
    assert turn.state == TurnState.DONE
    last = ConversationMessage.objects.order_by("seq").last()
    assert last is not None
    assert (last.text, last.data["finish"]) == ("As long as it", "length")


@pytest.mark.case("A28")
@pytest.mark.promise("D67")
def test_a_tool_that_does_not_exist_is_an_answer_to_the_model(
    send: Send, runner: TurnRunner, provider: StubProvider
) -> None:
    provider.script(
        stub.tool_calls(("crm.update_contact", "{}"), ("mission_list", "{}")),
        stub.text("There is no such tool."),
    )
    turn = wait_for_state(send("Update the contact.").turn)
    assert turn.state == TurnState.DONE, turn.error_code
    calls = ToolCall.objects.order_by("id").values_list("name", "gate", "state")
    assert list(calls) == [
        ("crm.update_contact", "unknown_tool", "refused"),
        ("mission_list", "open", "done"),
    ]
    history = provider.requests()[-1]["body"]["messages"]
    told = [json.loads(m["content"]) for m in history if m["role"] == "tool"]
    assert told[0]["gate"] == "unknown_tool"
    [asked] = [m for m in history if m.get("tool_calls")]
    names = [call["function"]["name"] for call in asked["tool_calls"]]
    assert names == ["crm_update_contact", "mission_list"], "as a provider takes them"
