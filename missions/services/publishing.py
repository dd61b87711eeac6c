"""Publish a workflow draft: an act of its own, never a consequence of approval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from decisions.kinds import ApprovalOption
from decisions.models import AttentionRequest, RequestState
from missions.models import WorkflowDraft, WorkflowVersion
from missions.services.redrafting import DraftChanged, lock_draft
from missions.workflow.graph import parse_graph
from missions.workflow.validation import publish_problems
from tooling.errors import Conflict
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act

if TYPE_CHECKING:
    import datetime as dt
    import uuid


class RequestStillOpen(Conflict):
    """The proposal that brought the draft waits for a decision."""

    code = "request_open"
    message = _("The proposal of this draft waits for a decision. Decide it first.")


class RequestNotApproved(Conflict):
    """The proposal that brought the draft was not approved."""

    code = "request_not_approved"
    message = _(
        "The proposal of this draft was not approved, so the draft cannot be "
        "published. Raise a new proposal instead."
    )


class NotPublishable(Conflict):
    """The steps are not ready; `extra["problems"]` lists every reason."""

    code = "not_publishable"
    field = "steps"
    message = _("These steps cannot be published yet. Mend what is listed first.")


@dataclass(frozen=True, slots=True)
class Published:
    """The version, and whether this call made it."""

    version: WorkflowVersion
    created: bool


def publish_draft(
    *,
    principal: Principal,
    draft_id: uuid.UUID,
    edit_version: int,
    now: dt.datetime,
) -> Published:
    """Publish a draft as a new immutable version, and keep the draft.

    The same content again gives the version that stands. Raises `NotFound`,
    `DraftChanged`, `RequestStillOpen`, `RequestNotApproved`, `NotPublishable`.
    """
    require(principal, Act.PUBLISH)
    assert principal.user_id is not None  # noqa: S101 -- policy saw to it
    with transaction.atomic():
        draft = lock_draft(tenant_id=principal.tenant_id, draft_id=draft_id)
        if draft.edit_version != edit_version:
            raise DraftChanged(extra={"edit_version": draft.edit_version})
        check_publishable(draft)
        last = WorkflowVersion.objects.filter(draft=draft).order_by("-number").first()
        if last and (last.content_hash, last.title) == (
            draft.content_hash,
            draft.title,
        ):
            return Published(last, created=False)
        version = WorkflowVersion.objects.create(
            tenant_id=draft.tenant_id,
            draft=draft,
            number=last.number + 1 if last else 1,
            title=draft.title,
            graph=draft.graph,
            content_hash=draft.content_hash,
            published_by_id=principal.user_id,
            published_at=now,
        )
        record_act(
            principal=principal,
            action="workflow.published",
            target_type="workflow_draft",
            target_id=draft.pk,
            after={"version": version.number, "content_hash": version.content_hash},
        )
    return Published(version, created=True)


def check_publishable(draft: WorkflowDraft) -> None:
    """Raise the reason why a draft may not be published now."""
    blocked = blocking_request(draft.source_request)
    if blocked is not None:
        raise blocked
    problems = publish_problems(parse_graph(draft.graph))
    if problems:
        raise NotPublishable(
            extra={"problems": [problem.to_json() for problem in problems]}
        )


def blocking_request(request: AttentionRequest | None) -> Conflict | None:
    """Return why the draft's proposal stands in the way; approved never moves back."""
    if request is None:
        return None
    if request.state == RequestState.OPEN:
        return RequestStillOpen()
    approved = request.resolved_option == ApprovalOption.APPROVE
    return None if approved else RequestNotApproved()
