"""The older bridge's tools: a Mission that waits, and what became of what was asked."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _

from decisions.cards import state_code, state_label
from decisions.kinds import find_subject
from decisions.models import AttentionRequest
from decisions.selectors import visible_requests
from missions.makers import Maker, Origin
from missions.models import FINISHED_MISSIONS, Mission, MissionTask
from missions.selectors import find_mission, missions_of, tasks_of
from missions.services.proposing_pending import propose_pending_mission
from missions.specification import MAX_TASKS, MissionSpec
from missions.tools.arguments import Key, SpecificationArguments
from missions.tools.rows import mission_row
from tooling.errors import NotFound
from tooling.listing import excerpt, key_of
from tooling.registry import (
    CardRef,
    ToolArguments,
    ToolContext,
    ToolResult,
    register_tool,
)
from tooling.tiers import Tier

MAX_LISTED = 20
MAX_OUTCOME = 800


class CheckArguments(ToolArguments):
    """A proposal's or a Mission's id; without one, all of this conversation."""

    id: Key | None = None


class ResultsArguments(ToolArguments):
    """One Mission."""

    id: Key


@register_tool(
    name="dialogue_propose_mission",
    tier=Tier.PROPOSE,
    arguments=SpecificationArguments,
    description=(
        "Create a pending Mission at once, for a person to approve on its page. It "
        "does not run and has no workflow. Only when the person asks for a pending "
        "Mission by that name; for a feature or a change call mission_propose."
    ),
)
def dialogue_propose_mission(
    *, context: ToolContext, arguments: SpecificationArguments
) -> ToolResult:
    """Create one pending Mission."""
    proposed = propose_pending_mission(
        maker=Maker.of(context.principal),
        origin=Origin.of(context),
        spec=MissionSpec.check(**arguments.model_dump()),
        now=context.now,
    )
    mission = proposed.mission
    data = {**mission_row(mission), "created": proposed.created}
    return ToolResult(data, cards=(CardRef("mission", mission.pk),))


@register_tool(
    name="dialogue_check_mission",
    tier=Tier.READ,
    arguments=CheckArguments,
    description=(
        "Check where a proposal or Mission of this conversation stands: awaiting a "
        "decision, changes requested, rejected, expired, withdrawn, approved with the "
        "Mission's id, or blocked, and the Mission's own status."
    ),
)
def dialogue_check_mission(
    *, context: ToolContext, arguments: CheckArguments
) -> ToolResult:
    """Check one, or list all."""
    if arguments.id is None:
        return _check_all(context)
    key = key_of(arguments.id)
    request = _requests(context).filter(pk=key).first()
    mission = _missions(context).filter(pk=key).first()
    if request is None and mission is None:
        raise NotFound(field="id")
    if request is not None:
        card = CardRef("proposal", request.pk)
        return ToolResult(_of_request(request), cards=(card,))
    assert mission is not None  # noqa: S101 -- one of the two was found
    return ToolResult(_of_mission(mission), cards=(CardRef("mission", mission.pk),))


def _check_all(context: ToolContext) -> ToolResult:
    newest = ("-created_at", "-id")
    requests = list(_requests(context).order_by(*newest)[:MAX_LISTED])
    shown = {request.pk for request in requests}
    missions = [
        mission
        for mission in _missions(context).order_by(*newest)[:MAX_LISTED]
        if mission.source_request_id not in shown
    ]
    items = [_of_request(row) for row in requests] + [_of_mission(m) for m in missions]
    return ToolResult({"items": items})


def _requests(context: ToolContext) -> Any:
    rows = visible_requests(principal=context.principal)
    return rows.filter(origin_conversation=context.conversation_id)


def _missions(context: ToolContext) -> Any:
    rows = missions_of(principal=context.principal)
    return rows.filter(origin_conversation=context.conversation_id)


def _of_request(request: AttentionRequest) -> dict[str, Any]:
    after = find_subject(request.subject).aftermaths([request]).get(request.pk)
    code = state_code(request, after)
    mission = Mission.objects.filter(source_request=request).first()
    resolution = getattr(request, "resolution", None)
    return {
        "id": str(request.pk),
        "kind": str(request.kind),
        "title": request.title,
        "status": code,
        "label": state_label(code),
        "note": excerpt(resolution.note, limit=MAX_OUTCOME) if resolution else "",
        "advice": after.advice if after else "",
        "mission": _of_mission(mission) if mission else None,
    }


def _of_mission(mission: Mission) -> dict[str, Any]:
    return {
        "kind": "Mission",
        **mission_row(mission),
        "label": str(mission.get_status_display()),
    }


@register_tool(
    name="dialogue_get_mission_results",
    tier=Tier.READ,
    arguments=ResultsArguments,
    description=(
        "Get the results of a Mission that is over: the outcome of each task. Of one "
        "that is not over it says only that."
    ),
)
def dialogue_get_mission_results(
    *, context: ToolContext, arguments: ResultsArguments
) -> ToolResult:
    """Get a Mission's results."""
    mission = find_mission(principal=context.principal, mission_id=key_of(arguments.id))
    finished = mission.status in FINISHED_MISSIONS
    data: dict[str, Any] = {
        **_of_mission(mission),
        "finished": finished,
        "results": [],
        "message": "",
    }
    if finished:
        data["results"] = _results(context, mission.pk)
    else:
        data["message"] = _(
            "This Mission is not over, so there are no results yet. Do not report "
            "anything as its outcome."
        )
    return ToolResult(data, cards=(CardRef("mission", mission.pk),))


def _results(context: ToolContext, mission_id: uuid.UUID) -> list[dict[str, Any]]:
    rows = tasks_of(principal=context.principal, mission_id=mission_id)
    return [_result(row) for row in rows[:MAX_TASKS]]


def _result(task: MissionTask) -> dict[str, Any]:
    return {
        "task": task.title,
        "status": str(task.status),
        "label": str(task.get_status_display()),
        "outcome": excerpt(task.outcome, limit=MAX_OUTCOME),
    }
