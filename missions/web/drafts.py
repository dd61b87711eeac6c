"""Workflow drafts: everybody reads; operators edit and publish."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from missions.cards import draft_status
from missions.selectors import (
    find_draft,
    find_version,
    list_drafts,
    versions_of,
    visible_conversation,
)
from missions.services.drafts import edit_draft
from missions.services.publishing import blocking_request, publish_draft
from missions.services.redrafting import DraftChanged
from missions.subject import is_edited
from missions.web.steps import StepRow, read_rows, rows_of, steps_from
from missions.workflow.graph import KINDS, parse_graph
from missions.workflow.picture import draw_graph, kind_label
from missions.workflow.validation import publish_problems
from tooling.errors import DomainError, NotAllowed, NotFound
from tooling.policy import Act, allows
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    import uuid

    from django.http import HttpResponse

    from missions.models import WorkflowDraft
    from tooling.web.tenant import TenantRequest


@tenant_view()
@require_safe
def show_drafts(request: TenantRequest) -> HttpResponse:
    """List the workflow drafts, newest first."""
    page = list_drafts(
        principal=request.principal, cursor=request.GET.get("cursor", "")
    )
    rows = [
        (draft, draft_status(draft, published=bool(draft.version_count)))  # type: ignore[attr-defined]
        for draft in page.items
    ]
    context = {
        "rows": rows,
        "next_cursor": page.next_cursor,
        "may_raise": allows(request.principal, Act.RAISE),
    }
    return render(request, "missions/draft_list.html", context)


@tenant_view()
@require_safe
def show_draft(request: TenantRequest, *, draft_id: uuid.UUID) -> HttpResponse:
    """Show a draft: picture, what blocks it, and for operators the form."""
    draft = find_draft(principal=request.principal, draft_id=draft_id)
    return _page(request, draft)


@tenant_view(act=Act.PUBLISH)
@require_POST
def edit(request: TenantRequest, *, draft_id: uuid.UUID) -> HttpResponse:
    """Save the rows of the form; “more rows” only shows it again."""
    rows = read_rows(request.POST)
    title = request.POST.get("title", "")
    placeholder = "placeholder" in request.POST
    draft = find_draft(principal=request.principal, draft_id=draft_id)
    kept: dict[str, Any] = {"title": title, "rows": rows, "placeholder": placeholder}
    if "more" in request.POST:
        return _page(request, draft, **kept)
    try:
        edit_draft(
            principal=request.principal,
            draft_id=draft_id,
            edit_version=_version(request),
            title=title,
            steps=steps_from(rows),
            placeholder=placeholder,
            now=timezone.now(),
        )
    except (NotFound, NotAllowed):
        raise
    except DomainError as error:
        return _page(request, draft, error=error, **kept)
    messages.success(request, _("Saved. The draft is not published by this."))
    return redirect("missions:draft", request.tenant.slug, draft_id)


@tenant_view(act=Act.PUBLISH)
@require_POST
def publish(request: TenantRequest, *, draft_id: uuid.UUID) -> HttpResponse:
    """Publish what the page showed."""
    draft = find_draft(principal=request.principal, draft_id=draft_id)
    try:
        published = publish_draft(
            principal=request.principal,
            draft_id=draft_id,
            edit_version=_version(request),
            now=timezone.now(),
        )
    except (NotFound, NotAllowed):
        raise
    except DomainError as error:
        return _page(request, draft, error=error)
    if published.created:
        text = _("Published as version %(number)s.")
    else:
        text = _("This is published already, as version %(number)s.")
    messages.success(request, text % {"number": published.version.number})
    return redirect("missions:draft", request.tenant.slug, draft_id)


@tenant_view()
@require_safe
def show_version(
    request: TenantRequest, *, draft_id: uuid.UUID, number: int
) -> HttpResponse:
    """Show a published version, which never changes."""
    draft = find_draft(principal=request.principal, draft_id=draft_id)
    version = find_version(draft=draft, number=number)
    graph = parse_graph(version.graph)
    context = {
        "draft": draft,
        "version": version,
        "picture": draw_graph(graph, title=version.title),
        "rows": rows_of(graph, blank=0),
    }
    return render(request, "missions/version.html", context)


def _version(request: TenantRequest) -> int:
    try:
        return int(request.POST.get("edit_version", ""))
    except ValueError as error:
        raise DraftChanged from error


def _page(
    request: TenantRequest,
    draft: WorkflowDraft,
    *,
    error: DomainError | None = None,
    title: str | None = None,
    rows: list[StepRow] | None = None,
    placeholder: bool | None = None,
) -> HttpResponse:
    graph = parse_graph(draft.graph)
    source = draft.source_request
    blocked = blocking_request(source)
    problems = publish_problems(graph)
    may_publish = allows(request.principal, Act.PUBLISH)
    context: dict[str, Any] = {
        "draft": draft,
        "status": draft_status(draft, published=bool(draft.version_count)),  # type: ignore[attr-defined]
        "picture": draw_graph(graph, title=draft.title) if graph.steps else "",
        "steps": rows_of(graph, blank=0),
        "problems": problems,
        "blocked": blocked,
        "is_ready": not problems and blocked is None,
        "source": source,
        "edited_since": source is not None and is_edited(draft, source),
        "conversation": visible_conversation(
            principal=request.principal, conversation_id=draft.origin_conversation
        ),
        "versions": versions_of(draft=draft),
        "may_publish": may_publish,
        "error": error,
        "title": draft.title if title is None else title,
        "rows": rows_of(graph) if rows is None else rows,
        "placeholder": draft.is_placeholder if placeholder is None else placeholder,
        "kinds": [(kind, kind_label(kind)) for kind in KINDS],
    }
    status = HTTPStatus.OK if error is None else error.status
    return render(request, "missions/draft.html", context, status=status)
