"""Stop and retry: rows that the worker reads, from any tab or the API."""

from __future__ import annotations

import datetime as dt
import uuid

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from dialogue.live.wake import wake_on_commit
from dialogue.models import ConversationStatus, Turn, TurnState
from dialogue.selectors import turn_of
from dialogue.services.conversations import ConversationCompleted, find_for_change
from dialogue.services.journal import append
from dialogue.turns.endings import LostLease, end_turn, turn_event
from dialogue.turns.states import RETRYABLE, advance
from tooling.errors import Conflict
from tooling.policy import Principal


class TurnNotRetryable(Conflict):
    """A turn that is queued, under way or done."""

    code = "turn_not_retryable"
    message = _("This answer is not one that failed or was stopped.")


class NewerTurn(Conflict):
    """The conversation has moved on."""

    code = "newer_turn"
    message = _("A newer message was sent since. Send your message again instead.")


def stop_turn(*, principal: Principal, turn_id: uuid.UUID, now: dt.datetime) -> Turn:
    """Ask for a turn to stop; the provider is reached within a second.

    A queued turn stops at once. Stopping one that has ended is harmless.
    """
    turn = turn_of(principal=principal, turn_id=turn_id)
    find_for_change(principal, turn.conversation_id)
    with transaction.atomic():
        if not _stop_queued(turn, now):
            moved = advance(turn.pk, TurnState.STOPPING, stop_requested_at=now)
            if moved:
                append(
                    conversation_id=turn.conversation_id,
                    tenant_id=turn.tenant_id,
                    events=[turn_event(turn, TurnState.STOPPING)],
                    now=now,
                )
    turn.refresh_from_db()
    return turn


def _stop_queued(turn: Turn, now: dt.datetime) -> bool:
    try:
        end_turn(
            turn,
            TurnState.STOPPED,
            where=Q(state=TurnState.QUEUED),
            text="",
            facts={},
            now=now,
        )
    except LostLease:
        return False
    return True


def retry_turn(*, principal: Principal, turn_id: uuid.UUID, now: dt.datetime) -> Turn:
    """Queue the next attempt of a turn that failed, was stopped or interrupted."""
    turn = turn_of(principal=principal, turn_id=turn_id)
    conversation = find_for_change(principal, turn.conversation_id)
    if conversation.status != ConversationStatus.OPEN:
        raise ConversationCompleted
    newer = Turn.objects.filter(
        conversation=conversation, created_at__gt=turn.created_at
    )
    if newer.exists():
        raise NewerTurn
    with transaction.atomic():
        if not advance(
            turn.pk,
            TurnState.QUEUED,
            Q(state__in=RETRYABLE),
            attempt=F("attempt") + 1,
            ended_at=None,
            error_code="",
            error_detail="",
            stop_requested_at=None,
        ):
            raise TurnNotRetryable
        turn.refresh_from_db()
        append(
            conversation_id=turn.conversation_id,
            tenant_id=turn.tenant_id,
            events=[turn_event(turn, TurnState.QUEUED)],
            now=now,
        )
        wake_on_commit()
    return turn
