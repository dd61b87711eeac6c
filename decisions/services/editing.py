"""An operator's edit: a new revision with the same options, never a silent change."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy

from decisions.kinds import find_subject
from decisions.models import AttentionRequest, MakerKind, RequestState
from decisions.services.deciding import ContentChanged
from decisions.services.raising import raise_request
from tooling.boundary import check_json
from tooling.boundary import payload_hash as hash_of
from tooling.errors import Conflict, InvalidInput, NotFound
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act


class NothingToEdit(Conflict):
    """Only an open request can be edited."""

    code = "not_open"
    message = gettext_lazy("This request is not open any more, so it cannot be edited.")


class NothingChanged(InvalidInput):
    """The edit says what stands there already."""

    code = "nothing_changed"
    field = "payload"
    message = gettext_lazy("Nothing was changed. Edit a field first, or decide.")


def edit_request(
    *,
    principal: Principal,
    request_id: uuid.UUID,
    payload: Any,
    revision: int,
    payload_hash: str,
    now: dt.datetime,
) -> AttentionRequest:
    """Put an edited payload in the place of an open request; return the new revision.

    The payload passes the subject's own check. The old revision is superseded in the
    same transaction, and a decision on it is a conflict from then on. Raises
    `NotFound`, `NothingToEdit`, `ContentChanged`, `NothingChanged`, `InvalidInput`.
    """
    require(principal, Act.DECIDE)
    assert principal.user_id is not None  # noqa: S101 -- policy saw to it
    check_json(payload, field="payload")
    with transaction.atomic():
        old = (
            AttentionRequest.objects.select_for_update(of=("self",))
            .filter(tenant_id=principal.tenant_id, pk=request_id)
            .first()
        )
        if old is None:
            raise NotFound
        _check_shown(old, revision, payload_hash)
        subject = find_subject(old.subject)
        checked = subject.check_payload(payload)
        if hash_of(checked) == old.payload_hash:
            raise NothingChanged
        _supersede(old, now)
        new = raise_request(
            tenant_id=old.tenant_id,
            maker_kind=MakerKind.HUMAN,
            requested_by_id=principal.user_id,
            subject=old.subject,
            title=subject.title_of(checked),
            payload=checked,
            origin_conversation=old.origin_conversation,
            origin_message=old.origin_message,
            origin_turn=old.origin_turn,
            revises=old,
            now=now,
        ).request
        if subject.on_edited is not None:
            subject.on_edited(old=old, new=new, now=now)
        record_act(
            principal=principal,
            action="request.edited",
            target_type="request",
            target_id=new.pk,
            before={"request": str(old.pk), "payload_hash": old.payload_hash},
            after={"payload_hash": new.payload_hash, "revision": new.revision},
        )
    return new


def _check_shown(old: AttentionRequest, revision: int, payload_hash: str) -> None:
    if old.state != RequestState.OPEN:
        raise NothingToEdit(extra={"state": old.state})
    if revision != old.revision or payload_hash != old.payload_hash:
        raise ContentChanged(
            extra={
                "request_id": str(old.pk),
                "revision": old.revision,
                "payload_hash": old.payload_hash,
            }
        )


def _supersede(old: AttentionRequest, now: dt.datetime) -> None:
    rows = AttentionRequest.objects.filter(pk=old.pk, state=RequestState.OPEN)
    if not rows.update(state=RequestState.SUPERSEDED, closed_at=now):
        raise NothingToEdit
    old.refresh_from_db()
