"""The sweep of turns: a turn whose lease ran out ends as interrupted."""

from __future__ import annotations

import datetime as dt
import logging

from django.db import transaction
from django.db.models import Q

from dialogue.live.wake import wake_on_commit
from dialogue.models import LIVE_STATES, Turn, TurnState
from dialogue.selectors import partial_text
from dialogue.turns.endings import LostLease, end_turn
from tooling.llm.lost import record_lost_call

log = logging.getLogger(__name__)

BATCH = 100


def interrupt_lost_turns(*, now: dt.datetime) -> int:
    """End every live turn whose worker has gone, with its partial text and a retry.

    Ended turns are never touched. Returns how many were ended.
    """
    lost = Turn.objects.filter(state__in=LIVE_STATES, lease_expires_at__lt=now)
    ended = 0
    for turn in lost.order_by("lease_expires_at")[:BATCH]:
        try:
            with transaction.atomic():
                _interrupt(turn, now)
        except LostLease:
            continue
        ended += 1
    return ended


def _interrupt(turn: Turn, now: dt.datetime) -> None:
    text = partial_text(turn=turn)
    in_flight = turn.call_in_flight
    # Somebody who asked for a stop gets one, though the worker went first.
    stopping = turn.state == TurnState.STOPPING
    end_turn(
        turn,
        TurnState.STOPPED if stopping else TurnState.INTERRUPTED,
        where=Q(lease_expires_at__lt=now, attempt=turn.attempt),
        text=text,
        facts={},
        error_code="" if stopping else "interrupted",
        now=now,
    )
    wake_on_commit()
    if in_flight:
        record_lost_call(
            tenant_id=turn.tenant_id,
            conversation_id=turn.conversation_id,
            turn_id=turn.pk,
            in_flight=in_flight,
            text=text,
            now=now,
        )
    log.warning("turn interrupted", extra={"turn": str(turn.pk)})
