"""Stop, retry, queueing, and the sweep of turns whose worker has gone."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable

import pytest
from django.utils import timezone

from dialogue.models import (
    Conversation,
    ConversationMessage,
    Turn,
    TurnChunk,
    TurnState,
)
from dialogue.services.conversations import (
    complete_conversation,
    create_conversation,
)
from dialogue.services.send import Sent, send_message
from dialogue.services.turns import (
    NewerTurn,
    TurnNotRetryable,
    retry_turn,
    stop_turn,
)
from dialogue.turns.endings import LostLease
from dialogue.turns.job import claim, finish
from dialogue.turns.recovery import interrupt_lost_turns
from dialogue.turns.runner import TurnRunner
from tests.dialogue.conftest import People, wait_for_state
from tests.dialogue.turns.test_engine import reply_of
from tests.support import stub
from tests.support.processes import wait_until
from tests.support.stub import StubProvider
from tooling.errors import NotFound
from tooling.models import ModelCall

Send = Callable[..., Sent]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.lesson("chat-R7", "chat-R8")
def test_stop_reaches_the_provider_within_a_second_and_keeps_the_text(
    send: Send, runner: TurnRunner, provider: StubProvider, people: People
) -> None:
    provider.script(stub.endless())
    turn = send("Talk for ever").turn
    wait_until(TurnChunk.objects.exists, timeout=10, what="streamed text")
    asked = time.monotonic()
    stop_turn(principal=people.operator, turn_id=turn.pk, now=timezone.now())
    wait_for_state(turn, TurnState.STOPPED)
    took = time.monotonic() - asked
    assert reply_of(turn).data["partial"] is True
    [entry] = provider.log()
    assert entry["client_closed"], f"the provider went on: {entry}"
    assert took < 2, f"Stop took {took:.2f} s"
    [call] = ModelCall.objects.all()
    assert call.outcome == "stopped"
    assert call.output_tokens > 0


def test_a_queued_turn_stops_at_once(send: Send, people: People) -> None:
    turn = send("Never mind").turn
    stopped = stop_turn(principal=people.member, turn_id=turn.pk, now=timezone.now())
    assert stopped.state == TurnState.STOPPED


@pytest.mark.promise("A30")
@pytest.mark.lesson("chat-R10")
def test_messages_sent_while_busy_are_answered_in_order(
    send: Send, runner: TurnRunner, provider: StubProvider, conversation: Conversation
) -> None:
    provider.script(stub.text("slow one", interval_ms=30), default=stub.text("ok"))
    turns = [send(f"message {n}").turn for n in range(5)]
    for turn in turns:
        wait_for_state(turn)
    asked = [r["body"]["messages"][-1]["content"] for r in provider.requests()]
    assert asked == [f"message {n}" for n in range(5)]
    begun = Turn.objects.order_by("started_at").values_list("pk", flat=True)
    assert list(begun) == [turn.pk for turn in turns]


@pytest.mark.lesson("chat-R9")
def test_a_retry_is_the_next_attempt_of_the_same_turn(
    send: Send, runner: TurnRunner, provider: StubProvider, people: People
) -> None:
    provider.script(stub.error(503), stub.text("now it works"))
    turn = wait_for_state(send("Hello").turn)
    retry_turn(principal=people.member, turn_id=turn.pk, now=timezone.now())
    runner.wake()
    wait_for_state(turn, TurnState.DONE)
    assert turn.attempt == 2
    assert reply_of(turn).text == "now it works"
    attempts = ModelCall.objects.order_by("started_at").values_list(
        "attempt", flat=True
    )
    assert list(attempts) == [1, 2]
    with pytest.raises(TurnNotRetryable):
        retry_turn(principal=people.member, turn_id=turn.pk, now=timezone.now())


def test_an_old_turn_is_not_retried_behind_a_newer_one(
    send: Send, runner: TurnRunner, provider: StubProvider, people: People
) -> None:
    provider.script(stub.error(503), stub.text("fine"))
    failed = wait_for_state(send("one").turn)
    wait_for_state(send("two").turn)
    with pytest.raises(NewerTurn):
        retry_turn(principal=people.member, turn_id=failed.pk, now=timezone.now())


def test_a_stranger_can_neither_stop_nor_retry(send: Send, people: People) -> None:
    turn = send("ours").turn
    for act in (stop_turn, retry_turn):
        with pytest.raises(NotFound):
            act(principal=people.stranger, turn_id=turn.pk, now=timezone.now())
    turn.refresh_from_db()
    assert turn.state == TurnState.QUEUED


@pytest.mark.lesson("chat-R12")
def test_two_claims_of_one_turn_give_one_lease(send: Send) -> None:
    turn = send("once").turn
    assert claim(turn.pk, owner="first") is not None
    assert claim(turn.pk, owner="second") is None


@pytest.mark.promise("A30")
def test_a_conversation_has_one_live_turn(send: Send) -> None:
    first, second = send("one").turn, send("two").turn
    assert claim(first.pk, owner="w") is not None
    assert claim(second.pk, owner="w") is None
    second.refresh_from_db()
    assert second.state == TurnState.QUEUED


@pytest.mark.promise("A30")
def test_two_conversations_are_served_at_once(send: Send, people: People) -> None:
    other = create_conversation(
        principal=people.member, track="Research", now=timezone.now()
    )
    elsewhere = send_message(
        principal=people.member,
        conversation_id=other.pk,
        text="meanwhile",
        client_key=None,
        now=timezone.now(),
    )
    for turn in (send("here").turn, elsewhere.turn):
        assert claim(turn.pk, owner="w") is not None
    assert Turn.objects.filter(state=TurnState.RUNNING).count() == 2


@pytest.mark.lesson("chat-R3", "chat-R4")
def test_the_sweep_interrupts_a_turn_whose_lease_ran_out(send: Send) -> None:
    turn = send("Hello").turn
    job = claim(turn.pk, owner="dead worker")
    assert job is not None
    Turn.objects.filter(pk=turn.pk).update(
        call_in_flight={
            "attempt": 1,
            "step": 1,
            "call_site": "Dialogue:GeneralDialogue",
            "preset": "stub",
            "started_at": timezone.now().isoformat(),
        }
    )
    TurnChunk.objects.create(turn=turn, attempt=1, step=1, offset=0, text="so far")
    assert interrupt_lost_turns(now=timezone.now()) == 0, "its lease still holds"
    later = timezone.now() + dt.timedelta(minutes=5)
    assert interrupt_lost_turns(now=later) == 1
    turn.refresh_from_db()
    assert (turn.state, turn.error_code) == (TurnState.INTERRUPTED, "interrupted")
    assert reply_of(turn).text == "so far"
    [call] = ModelCall.objects.all()
    assert (call.outcome, call.price_version) == ("lost", "unpriced")
    assert interrupt_lost_turns(now=later) == 0, "an ended turn was touched"
    with pytest.raises(LostLease):
        finish(job, TurnState.DONE, text="too late")
    stored = ConversationMessage.objects.filter(turn_id=turn.pk, role="assistant")
    assert stored.count() == 1, "the late worker wrote an answer"


def test_a_completed_conversation_still_answers_what_was_sent_before(
    send: Send,
    runner: TurnRunner,
    provider: StubProvider,
    people: People,
    conversation: Conversation,
) -> None:
    provider.script(stub.text("done anyway"))
    turn = send("one more").turn
    complete_conversation(
        principal=people.member, conversation_id=conversation.pk, now=timezone.now()
    )
    assert wait_for_state(turn).state == TurnState.DONE
