"""Suggestions: ideas that reached no proposal, listed and reviewed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from missions.cards import propose_url
from missions.models import SuggestionStatus
from missions.selectors import list_suggestions
from missions.services.suggestions import dismiss_suggestion, explain_reason
from missions.web.queries import chosen
from tooling.policy import Act, allows
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    import uuid

    from django.http import HttpResponse

    from tooling.web.tenant import TenantRequest

ALL = "all"


@tenant_view()
@require_safe
def show_suggestions(request: TenantRequest) -> HttpResponse:
    """List suggestions, open ones unless another status is asked for."""
    choices = [*SuggestionStatus.values, ALL]
    status = chosen(request, "status", choices, default=SuggestionStatus.OPEN)
    page = list_suggestions(
        principal=request.principal,
        status="" if status == ALL else status,
        cursor=request.GET.get("cursor", ""),
    )
    slug = request.tenant.slug
    context = {
        "rows": [
            {
                "row": row,
                "why": explain_reason(row),
                "is_open": row.status == SuggestionStatus.OPEN,
                "propose_url": propose_url(slug, row),
            }
            for row in page.items
        ],
        "next_cursor": page.next_cursor,
        "statuses": [*SuggestionStatus.choices, (ALL, _("All"))],
        "status": status,
        "may_raise": allows(request.principal, Act.RAISE),
        "may_triage": allows(request.principal, Act.TRIAGE),
    }
    return render(request, "missions/suggestions.html", context)


@tenant_view(act=Act.TRIAGE)
@require_POST
def dismiss(request: TenantRequest, *, suggestion_id: uuid.UUID) -> HttpResponse:
    """Put a suggestion aside."""
    dismiss_suggestion(
        principal=request.principal, suggestion_id=suggestion_id, now=timezone.now()
    )
    messages.info(request, _("Dismissed. It stays in the list of all suggestions."))
    return redirect("missions:suggestions", request.tenant.slug)
