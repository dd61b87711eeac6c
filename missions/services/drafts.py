"""Edit a workflow draft: a person completes what a proposal left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from missions.models import WorkflowDraft
from missions.services.proposing import create_draft
from missions.specification import one_line
from missions.workflow.graph import Graph, parse_graph
from tooling.boundary import check_json, payload_hash
from tooling.errors import Conflict, NotFound
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act

if TYPE_CHECKING:
    import datetime as dt
    import uuid
    from collections.abc import Sequence

    from decisions.models import AttentionRequest


class DraftChanged(Conflict):
    """Somebody has edited the draft since this page was loaded."""

    code = "draft_changed"
    field = "edit_version"
    message = _(
        "Somebody has edited this draft in the meantime. Load it again; what you "
        "wrote was not saved."
    )


def edit_draft(
    *,
    principal: Principal,
    draft_id: uuid.UUID,
    edit_version: int,
    title: str,
    steps: Sequence[Any],
    placeholder: bool = False,
    now: dt.datetime,
) -> WorkflowDraft:
    """Replace a draft's title and steps, and return it with its new version.

    Steps need the form of steps only: what keeps them from being published is shown,
    not refused. `placeholder` keeps the mark. Blocks no decision; a request shows
    that its draft was edited since. Raises `NotFound`, `DraftChanged`,
    `InvalidGraph`, `InvalidInput`.
    """
    require(principal, Act.PUBLISH)
    check_json(list(steps), field="steps")
    graph = parse_graph({"steps": list(steps), "placeholder": placeholder})
    content = graph.to_json()
    changes = {
        "title": one_line(title, field="title"),
        "graph": content,
        "is_placeholder": graph.placeholder,
        "content_hash": payload_hash(content),
    }
    with transaction.atomic():
        draft = find_own_draft(principal=principal, draft_id=draft_id)
        rows = WorkflowDraft.objects.filter(pk=draft.pk, edit_version=edit_version)
        moved = rows.update(
            edit_version=F("edit_version") + 1, updated_at=now, **changes
        )
        if not moved:
            raise DraftChanged(extra={"edit_version": draft.edit_version})
        record_act(
            principal=principal,
            action="workflow_draft.edited",
            target_type="workflow_draft",
            target_id=draft.pk,
            before={"content_hash": draft.content_hash, "title": draft.title},
            after={"content_hash": changes["content_hash"], "title": changes["title"]},
        )
        draft.refresh_from_db()
    return draft


def find_own_draft(*, principal: Principal, draft_id: uuid.UUID) -> WorkflowDraft:
    """Return a draft of the tenant, its row locked, or raise `NotFound`."""
    found = (
        WorkflowDraft.objects.select_for_update()
        .filter(tenant_id=principal.tenant_id, pk=draft_id)
        .first()
    )
    if found is None:
        raise NotFound
    return found


def follow_edit(
    *, old: AttentionRequest, new: AttentionRequest, now: dt.datetime
) -> None:
    """Give an operator's new revision of a request the draft that it shows."""
    graph: Graph = parse_graph(new.payload["workflow"]["graph"])
    create_draft(request=new, graph=graph, now=now)
