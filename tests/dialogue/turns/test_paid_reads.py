"""A paid read in a turn: it waits for a second model while no transaction is open."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.utils import timezone

from dialogue.models import ConversationMessage, MessageRole, TurnState
from dialogue.services.send import Sent
from dialogue.turns.runner import TurnRunner
from tests.dialogue.conftest import wait_for_state
from tests.support import stub
from tests.support.stub import StubProvider
from tooling.models import ModelCall, ToolCall, User
from tooling.selectors import cost_of_conversation
from tooling.services.paid_reads import release_paid_read

Send = Callable[..., Sent]
pytestmark = pytest.mark.django_db(transaction=True)
ASK = stub.tool_call("expert_ask", json.dumps({"question": "What is an export?"}))


@pytest.fixture
def opened(send: Send) -> None:
    """Staff have opened the read."""
    staff = User.objects.create_user("root@deployment.test", is_staff=True)
    release_paid_read(staff=staff, tool="expert_ask", now=timezone.now())


def tool_result(sent: Sent) -> dict[str, object]:
    row = ConversationMessage.objects.get(turn_id=sent.turn.pk, role=MessageRole.TOOL)
    result: dict[str, object] = row.data["result"]
    return result


@pytest.mark.promise("D31", "D32", "D46", "D47")
def test_a_turn_asks_and_the_conversation_pays_for_all_of_it(
    send: Send, runner: TurnRunner, provider: StubProvider, opened: None
) -> None:
    provider.script(ASK, stub.text("A copy of data."), stub.text("It is a copy."))
    sent = send("Ask an expert what an export is.")
    turn = wait_for_state(sent.turn)
    assert turn.state == TurnState.DONE, turn.error_code
    assert tool_result(sent)["answer"] == "A copy of data."
    sites = list(
        ModelCall.objects.order_by("started_at").values_list("call_site", "turn_id")
    )
    assert sites == [
        ("Dialogue:GeneralDialogue", turn.pk),
        ("Tooling:ExpertAsk", turn.pk),
        ("Dialogue:MissionAssistant", turn.pk),
    ]
    assert cost_of_conversation(conversation_id=turn.conversation_id)["calls"] == 3


@pytest.mark.promise("D45", "D46")
def test_a_second_model_that_fails_does_not_fail_the_turn(
    send: Send, runner: TurnRunner, provider: StubProvider, opened: None
) -> None:
    provider.script(ASK, stub.error(400), stub.text("The expert did not answer."))
    sent = send("Ask an expert what an export is.")
    turn = wait_for_state(sent.turn)
    assert turn.state == TurnState.DONE, turn.error_code
    assert tool_result(sent)["error"] == "model_failed"
    assert ToolCall.objects.get().state == "failed"


@pytest.mark.promise("D46", "N5")
def test_a_forged_call_of_a_shut_read_reaches_no_model(
    send: Send, runner: TurnRunner, provider: StubProvider
) -> None:
    provider.script(ASK, stub.text("I may not ask."))
    sent = send("Ask an expert what an export is.")
    assert wait_for_state(sent.turn).state == TurnState.DONE
    assert tool_result(sent)["gate"] == "held_back"
    assert not ModelCall.objects.filter(call_site="Tooling:ExpertAsk").exists()
