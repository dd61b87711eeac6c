"""Decide: the one way in which a human's choice settles a request.

A conditional update from `open` that one caller wins, and the insert of a
`Resolution`, unique per request. What follows lives elsewhere: a resolved request
never changes. A choice that comes too late is kept with its note, never applied.
"""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from decisions.kinds import ApprovalOption, option_label
from decisions.models import (
    AttentionRequest,
    LateDecision,
    RequestKind,
    RequestState,
    Resolution,
)
from decisions.selectors import live_revision, requesters
from decisions.services.telling import refresh_card, tell_conversation
from tooling.boundary import check_text, is_seen
from tooling.errors import Conflict, DomainError, InvalidInput, NotAllowed, NotFound
from tooling.models import User
from tooling.policy import Act, Principal, require
from tooling.selectors import features_of
from tooling.services.audit import record_act

log = logging.getLogger(__name__)

MAX_NOTE_CHARS = 5_000


class InvalidOption(InvalidInput):
    """Anything but one of the request's own options, letter for letter."""

    code = "invalid_option"
    field = "option"
    message = gettext_lazy("Choose one of the options of this request.")


class NoteRequired(InvalidInput):
    """A wish for changes that does not say which."""

    code = "note_required"
    field = "note"
    message = gettext_lazy("Say in the note what should change.")


class ContentChanged(Conflict):
    """What was shown is not what stands there now."""

    code = "content_changed"
    message = gettext_lazy(
        "The content has changed since you opened the page. Nothing was decided and "
        "your note is kept. Read the current version and decide again."
    )


class AlreadyDecided(Conflict):
    """Somebody was faster; `extra` says who, what and when."""

    code = "already_decided"


class RequestExpired(DomainError):
    """Too late."""

    code = "expired"
    status = HTTPStatus.GONE
    message = gettext_lazy(
        "This request has expired. Nothing was decided and your note is kept. Ask for "
        "it to be proposed again."
    )


class RequestWithdrawn(Conflict):
    """Its requester took it back."""

    code = "withdrawn"
    message = gettext_lazy(
        "The person who asked has withdrawn this request. There is nothing to decide."
    )


class RequestSuperseded(Conflict):
    """A newer revision took its place; `extra` names it."""

    code = "superseded"
    message = gettext_lazy(
        "A newer revision has taken the place of this one. Nothing was decided and "
        "your note is kept. Decide on the newer revision."
    )


class FourEyes(NotAllowed):
    """The requester may not decide where four eyes is on."""

    code = "four_eyes"
    message = gettext_lazy(
        "Your team asks for four eyes: whoever asked for or edited a proposal cannot "
        "decide on it. Ask a colleague."
    )


@dataclass(frozen=True, slots=True)
class Decided:
    """`outcome` is won, or same when this very choice had been made before."""

    request: AttentionRequest
    resolution: Resolution
    outcome: str


@dataclass(frozen=True, slots=True)
class _Choice:
    """A person's checked choice, bound to what their page showed."""

    principal: Principal
    option: str
    note: str
    revision: int
    payload_hash: str
    now: dt.datetime

    @property
    def user_id(self) -> uuid.UUID:
        assert self.principal.user_id is not None  # noqa: S101 -- policy saw to it
        return self.principal.user_id


def decide(
    *,
    principal: Principal,
    request_id: uuid.UUID,
    option: str,
    note: str = "",
    revision: int,
    payload_hash: str,
    now: dt.datetime,
) -> Decided:
    """Settle a request by a human's choice on the revision that they saw.

    Raises `NotAllowed`, `NotFound`, `InvalidOption`, `NoteRequired`, `FourEyes`,
    `ContentChanged`, `AlreadyDecided`, `RequestExpired`, `RequestWithdrawn` and
    `RequestSuperseded`; after the last five the choice is kept as `LateDecision`.
    """
    require(principal, Act.DECIDE)
    note = _checked_note(note)
    with transaction.atomic():
        request = _locked(tenant_id=principal.tenant_id, request_id=request_id)
        _check_option(request, option, note, principal)
        choice = _Choice(principal, option, note, revision, payload_hash, now)
        _check_four_eyes(request, choice)
        result = _settle(request, choice)
    # Raised only now: the late choice that goes with it must stay stored.
    if isinstance(result, DomainError):
        raise result
    return result


def _checked_note(note: Any) -> str:
    if not isinstance(note, str):
        raise InvalidInput(field="note")
    # A form ends its lines with CR LF; people wrote one line end.
    lines = note.replace("\r\n", "\n").strip()
    check_text(lines, field="note", max_chars=MAX_NOTE_CHARS)
    # What nobody can see is no note.
    return lines if is_seen(lines) else ""


def _locked(*, tenant_id: uuid.UUID, request_id: uuid.UUID) -> AttentionRequest:
    found = (
        AttentionRequest.objects.select_for_update(of=("self",))
        .filter(tenant_id=tenant_id, pk=request_id)
        .first()
    )
    if found is None:
        raise NotFound
    return found


