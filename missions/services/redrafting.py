"""Put other steps into an unpublished draft: the part that people and models share.

A draft says what its proposal showed until somebody edits it; the request then shows
“edited since”. Nothing here publishes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from decisions.kinds import ApprovalOption
from decisions.models import RequestState
from decisions.services.telling import refresh_card
from missions.models import WorkflowDraft, WorkflowVersion
from missions.selectors import find_draft
from missions.specification import one_line
from missions.workflow.graph import Graph, build_graph
from tooling.boundary import payload_hash
from tooling.errors import Conflict, NotFound
from tooling.services.audit import record_act

if TYPE_CHECKING:
    import datetime as dt
    import uuid
    from collections.abc import Sequence

    from missions.makers import Origin
    from tooling.policy import Principal

CLOSED = (RequestState.EXPIRED, RequestState.WITHDRAWN, RequestState.SUPERSEDED)


class DraftChanged(Conflict):
    """Somebody has edited the draft since this page was loaded."""

    code = "draft_changed"
    field = "edit_version"
    message = _(
        "Somebody has edited this draft in the meantime. Load it again; what you "
        "wrote was not saved."
    )


class DraftPublished(Conflict):
    """A version of the draft is published; people alone go on from there."""

    code = "draft_published"
    message = _(
        "This draft has been published, so a conversation does not change it any "
        "more. A person edits it on its page."
    )


class DraftClosed(Conflict):
    """The proposal that brought the draft came to nothing."""

    code = "draft_closed"
    message = _(
        "The proposal of this draft was rejected, withdrawn, replaced or has expired, "
        "so its draft is not changed any more. Raise a new proposal instead."
    )


def rewrite_draft(
    *,
    principal: Principal,
    origin: Origin,
    draft_id: uuid.UUID,
    edit_version: int,
    steps: Sequence[Any],
    title: str | None = None,
    now: dt.datetime,
) -> WorkflowDraft:
    """Replace an unpublished draft's steps by a sound plan; return its new version.

    For what a conversation asks for: the draft must be one that the principal may
    see. Rights are the caller's to check. Raises `NotFound`, `DraftPublished`,
    `DraftClosed`, `DraftChanged`, `InvalidGraph`, `UnusablePlan`, `InvalidInput`.
    """
    graph = build_graph({"steps": list(steps)})
    find_draft(principal=principal, draft_id=draft_id)
    with transaction.atomic():
        draft = lock_draft(tenant_id=principal.tenant_id, draft_id=draft_id)
        check_rewritable(draft)
        save_graph(
            principal=principal,
            draft=draft,
            edit_version=edit_version,
            title=draft.title if title is None else title,
            graph=graph,
            facts=origin.facts(),
            now=now,
        )
        if draft.source_request is not None:
            refresh_card(request=draft.source_request, now=now)
    return draft


def check_rewritable(draft: WorkflowDraft) -> None:
    """Raise the reason why a conversation may not change a draft now."""
    if WorkflowVersion.objects.filter(draft=draft).exists():
        raise DraftPublished
    request = draft.source_request
    if request is None:
        return
    is_rejected = request.resolved_option == ApprovalOption.REJECT
    if is_rejected or request.state in CLOSED:
        raise DraftClosed(extra={"state": request.state})


def lock_draft(*, tenant_id: uuid.UUID, draft_id: uuid.UUID) -> WorkflowDraft:
    """Return a draft of the tenant, its row locked, or raise `NotFound`."""
    found = (
        WorkflowDraft.objects.select_for_update()
        .filter(tenant_id=tenant_id, pk=draft_id)
        .first()
    )
    if found is None:
        raise NotFound
    return found


def save_graph(
    *,
    principal: Principal,
    draft: WorkflowDraft,
    edit_version: int,
    title: str,
    graph: Graph,
    facts: dict[str, str] | None = None,
    now: dt.datetime,
) -> None:
    """Write title and steps over the version that the writer saw, with an audit row.

    Runs inside the caller's `atomic()`; `draft` is locked and read anew. Raises
    `DraftChanged`.
    """
    content = graph.to_json()
    changes = {
        "title": one_line(title, field="title"),
        "graph": content,
        "is_placeholder": graph.placeholder,
        "content_hash": payload_hash(content),
    }
    before = {name: getattr(draft, name) for name in ("title", "graph", "content_hash")}
    rows = WorkflowDraft.objects.filter(pk=draft.pk, edit_version=edit_version)
    if not rows.update(edit_version=F("edit_version") + 1, updated_at=now, **changes):
        raise DraftChanged(extra={"edit_version": draft.edit_version})
    record_act(
        principal=principal,
        action="workflow_draft.edited",
        target_type="workflow_draft",
        target_id=draft.pk,
        before=before,
        after={**{name: changes[name] for name in before}, **(facts or {})},
    )
    draft.refresh_from_db()
