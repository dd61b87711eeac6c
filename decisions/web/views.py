"""The tenant's requests for its members: to read, and to withdraw one's own."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from decisions.cards import cards_of, decision_page
from decisions.models import RequestState
from decisions.presenting import present
from decisions.selectors import queue, request_for
from decisions.services.closing import withdraw_request
from tooling.policy import Act, allows
from tooling.web.tenant import TenantRequest, tenant_view


@require_safe
@tenant_view()
def show_queue(request: TenantRequest) -> HttpResponse:
    """List the requests, open ones unless another state is asked for."""
    state = request.GET.get("state", RequestState.OPEN.value)
    if state not in {*RequestState.values, "all"}:
        state = RequestState.OPEN.value
    page = queue(
        principal=request.principal,
        state="" if state == "all" else state,
        search=request.GET.get("q", "")[:200].replace("\x00", ""),
        cursor=request.GET.get("cursor", ""),
    )
    context = {
        "cards": cards_of(requests=page.items, principal=request.principal),
        "next_cursor": page.next_cursor,
        "state": state,
        "states": [*RequestState.choices, ("all", _("All"))],
        "query": request.GET.get("q", "")[:200],
        "may_decide": allows(request.principal, Act.DECIDE),
    }
    return render(request, "decisions/queue.html", context)


@require_safe
@tenant_view()
def show_request(request: TenantRequest, *, request_id: uuid.UUID) -> HttpResponse:
    """Show one request whole, to read."""
    row = request_for(principal=request.principal, request_id=request_id)
    view = present(request=row, principal=request.principal)
    [card] = cards_of(requests=[row], principal=request.principal)
    may_decide = allows(request.principal, Act.DECIDE)
    context = {
        "view": view,
        "card": card,
        "decide_url": decision_page(row.pk) if may_decide else "",
    }
    return render(request, "decisions/request.html", context)


@require_POST
@tenant_view(act=Act.RAISE)
def withdraw(request: TenantRequest, *, request_id: uuid.UUID) -> HttpResponse:
    """Take back one's own open request."""
    row = withdraw_request(
        principal=request.principal, request_id=request_id, now=timezone.now()
    )
    messages.info(request, _("Withdrawn. Nobody will be asked to decide on it."))
    if row.origin_conversation is not None and "from_chat" in request.POST:
        return redirect("dialogue:chat", request.tenant.slug, row.origin_conversation)
    return redirect("decisions:request", request.tenant.slug, row.pk)
