"""A person corrects how their message was read; for the record alone."""

from __future__ import annotations

import datetime as dt
import uuid

from django.db import transaction

from dialogue.models import IntentCorrection
from dialogue.selectors import turn_of
from dialogue.services.conversations import find_for_change
from tooling.errors import InvalidInput, NotFound
from tooling.intent.types import IntentLabel
from tooling.policy import Principal, person_of
from tooling.services.audit import record_act


def correct_reading(
    *,
    principal: Principal,
    conversation_id: uuid.UUID,
    turn_id: uuid.UUID,
    label: str,
    now: dt.datetime,
) -> IntentCorrection:
    """Store what a message was for, in a person's view. The turn stays as it was.

    Raises `NotFound`, `NotAllowed` and `InvalidInput` for a label that is none.
    """
    turn = turn_of(principal=principal, turn_id=turn_id)
    if turn.conversation_id != conversation_id:
        raise NotFound
    find_for_change(principal, turn.conversation_id)
    labels = [each.value for each in IntentLabel]
    if label not in labels:
        raise InvalidInput(field="label", extra={"choices": labels})
    earlier = IntentCorrection.objects.filter(turn=turn)
    latest = earlier.order_by("-created_at", "-id").first()
    stands = latest.label if latest else turn.intent
    with transaction.atomic():
        correction = IntentCorrection.objects.create(
            tenant_id=turn.tenant_id,
            turn=turn,
            judged=turn.intent,
            label=label,
            corrected_by_id=person_of(principal),
            created_at=now,
        )
        record_act(
            principal=principal,
            action="intent.corrected",
            target_type="turn",
            target_id=turn.pk,
            before={"label": stands},
            after={"label": label},
        )
    return correction
