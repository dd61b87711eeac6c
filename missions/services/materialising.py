"""Materialise: from an approval to its one Mission, whatever happens in between.

The approved request without a Mission is itself the outbox; the task, the sweep and
a person's retry all call `materialise()`. It re-checks what was approved, never the
gates of the chat, and creates, links and tells in one transaction.
"""

from __future__ import annotations

import datetime as dt
import enum
import logging
import uuid

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from decisions.kinds import ApprovalOption
from decisions.models import (
    AttentionRequest,
    MakerKind,
    RequestKind,
    RequestState,
    Resolution,
)
from decisions.services.telling import refresh_card, tell_conversation
from dialogue.models import Conversation
from missions.makers import Maker, Origin
from missions.models import (
    Materialisation,
    MaterialisationState,
    Mission,
    WorkflowDraft,
)
from missions.services.creating import create_mission
from missions.specification import MissionSpec
from tooling.boundary import clean_text, payload_hash
from tooling.errors import Conflict, DomainError, NotFound
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act

log = logging.getLogger(__name__)

SUBJECT = "mission"
BATCH = 50
# With a sweep every 15 s, a Mission follows within 60 s once the fault is gone.
FIRST_WAIT_SECONDS = 5
LONGEST_WAIT_SECONDS = 30


class NotApproved(Conflict):
    """Nothing follows from a request that nobody approved."""

    code = "not_approved"
    message = gettext_lazy(
        "This request is not approved, so there is nothing to create."
    )


class Problem(enum.StrEnum):
    """In which respect what was approved does not hold any more."""

    NO_RESOLUTION = "no_resolution"
    CONTENT_CHANGED = "content_changed"
    DRAFT_MISSING = "draft_missing"
    TENANT_DIFFERS = "tenant_differs"
    PAYLOAD_INVALID = "payload_invalid"


class Blocked(Exception):
    """An approval that a re-check does not let through; a person must act."""

    def __init__(self, problem: Problem, detail: str = "") -> None:
        self.problem = problem
        self.detail = detail
        super().__init__(problem)


def materialise(*, request_id: uuid.UUID, now: dt.datetime) -> Materialisation:
    """Create the Mission of an approved request unless it is there already.

    Safe to call any number of times, from anywhere, at once. Returns the row that
    says what came of it: created, blocked (a person must act) or erring (tried again
    at `next_try_at`). Raises `NotFound` and `NotApproved`.
    """
    try:
        with transaction.atomic():
            return _attempt(request_id=request_id, now=now)
    except (NotFound, NotApproved):
        raise
    except Blocked as blocked:
        return _record_failure(
            request_id=request_id,
            state=MaterialisationState.BLOCKED,
            code=blocked.problem.value,
            detail=blocked.detail,
            now=now,
        )
    except Exception as error:
        # Whatever it is, it is shown on the request and tried again.
        if not isinstance(error, IntegrityError):
            log.exception("materialising failed", extra={"request": str(request_id)})
        return _record_failure(
            request_id=request_id,
            state=MaterialisationState.ERRING,
            code=type(error).__name__[:60],
            detail=str(error),
            now=now,
        )


def _attempt(*, request_id: uuid.UUID, now: dt.datetime) -> Materialisation:
    request = _locked(request_id)
    found = Mission.objects.filter(source_request=request).first()
    if found is not None:
        return _record_created(request, found, now=now)
    mission = create_mission(
        maker=Maker(
            request.tenant_id, MakerKind(request.maker_kind), request.requested_by_id
        ),
        origin=_origin(request),
        spec=_recheck(request),
        source_request=request,
        payload_hash=request.payload_hash,
        now=now,
    )
    row = _record_created(request, mission, now=now)
    refresh_card(request=request, now=now)
    tell_conversation(
        request=request,
        kind="mission",
        sentence=lambda: (
            _("The Mission “%(title)s” was created.") % {"title": mission.title}
        ),
        facts={"mission": str(mission.pk), "status": str(mission.status)},
        cards=[{"kind": "mission", "id": str(mission.pk)}],
        now=now,
    )
    return row


def _locked(request_id: uuid.UUID) -> AttentionRequest:
    """Lock an approved request. Raises `NotFound` and `NotApproved`."""
    request = (
        AttentionRequest.objects.select_for_update(of=("self",))
        .filter(pk=request_id, subject=SUBJECT)
        .first()
    )
    if request is None:
        raise NotFound
    if not is_approved(request):
        raise NotApproved(extra={"state": request.state})
    return request


def is_approved(request: AttentionRequest) -> bool:
    """Tell whether the row says that a Mission is to follow."""
    return (
        request.kind == RequestKind.APPROVAL
        and request.state == RequestState.RESOLVED
        and request.resolved_option == ApprovalOption.APPROVE
    )


def _origin(request: AttentionRequest) -> Origin | None:
    if request.origin_conversation is None:
        return None
    return Origin(
        request.origin_conversation, request.origin_message, request.origin_turn
    )


