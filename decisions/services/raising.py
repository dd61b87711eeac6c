"""Raise a request: the way in to the Decisions queue."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from decisions.kinds import ApprovalOption, RequestSubject, find_subject
from decisions.models import (
    AttentionRequest,
    MakerKind,
    RequestKind,
    RequestState,
)
from decisions.services.telling import card_of, refresh_card, tell_conversation
from tooling.boundary import payload_hash, require_text
from tooling.errors import Conflict, NotFound
from tooling.models import User


class NotRevisable(Conflict):
    """A revision of a request that asked for none."""

    code = "not_revisable"
    field = "revises"
    message = gettext_lazy(
        "Only a request that came back with “Request changes”, and was not revised "
        "yet, can have a revision. Raise a new one instead."
    )


@dataclass(frozen=True, slots=True)
class Raised:
    """The request, and whether this call made it."""

    request: AttentionRequest
    created: bool


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request came from; all null for a page outside a conversation."""

    conversation: uuid.UUID | None = None
    message: uuid.UUID | None = None
    turn: uuid.UUID | None = None


def raise_request(
    *,
    tenant_id: uuid.UUID,
    maker_kind: MakerKind,
    requested_by_id: uuid.UUID,
    subject: str,
    title: str,
    payload: dict[str, Any],
    origin_conversation: uuid.UUID | None = None,
    origin_message: uuid.UUID | None = None,
    origin_turn: uuid.UUID | None = None,
    revises: AttentionRequest | None = None,
    now: dt.datetime,
) -> Raised:
    """Put one request in the queue; a repeated one by a model is found, not made.

    Runs inside the caller's `atomic()`. `payload` is what the subject's
    `check_payload` returned. Raises `NotRevisable`, `NotFound` (foreign `revises`).
    """
    origin = Origin(origin_conversation, origin_message, origin_turn)
    digest = payload_hash(payload)
    if maker_kind == MakerKind.MODEL:
        existing = _repeated(tenant_id=tenant_id, origin=origin, digest=digest)
        if existing is not None:
            return Raised(existing, created=False)
    known = find_subject(subject)
    request = AttentionRequest(
        tenant_id=tenant_id,
        kind=known.kind,
        subject=known.name,
        title=require_text(title, field="title", max_chars=200),
        payload=payload,
        payload_hash=digest,
        options=list(known.options_for(payload)),
        maker_kind=maker_kind,
        requested_by_id=requested_by_id,
        origin_conversation=origin.conversation,
        origin_message=origin.message,
        origin_turn=origin.turn,
        expires_at=now + dt.timedelta(days=settings.REQUEST_EXPIRY_DAYS),
        created_at=now,
    )
    if revises is not None:
        _link_revision(request, revises, known)
    stored = _insert(request)
    if stored is not request:
        return Raised(stored, created=False)
    _tell(request=request, revises=revises, now=now)
    return Raised(request, created=True)


def _repeated(
    *, tenant_id: uuid.UUID, origin: Origin, digest: str
) -> AttentionRequest | None:
    """Find the same proposal: of the same message, or still open in the chat."""
    same_message = Q(origin_message=origin.message)
    still_open = Q(origin_conversation=origin.conversation, state=RequestState.OPEN)
    return (
        AttentionRequest.objects.filter(
            same_message | still_open,
            tenant_id=tenant_id,
            maker_kind=MakerKind.MODEL,
            payload_hash=digest,
        )
        .order_by("-created_at")
        .first()
    )


def _link_revision(
    request: AttentionRequest, revises: AttentionRequest, subject: RequestSubject
) -> None:
    if revises.tenant_id != request.tenant_id or revises.subject != subject.name:
        raise NotFound(field="revises")
    asked = (
        revises.state == RequestState.RESOLVED
        and revises.resolved_option == ApprovalOption.CHANGES
    )
    # Superseded without a successor: an operator's edit under way.
    edited = revises.state == RequestState.SUPERSEDED
    taken = AttentionRequest.objects.filter(revises=revises).exists()
    if taken or not (asked or edited):
        raise NotRevisable
    request.proposal_id = revises.proposal_id
    request.revision = revises.revision + 1
    request.revises = revises


def _insert(request: AttentionRequest) -> AttentionRequest:
    """Store it; where another transaction was faster, return that one's row."""
    try:
        with transaction.atomic():
            request.save(force_insert=True)
    except IntegrityError:
        origin = Origin(request.origin_conversation, request.origin_message)
        if request.maker_kind == MakerKind.MODEL:
            existing = _repeated(
                tenant_id=request.tenant_id,
                origin=origin,
                digest=request.payload_hash,
            )
            if existing is not None:
                return existing
        if request.revises_id is not None:
            raise NotRevisable from None
        raise
    return request


def _tell(
    *, request: AttentionRequest, revises: AttentionRequest | None, now: dt.datetime
) -> None:
    if revises is not None:
        refresh_card(request=revises, now=now)
    if request.maker_kind != MakerKind.HUMAN:
        return
    name = str(User.objects.get(pk=request.requested_by_id))

    def sentence() -> str:
        if request.kind == RequestKind.QUESTION:
            asked = _("%(name)s asked the question “%(title)s”.")
            return asked % {"name": name, "title": request.title}
        words = {"name": name, "title": request.title}
        if request.revision > 1:
            words["revision"] = str(request.revision)
            return _("%(name)s raised revision %(revision)s of “%(title)s”.") % words
        return _("%(name)s raised the proposal “%(title)s”.") % words

    tell_conversation(
        request=request,
        kind="proposal",
        sentence=sentence,
        facts={"by": name},
        cards=[card_of(request)],
        now=now,
    )