def _check_option(
    request: AttentionRequest, option: Any, note: str, principal: Principal
) -> None:
    if not isinstance(option, str) or option not in request.options:
        log.warning(
            "decision refused: not an option",
            extra={"request": str(request.pk), "actor": str(principal.user_id)},
        )
        raise InvalidOption(extra={"options": list(request.options)})
    if option == ApprovalOption.CHANGES and not note:
        raise NoteRequired


def _check_four_eyes(request: AttentionRequest, choice: _Choice) -> None:
    if not features_of(tenant_id=request.tenant_id).four_eyes:
        return
    if choice.user_id in requesters(request=request):
        raise FourEyes


def _settle(request: AttentionRequest, choice: _Choice) -> Decided | DomainError:
    if request.state != RequestState.OPEN:
        return _too_late(request, choice)
    if request.expires_at is not None and request.expires_at <= choice.now:
        _keep(request, choice)
        return RequestExpired()
    if not _is_what_was_shown(request, choice):
        _keep(request, choice)
        return ContentChanged(extra=_current(request))
    won = AttentionRequest.objects.filter(
        pk=request.pk, state=RequestState.OPEN
    ).update(
        state=RequestState.RESOLVED,
        resolved_option=choice.option,
        resolved_by_id=choice.user_id,
        resolved_at=choice.now,
        closed_at=choice.now,
    )
    request.refresh_from_db()
    if not won:
        return _too_late(request, choice)
    return Decided(request, _resolve(request, choice), "won")


def _is_what_was_shown(request: AttentionRequest, choice: _Choice) -> bool:
    # True == 1: a truth value is no revision number.
    return (
        type(choice.revision) is int
        and choice.revision == request.revision
        and choice.payload_hash == request.payload_hash
    )


def _resolve(request: AttentionRequest, choice: _Choice) -> Resolution:
    resolution = Resolution.objects.create(
        request=request,
        option=choice.option,
        note=choice.note,
        decided_by_id=choice.user_id,
        way=choice.principal.kind.value,
        revision=choice.revision,
        payload_hash=choice.payload_hash,
        created_at=choice.now,
    )
    record_act(
        principal=choice.principal,
        action="request.decided",
        target_type="request",
        target_id=request.pk,
        before={"state": RequestState.OPEN.value},
        after={
            "state": RequestState.RESOLVED.value,
            "option": choice.option,
            "revision": choice.revision,
            "payload_hash": choice.payload_hash,
        },
    )
    _tell(request, choice)
    return resolution


def _tell(request: AttentionRequest, choice: _Choice) -> None:
    name = str(User.objects.get(pk=choice.user_id))

    def sentence() -> str:
        text = _("Decision on “%(title)s” (revision %(revision)s) by %(name)s: %(o)s.")
        if request.kind == RequestKind.QUESTION:
            text = _("Answer to “%(title)s” by %(name)s: %(o)s.")
        text %= {
            "title": request.title,
            "revision": request.revision,
            "name": name,
            "o": option_label(choice.option),
        }
        if choice.note:
            text += "\n" + _("Note: %(note)s") % {"note": choice.note}
        return text

    refresh_card(request=request, now=choice.now)
    tell_conversation(
        request=request,
        kind="decision",
        sentence=sentence,
        facts={"option": choice.option, "note": choice.note, "by": name},
        now=choice.now,
    )


def _too_late(request: AttentionRequest, choice: _Choice) -> Decided | DomainError:
    """Tell what stands there already; keep the choice unless it is the same."""
    if request.state == RequestState.RESOLVED:
        resolution = Resolution.objects.filter(request=request).first()
        if resolution is not None and _is_same(resolution, choice):
            return Decided(request, resolution, "same")
        _keep(request, choice)
        return _already(request)
    _keep(request, choice)
    if request.state == RequestState.EXPIRED:
        return RequestExpired()
    if request.state == RequestState.WITHDRAWN:
        return RequestWithdrawn()
    live = live_revision(request=request)
    return RequestSuperseded(extra=_current(live) if live is not None else None)


def _is_same(resolution: Resolution, choice: _Choice) -> bool:
    return (
        resolution.decided_by_id == choice.user_id
        and resolution.option == choice.option
        and resolution.revision == choice.revision
        and resolution.payload_hash == choice.payload_hash
    )


def _already(request: AttentionRequest) -> AlreadyDecided:
    assert request.resolved_at is not None  # noqa: S101 -- a check constraint holds
    text = _(
        "%(name)s has already decided: %(option)s. Nothing was changed and your "
        "note is kept."
    )
    name = str(request.resolved_by)
    return AlreadyDecided(
        text % {"name": name, "option": option_label(request.resolved_option)},
        extra={
            "option": request.resolved_option,
            "decided_by": name,
            "decided_by_id": str(request.resolved_by_id),
            "decided_at": request.resolved_at.isoformat(),
        },
    )


def _keep(request: AttentionRequest, choice: _Choice) -> None:
    LateDecision.objects.create(
        request=request,
        option=choice.option,
        note=choice.note,
        decided_by_id=choice.user_id,
        created_at=choice.now,
    )


def _current(request: AttentionRequest) -> dict[str, Any]:
    return {
        "request_id": str(request.pk),
        "revision": request.revision,
        "payload_hash": request.payload_hash,
    }
