"""Edit a workflow draft: a person completes what a proposal left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from missions.services.proposing import create_draft
from missions.services.redrafting import lock_draft, save_graph
from missions.workflow.graph import Graph, parse_graph
from tooling.boundary import check_json
from tooling.policy import Act, Principal, require

if TYPE_CHECKING:
    import datetime as dt
    import uuid
    from collections.abc import Sequence

    from decisions.models import AttentionRequest
    from missions.models import WorkflowDraft


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
    with transaction.atomic():
        draft = lock_draft(tenant_id=principal.tenant_id, draft_id=draft_id)
        save_graph(
            principal=principal,
            draft=draft,
            edit_version=edit_version,
            title=title,
            graph=graph,
            now=now,
        )
    return draft


def follow_edit(
    *, old: AttentionRequest, new: AttentionRequest, now: dt.datetime
) -> None:
    """Give an operator's new revision of a request the draft that it shows."""
    graph: Graph = parse_graph(new.payload["workflow"]["graph"])
    create_draft(request=new, graph=graph, now=now)
