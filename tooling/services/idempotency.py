"""The first answer to a keyed request, given again to its repetition.

A key is first taken in a transaction of its own, so that a twin that comes while the
first is at work hears so at once. The work and its answer then commit together: a
process killed anywhere leaves either both or neither, and a key that was taken and
never answered is free again after `STALE_AFTER`.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from tooling.errors import DomainError, NotAllowed
from tooling.models import IdempotencyRecord
from tooling.policy import Principal

STALE_AFTER = dt.timedelta(seconds=60)
KEPT_FOR = dt.timedelta(hours=24)


class KeyInUse(DomainError):
    """The first request with this key is still at work."""

    code = "idempotency_in_flight"
    status = HTTPStatus.CONFLICT
    message = _("The same request is still being worked on. Ask again in a moment.")


class KeyReused(DomainError):
    """The key belongs to another request."""

    code = "idempotency_key_reused"
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    message = _("This Idempotency-Key was used for another request. Take a new one.")


@dataclass(frozen=True, slots=True)
class TakenKey:
    """A key that is ours; `taken_at` is the fence against who takes it over."""

    id: Any
    taken_at: dt.datetime


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The first answer: status, body and the headers that belong to it.

    The body is kept as text: PostgreSQL does not keep the order of a JSON object.
    """

    status: int
    body: str
    headers: dict[str, str]


def take_key(
    *, principal: Principal, key: str, body_hash: str, now: dt.datetime
) -> TakenKey | StoredAnswer:
    """Take a key, or return the answer that it has.

    Raises `KeyInUse` (409) while the first request is at work, `KeyReused` (422)
    where the request was another one.
    """
    owner = principal.user_id
    if owner is None:
        raise NotAllowed
    try:
        with transaction.atomic():
            record = IdempotencyRecord.objects.create(
                tenant_id=principal.tenant_id,
                user_id=owner,
                key=key,
                body_hash=body_hash,
                created_at=now,
            )
    except IntegrityError:
        known = IdempotencyRecord.objects.filter(
            tenant_id=principal.tenant_id, user_id=owner, key=key
        ).first()
        # None: given up between our insert and this look; the caller may ask again.
        if known is None:
            raise KeyInUse from None
        return _known_key(known, body_hash=body_hash, now=now)
    return TakenKey(record.pk, now)


def _known_key(
    record: IdempotencyRecord, *, body_hash: str, now: dt.datetime
) -> TakenKey | StoredAnswer:
    if record.body_hash != body_hash:
        raise KeyReused
    if record.status is not None:
        kept: Any = record.response
        return StoredAnswer(record.status, kept["body"], kept["headers"])
    if record.created_at > now - STALE_AFTER:
        raise KeyInUse
    ours = IdempotencyRecord.objects.filter(
        pk=record.pk, status__isnull=True, created_at=record.created_at
    )
    if not ours.update(created_at=now):
        raise KeyInUse
    return TakenKey(record.pk, now)


def store_answer(*, taken: TakenKey, answer: StoredAnswer) -> None:
    """Store the answer inside the transaction of the work itself.

    Raises `KeyInUse` where another request took the key over: that rolls our work
    back.
    """
    stored = IdempotencyRecord.objects.filter(
        pk=taken.id, status__isnull=True, created_at=taken.taken_at
    ).update(
        status=answer.status,
        response={"body": answer.body, "headers": answer.headers},
    )
    if not stored:
        raise KeyInUse


def give_up_key(*, taken: TakenKey) -> None:
    """Free a key whose request came to nothing that may be repeated as it is."""
    IdempotencyRecord.objects.filter(
        pk=taken.id, status__isnull=True, created_at=taken.taken_at
    ).delete()


def forget_keys(*, now: dt.datetime) -> int:
    """Delete answers older than a day. A sweep."""
    count, _by_model = IdempotencyRecord.objects.filter(
        created_at__lt=now - KEPT_FOR
    ).delete()
    return count
