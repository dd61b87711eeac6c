"""How a turn ends: its state, its text and the event, whoever ends it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db.models import Q

from dialogue.models import EventKind, MessageRole, Turn, TurnChunk, TurnState
from dialogue.services.journal import NewEvent, NewMessage, append
from dialogue.turns import hooks
from dialogue.turns.states import advance, sources_of


class LostLease(Exception):
    """Another process has taken the turn over, or the sweep has ended it."""


def turn_event(turn: Turn, state: TurnState, **facts: Any) -> NewEvent:
    """Return the journal's event of a turn's new state."""
    return NewEvent(
        EventKind.TURN,
        {
            "turn": str(turn.pk),
            "state": state.value,
            "attempt": turn.attempt,
            **facts,
        },
    )


def end_turn(
    turn: Turn,
    state: TurnState,
    *,
    where: Q,
    text: str,
    facts: dict[str, Any],
    error_code: str = "",
    error_detail: str = "",
    now: dt.datetime,
) -> None:
    """End a turn inside the caller's transaction, whoever ends it.

    The state moves first: of two enders one wins, the other gets `LostLease`.
    """
    partial = state is not TurnState.DONE
    moved = advance(
        turn.pk,
        state,
        where,
        Q(state__in=sources_of(state)),
        ended_at=now,
        lease_owner="",
        lease_expires_at=None,
        call_in_flight=None,
        error_code=error_code[:40],
        error_detail=error_detail[:500],
    )
    if not moved:
        raise LostLease
    turn.state, turn.ended_at, turn.error_code = state, now, error_code
    TurnChunk.objects.filter(turn_id=turn.pk).delete()
    messages = []
    if text.strip():
        data = {**facts, "partial": True} if partial else facts
        messages.append(
            NewMessage(
                MessageRole.ASSISTANT,
                text,
                data,
                turn_id=turn.pk,
                attempt=turn.attempt,
            )
        )
    error = {"error": error_code} if error_code else {}
    append(
        conversation_id=turn.conversation_id,
        tenant_id=turn.tenant_id,
        messages=messages,
        events=[turn_event(turn, state, **error)],
        now=now,
    )
    hooks.turn_ended(turn=turn, now=now)
