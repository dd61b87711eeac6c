"""Missions for the members of a team: to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from missions.cards import badge_of
from missions.models import MissionStatus
from missions.selectors import (
    find_mission,
    list_missions,
    tasks_of,
    visible_conversation,
)
from missions.services.pending import (
    NotPending,
    PendingChanged,
    content_hash,
    settle_pending_mission,
)
from missions.web.changes import changes_of
from missions.web.queries import chosen, search_words
from tooling.errors import InvalidInput
from tooling.policy import Act, allows
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    import uuid

    from django.http import HttpResponse

    from tooling.web.tenant import TenantRequest


@tenant_view()
@require_safe
def show_missions(request: TenantRequest) -> HttpResponse:
    """List the Missions, newest first, by status and words."""
    status = chosen(request, "status", MissionStatus.values)
    query = search_words(request)
    page = list_missions(
        principal=request.principal,
        status=status,
        search=query,
        cursor=request.GET.get("cursor", ""),
    )
    context = {
        "rows": [(mission, badge_of(mission)) for mission in page.items],
        "next_cursor": page.next_cursor,
        "statuses": MissionStatus.choices,
        "status": status,
        "query": query,
        "may_raise": allows(request.principal, Act.RAISE),
    }
    return render(request, "missions/mission_list.html", context)


@tenant_view()
@require_safe
def show_mission(request: TenantRequest, *, mission_id: uuid.UUID) -> HttpResponse:
    """Show one Mission with its tasks and where it came from."""
    mission = find_mission(principal=request.principal, mission_id=mission_id)
    source = mission.source_request
    conversation = visible_conversation(
        principal=request.principal, conversation_id=mission.origin_conversation
    )
    may_settle = mission.status == MissionStatus.PENDING and allows(
        request.principal, Act.DECIDE
    )
    context = {
        "mission": mission,
        "badge": badge_of(mission),
        "tasks": tasks_of(principal=request.principal, mission_id=mission.pk),
        "source": source,
        "draft": getattr(source, "draft", None),
        "conversation": conversation,
        "changes": changes_of(principal=request.principal, mission=mission),
        "may_settle": may_settle,
        "shown": content_hash(mission) if may_settle else "",
    }
    return render(request, "missions/mission.html", context)


@tenant_view(act=Act.DECIDE)
@require_POST
def settle(request: TenantRequest, *, mission_id: uuid.UUID) -> HttpResponse:
    """Approve a pending Mission or refuse it, as the button says."""
    approve = request.POST.get("choice") == "approve"
    if not approve and request.POST.get("choice") != "refuse":
        raise InvalidInput(field="choice")
    try:
        settle_pending_mission(
            principal=request.principal,
            mission_id=mission_id,
            approve=approve,
            shown=request.POST.get("shown", ""),
            now=timezone.now(),
        )
    except (NotPending, PendingChanged) as error:
        messages.info(request, str(error))
    return redirect("missions:mission", request.tenant.slug, mission_id)