def _recheck(request: AttentionRequest) -> MissionSpec:
    """Return what was approved, or raise `Blocked` if it is not what stands there."""
    resolution = Resolution.objects.filter(request=request).first()
    if resolution is None or resolution.option != request.resolved_option:
        raise Blocked(Problem.NO_RESOLUTION)
    shown = (resolution.revision, resolution.payload_hash)
    if shown != (request.revision, request.payload_hash):
        raise Blocked(Problem.CONTENT_CHANGED)
    if payload_hash(request.payload) != request.payload_hash:
        raise Blocked(Problem.CONTENT_CHANGED)
    draft = WorkflowDraft.objects.filter(source_request=request).first()
    if draft is None:
        raise Blocked(Problem.DRAFT_MISSING)
    if draft.tenant_id != request.tenant_id or _is_foreign_origin(request):
        raise Blocked(Problem.TENANT_DIFFERS)
    try:
        return MissionSpec.from_payload(request.payload["mission"])
    except (DomainError, KeyError, TypeError) as error:
        raise Blocked(Problem.PAYLOAD_INVALID, str(error)) from error


def _is_foreign_origin(request: AttentionRequest) -> bool:
    if request.origin_conversation is None:
        return False
    return (
        Conversation.objects.filter(pk=request.origin_conversation)
        .exclude(tenant_id=request.tenant_id)
        .exists()
    )


def _record_created(
    request: AttentionRequest, mission: Mission, *, now: dt.datetime
) -> Materialisation:
    row = Materialisation.objects.filter(request=request).first()
    if row is not None and row.state == MaterialisationState.CREATED:
        return row
    row = row or Materialisation(request=request)
    row.state = MaterialisationState.CREATED
    row.mission = mission
    row.attempts += 1
    row.next_try_at = None
    row.error_code = row.error_detail = ""
    row.updated_at = now
    row.save()
    return row


@transaction.atomic
def _record_failure(
    *,
    request_id: uuid.UUID,
    state: MaterialisationState,
    code: str,
    detail: str,
    now: dt.datetime,
) -> Materialisation:
    """Say on the request what went wrong, after the attempt was rolled back."""
    request = _locked(request_id)
    found = Mission.objects.filter(source_request=request).first()
    if found is not None:
        # Somebody else did it in between: that is success.
        return _record_created(request, found, now=now)
    row = Materialisation.objects.filter(request=request).first()
    row = row or Materialisation(request=request)
    before = (row.state, row.error_code)
    row.attempts += 1
    row.state = state
    row.error_code, row.error_detail = code, clean_text(detail)[:500]
    row.next_try_at = (
        None
        if state == MaterialisationState.BLOCKED
        else now + dt.timedelta(seconds=wait_seconds(row.attempts))
    )
    row.updated_at = now
    row.save()
    if before != (row.state, row.error_code):
        refresh_card(request=request, now=now)
    return row


def wait_seconds(attempts: int) -> int:
    """Return how long to wait after so many failed attempts."""
    doublings = min(max(attempts - 1, 0), 10)
    return min(FIRST_WAIT_SECONDS << doublings, LONGEST_WAIT_SECONDS)


def sweep_materialisations(*, now: dt.datetime) -> int:
    """Attempt every approved request without a Mission that is due; oldest first.

    Returns how many rows changed state for the better or were found blocked.
    """
    fresh = Q(materialisation__isnull=True)
    again = Q(
        materialisation__state=MaterialisationState.ERRING,
        materialisation__next_try_at__lte=now,
    )
    due = (
        AttentionRequest.objects.filter(
            fresh | again,
            subject=SUBJECT,
            kind=RequestKind.APPROVAL,
            state=RequestState.RESOLVED,
            resolved_option=ApprovalOption.APPROVE,
            mission__isnull=True,
        )
        .order_by("resolved_at", "pk")
        .values_list("pk", flat=True)[:BATCH]
    )
    return sum(_try_one(request_id=key, now=now) for key in list(due))


def _try_one(*, request_id: uuid.UUID, now: dt.datetime) -> bool:
    """Attempt one for the sweep; tell whether it is settled now."""
    try:
        row = materialise(request_id=request_id, now=now)
    except Exception:
        # The next one may well succeed; this one is found again.
        log.exception("sweep could not materialise", extra={"request": str(request_id)})
        return False
    return str(row.state) != MaterialisationState.ERRING.value


def retry_materialisation(
    *, principal: Principal, request_id: uuid.UUID, now: dt.datetime
) -> Materialisation:
    """Attempt again at a person's wish; needs no second decision.

    Raises `NotAllowed`, `NotFound` and `NotApproved`.
    """
    require(principal, Act.DECIDE)
    known = AttentionRequest.objects.filter(
        pk=request_id, tenant_id=principal.tenant_id, subject=SUBJECT
    )
    if not known.exists():
        raise NotFound
    row = materialise(request_id=request_id, now=now)
    record_act(
        principal=principal,
        action="materialisation.retried",
        target_type="request",
        target_id=request_id,
        after={"state": str(row.state), "error_code": row.error_code},
    )
    return row
