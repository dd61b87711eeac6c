"""The steps of a turn that deal with tools; fenced like those of `job`."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from dialogue.held import CARD
from dialogue.models import EventKind, MessageRole, TurnChunk
from dialogue.services.journal import NewEvent, NewMessage, append
from dialogue.turns import hooks
from dialogue.turns.job import Job, hold, tool_context
from tooling.gate.execute import Executed, execute_call
from tooling.ids import new_id
from tooling.llm.types import ToolRequest


def store_calls(
    job: Job, *, text: str, calls: tuple[ToolRequest, ...]
) -> tuple[ToolRequest, ...]:
    """Store the assistant's message that asks for tools; return the calls to run.

    Calls get ids of our own: providers repeat theirs from turn to turn.
    """
    now = timezone.now()
    own = tuple(
        ToolRequest(f"call_{new_id().hex}", call.name, call.arguments) for call in calls
    )
    data = {
        "step": job.step,
        "tool_calls": [
            {"id": call.id, "name": call.name, "arguments": call.arguments}
            for call in own
        ],
    }
    events = [
        NewEvent(EventKind.TOOL, {**_of_turn(job), "call": c.id, "name": c.name[:120]})
        for c in own
    ]
    with transaction.atomic():
        hold(job, call_in_flight=None)
        TurnChunk.objects.filter(turn_id=job.turn.pk).delete()
        append(
            conversation_id=job.turn.conversation_id,
            tenant_id=job.turn.tenant_id,
            messages=[_message(job, MessageRole.ASSISTANT, text, data)],
            events=events,
            now=now,
        )
    return own


def _of_turn(job: Job) -> dict[str, Any]:
    return {"turn": str(job.turn.pk), "state": "running"}


def _message(
    job: Job, role: MessageRole, text: str, data: dict[str, Any]
) -> NewMessage:
    return NewMessage(role, text, data, turn_id=job.turn.pk, attempt=job.turn.attempt)


def _own_card(done: Executed) -> list[dict[str, str]]:
    """Return the card of a held-back write, on which a person may run it."""
    return [{"kind": CARD, "id": str(done.tool_call_id)}] if done.is_held else []


def run_tool(
    job: Job, call: ToolRequest, *, cut_off: bool, calls_before: int = 0
) -> Executed:
    """Run one call through the gate and store its result as a message.

    `calls_before` counts the calls before it in the same answer of the model.
    """
    now = timezone.now()
    hold(job)
    done = execute_call(
        request=call,
        context=tool_context(job, call.id, now=now),
        intent_tools=job.intent_tools,
        attempt=job.turn.attempt,
        cut_off=cut_off,
        on_blocked=hooks.call_blocked,
        calls_before=calls_before,
    )
    data = {
        "call_id": call.id,
        "name": done.name,
        "state": done.state,
        "verdict": done.verdict,
        "gate": done.gate,
        "basis": done.basis,
        "result": done.result,
        "cards": [*done.cards, *_own_card(done)],
        "tool_call": str(done.tool_call_id),
    }
    with transaction.atomic():
        hold(job)
        append(
            conversation_id=job.turn.conversation_id,
            tenant_id=job.turn.tenant_id,
            messages=[_message(job, MessageRole.TOOL, "", data)],
            events=[
                NewEvent(
                    EventKind.TOOL,
                    {**_of_turn(job), "call": call.id, "state": done.state},
                )
            ],
            now=timezone.now(),
        )
    return done
