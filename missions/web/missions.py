"""Missions for the members of a team: to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from missions.cards import badge_of
from missions.models import MissionStatus
from missions.selectors import (
    find_mission,
    list_missions,
    tasks_of,
    visible_conversation,
)
from missions.web.queries import chosen, search_words
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
    context = {
        "mission": mission,
        "badge": badge_of(mission),
        "tasks": tasks_of(principal=request.principal, mission_id=mission.pk),
        "source": source,
        "draft": getattr(source, "draft", None),
        "conversation": conversation,
    }
    return render(request, "missions/mission.html", context)
