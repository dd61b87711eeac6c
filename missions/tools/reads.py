"""The reads over Missions, tasks, workflow drafts and suggestions."""

from __future__ import annotations

from typing import Literal

from missions.selectors import (
    drafts_of,
    find_draft,
    find_mission,
    missions_of,
    suggestions_of,
    tasks_of,
)
from missions.specification import MAX_CRITERIA
from missions.tools.arguments import Key, Query
from missions.tools.rows import draft_row, mission_row, suggestion_row, task_row
from missions.workflow.graph import parse_graph
from missions.workflow.validation import publish_problems
from tooling.listing import bounded_list, excerpt, key_of
from tooling.registry import (
    CardRef,
    ToolArguments,
    ToolContext,
    ToolResult,
    register_tool,
)
from tooling.tiers import Tier


class MissionListArguments(ToolArguments):
    """Narrow the list by status, and by words of the title."""

    status: (
        Literal["pending", "ready", "running", "completed", "failed", "cancelled"]
        | None
    ) = None
    query: Query = ""


class MissionArguments(ToolArguments):
    """One Mission."""

    id: Key


class TaskListArguments(ToolArguments):
    """Narrow the list by Mission and by status."""

    mission_id: Key | None = None
    status: (
        Literal["todo", "running", "blocked", "completed", "failed", "cancelled"] | None
    ) = None


class WorkflowListArguments(ToolArguments):
    """Narrow the list by words of the title."""

    query: Query = ""


class WorkflowArguments(ToolArguments):
    """One workflow draft."""

    id: Key


class SuggestionListArguments(ToolArguments):
    """Narrow the list by status."""

    status: Literal["open", "dismissed", "converted"] | None = None


@register_tool(
    name="mission_list",
    tier=Tier.READ,
    arguments=MissionListArguments,
    description="List the team's Missions, newest first.",
)
def mission_list(
    *, context: ToolContext, arguments: MissionListArguments
) -> ToolResult:
    """List Missions."""
    rows = missions_of(
        principal=context.principal,
        status=arguments.status or "",
        search=arguments.query,
    )
    return ToolResult(bounded_list(rows.order_by("-created_at", "-id"), mission_row))


@register_tool(
    name="mission_get",
    tier=Tier.READ,
    arguments=MissionArguments,
    description="Get one Mission with its objective, acceptance criteria and tasks.",
)
def mission_get(*, context: ToolContext, arguments: MissionArguments) -> ToolResult:
    """Get one Mission."""
    mission = find_mission(principal=context.principal, mission_id=key_of(arguments.id))
    tasks = tasks_of(principal=context.principal, mission_id=mission.pk)
    data = {
        **mission_row(mission),
        "objective": excerpt(mission.objective, limit=2_000),
        "acceptance_criteria": [
            excerpt(text) for text in mission.acceptance_criteria[:MAX_CRITERIA]
        ],
        "tasks": bounded_list(tasks, task_row)["items"],
    }
    return ToolResult(data, cards=(CardRef("mission", mission.pk),))


@register_tool(
    name="task_list",
    tier=Tier.READ,
    arguments=TaskListArguments,
    description="List tasks of the team's Missions, of one Mission or by status.",
)
def task_list(*, context: ToolContext, arguments: TaskListArguments) -> ToolResult:
    """List tasks."""
    mission_id = None
    if arguments.mission_id is not None:
        mission_id = find_mission(
            principal=context.principal, mission_id=key_of(arguments.mission_id)
        ).pk
    rows = tasks_of(
        principal=context.principal,
        mission_id=mission_id,
        status=arguments.status or "",
    )
    return ToolResult(bounded_list(rows, task_row))


@register_tool(
    name="workflow_list",
    tier=Tier.READ,
    arguments=WorkflowListArguments,
    description="List the team's workflow drafts, newest first.",
)
def workflow_list(
    *, context: ToolContext, arguments: WorkflowListArguments
) -> ToolResult:
    """List workflow drafts."""
    rows = drafts_of(principal=context.principal)
    if arguments.query:
        rows = rows.filter(title__icontains=arguments.query)
    return ToolResult(bounded_list(rows.order_by("-created_at", "-id"), draft_row))


@register_tool(
    name="workflow_get",
    tier=Tier.READ,
    arguments=WorkflowArguments,
    description="Get one workflow draft: its steps, and what keeps it unpublished.",
)
def workflow_get(*, context: ToolContext, arguments: WorkflowArguments) -> ToolResult:
    """Get one workflow draft."""
    draft = find_draft(principal=context.principal, draft_id=key_of(arguments.id))
    graph = parse_graph(draft.graph)
    problems = publish_problems(graph)
    data = {
        **draft_row(draft),
        "steps": [
            {"id": s.id, "title": s.title, "kind": s.kind, "after": list(s.after)}
            for s in graph.steps
        ],
        "problems": [problem.to_json() for problem in problems[:20]],
    }
    return ToolResult(data)


@register_tool(
    name="suggestion_list",
    tier=Tier.READ,
    arguments=SuggestionListArguments,
    description="List ideas that reached no proposal and were kept as suggestions.",
)
def suggestion_list(
    *, context: ToolContext, arguments: SuggestionListArguments
) -> ToolResult:
    """List suggestions."""
    rows = suggestions_of(principal=context.principal, status=arguments.status or "")
    return ToolResult(bounded_list(rows.order_by("-created_at", "-id"), suggestion_row))
