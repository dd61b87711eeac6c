"""Ledger rows of calls whose process died: paid for, perhaps, and never closed."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from tooling.llm.estimates import estimate_tokens
from tooling.llm.prices import UNPRICED
from tooling.models.llm import CallOutcome, ModelCall


def record_lost_call(
    *,
    tenant_id: uuid.UUID,
    conversation_id: uuid.UUID,
    turn_id: uuid.UUID,
    in_flight: dict[str, Any],
    text: str,
    now: dt.datetime,
) -> None:
    """Write the row of a call that was in flight when its process died.

    `in_flight` is what the turn noted before the call: attempt, step, call_site,
    preset, started_at. What it cost is unknown and said to be so; the output is
    estimated from the text that had come. A row that the call itself has written
    stands, and none is added.
    """
    place = {
        "turn_id": turn_id,
        "attempt": in_flight["attempt"],
        "step": in_flight["step"],
    }
    if ModelCall.objects.filter(**place).exists():
        return
    started_at = dt.datetime.fromisoformat(in_flight["started_at"])
    ModelCall.objects.create(
        tenant_id=tenant_id,
        conversation_id=conversation_id,
        **place,
        call_site=in_flight["call_site"],
        preset=in_flight["preset"],
        backend="",
        model="",
        outcome=CallOutcome.LOST,
        output_tokens=estimate_tokens(text),
        usage_reported=False,
        cost_nano_usd=None,
        price_version=UNPRICED,
        started_at=started_at,
        duration_ms=max(0, int((now - started_at).total_seconds() * 1000)),
    )
