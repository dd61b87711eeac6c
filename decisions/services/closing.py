"""Close a request without a choice: its requester's withdrawal, or its expiry."""

from __future__ import annotations

import datetime as dt
import uuid

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from decisions.models import AttentionRequest, RequestKind, RequestState
from decisions.selectors import requesters
from decisions.services.telling import refresh_card, tell_conversation
from tooling.errors import Conflict, NotAllowed, NotFound
from tooling.models import User
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act

EXPIRY_BATCH = 100


class NotYours(NotAllowed):
    """Only whoever asked may take a request back."""

    code = "not_requester"
    message = gettext_lazy(
        "Only the person who asked can withdraw this request. To settle it, decide."
    )


class AlreadyClosed(Conflict):
    """Nothing is left to withdraw."""

    code = "already_closed"
    message = gettext_lazy(
        "This request is closed already, so it cannot be withdrawn any more."
    )


def withdraw_request(
    *, principal: Principal, request_id: uuid.UUID, now: dt.datetime
) -> AttentionRequest:
    """Take back one's own open request; harmless when done twice.

    Raises `NotFound`, `NotYours` and `AlreadyClosed`.
    """
    require(principal, Act.RAISE)
    with transaction.atomic():
        request = (
            AttentionRequest.objects.select_for_update(of=("self",))
            .filter(tenant_id=principal.tenant_id, pk=request_id)
            .first()
        )
        if request is None:
            raise NotFound
        if principal.user_id not in requesters(request=request):
            raise NotYours
        if request.state == RequestState.WITHDRAWN:
            return request
        if not _close(request, RequestState.WITHDRAWN, now):
            raise AlreadyClosed(extra={"state": request.state})
        record_act(
            principal=principal,
            action="request.withdrawn",
            target_type="request",
            target_id=request.pk,
        )
        _tell_withdrawn(request, principal, now)
    return request


def _close(request: AttentionRequest, state: RequestState, now: dt.datetime) -> bool:
    """Move an open request to `state`; tell whether this call did it."""
    rows = AttentionRequest.objects.filter(pk=request.pk, state=RequestState.OPEN)
    moved = rows.update(state=state, closed_at=now)
    request.refresh_from_db()
    return bool(moved)


def _tell_withdrawn(
    request: AttentionRequest, principal: Principal, now: dt.datetime
) -> None:
    assert principal.user_id is not None  # noqa: S101 -- policy saw to it
    name = str(User.objects.get(pk=principal.user_id))
    refresh_card(request=request, now=now)
    tell_conversation(
        request=request,
        kind="withdrawn",
        sentence=lambda: (
            (
                _("%(name)s withdrew the question “%(title)s”.")
                if request.kind == RequestKind.QUESTION
                else _("%(name)s withdrew the proposal “%(title)s”.")
            )
            % {"name": name, "title": request.title}
        ),
        facts={"by": name},
        now=now,
    )


def expire_requests(*, now: dt.datetime) -> int:
    """Close open requests whose time is over; return how many. A sweep."""
    due = (
        AttentionRequest.objects.filter(state=RequestState.OPEN, expires_at__lte=now)
        .order_by("expires_at")
        .values_list("pk", flat=True)[:EXPIRY_BATCH]
    )
    return sum(_expire(request_id=key, now=now) for key in list(due))


@transaction.atomic
def _expire(*, request_id: uuid.UUID, now: dt.datetime) -> bool:
    request = AttentionRequest.objects.select_for_update(of=("self",)).get(
        pk=request_id
    )
    if not _close(request, RequestState.EXPIRED, now):
        return False
    refresh_card(request=request, now=now)
    tell_conversation(
        request=request,
        kind="expired",
        sentence=lambda: (
            (
                _("The question “%(title)s” expired: nobody answered it in time.")
                if request.kind == RequestKind.QUESTION
                else _(
                    "The proposal “%(title)s” expired: nobody decided on it in time."
                )
            )
            % {"title": request.title}
        ),
        facts={},
        now=now,
    )
    return True
