"""The tools over Missions: one that proposes, one that writes, and reads."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from decisions.cards import state_code
from decisions.kinds import find_subject
from missions.cards import draft_status
from missions.makers import Maker, Origin
from missions.selectors import (
    drafts_of,
    find_draft,
    find_mission,
    missions_of,
    suggestions_of,
    tasks_of,
)
from missions.services.creating import create_mission
from missions.services.proposing import UnknownRevision, propose_mission
from missions.specification import (
    MAX_CRITERIA,
    MAX_CRITERION,
    MAX_DETAIL,
    MAX_OBJECTIVE,
    MAX_TASKS,
    MAX_TITLE,
    MissionSpec,
)
from missions.subject import SUBJECT
from missions.workflow.graph import MAX_ID, MAX_STEPS, parse_graph
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

if TYPE_CHECKING:
    from missions.models import (
        Mission,
        MissionSuggestionRecord,
        MissionTask,
        WorkflowDraft,
    )

Title = Annotated[str, Field(min_length=1, max_length=MAX_TITLE)]
StepId = Annotated[str, Field(min_length=1, max_length=MAX_ID)]
Criterion = Annotated[str, Field(min_length=1, max_length=MAX_CRITERION)]
Key = Annotated[str, Field(min_length=1, max_length=40)]
Query = Annotated[str, Field(max_length=200)]


class TaskArgument(ToolArguments):
    """A part of the work."""

    title: Title
    detail: Annotated[str, Field(max_length=MAX_DETAIL)] = ""


class StepArgument(ToolArguments):
    """A step of the workflow; `after` names the ids of steps before it."""

    id: StepId
    title: Title
    kind: Literal["task", "check", "wait"] = "task"
    after: Annotated[list[StepId], Field(max_length=MAX_STEPS)] = []  # noqa: RUF012 -- pydantic copies it


class PlanArgument(ToolArguments):
    """The steps in which the work is done."""

    steps: Annotated[list[StepArgument], Field(max_length=MAX_STEPS)]


class SpecificationArguments(ToolArguments):
    """What a Mission is to be."""

    title: Title
    objective: Annotated[str, Field(min_length=1, max_length=MAX_OBJECTIVE)]
    tasks: Annotated[list[TaskArgument], Field(max_length=MAX_TASKS)] = []  # noqa: RUF012 -- pydantic copies it
    acceptance_criteria: Annotated[list[Criterion], Field(max_length=MAX_CRITERIA)] = []  # noqa: RUF012 -- pydantic copies it


class ProposeArguments(SpecificationArguments):
    """A proposal; `revises` is the id of a request that asked for changes."""

    plan: PlanArgument | None = None
    revises: Annotated[str, Field(max_length=40)] | None = None


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
    name="mission_propose",
    tier=Tier.PROPOSE,
    arguments=ProposeArguments,
    description=(
        "Raise a proposal for the team to decide. Call this whenever the person asks "
        "for a feature or a change, instead of describing the work in prose; one call "
        "for each distinct idea. Draw title, objective, tasks and acceptance_criteria "
        "from the person's own words, in their language. Give plan when the order of "
        "steps is clear. Nothing is created until a person approves. To revise a "
        "proposal that came back with changes asked for, name it in revises."
    ),
)
def mission_propose(*, context: ToolContext, arguments: ProposeArguments) -> ToolResult:
    """Raise one request with one draft."""
    plain = arguments.model_dump()
    proposed = propose_mission(
        maker=Maker.of(context.principal),
        origin=Origin.of(context),
        now=context.now,
        **{**plain, "revises": _handle(arguments.revises)},
    )
    request = proposed.request
    after = find_subject(SUBJECT).aftermaths([request]).get(request.pk)
    data = {
        "status": state_code(request, after),
        "request_id": str(request.pk),
        "title": request.title,
        "revision": request.revision,
        "created": proposed.created,
        "workflow": "placeholder" if proposed.draft.is_placeholder else "draft",
    }
    if request.revises_id:
        data["revises"] = str(request.revises_id)
    return ToolResult(data, cards=(CardRef("proposal", request.pk),))


@register_tool(
    name="mission_create",
    tier=Tier.WRITE,
    arguments=SpecificationArguments,
    description=(
        "Create a Mission at once, without a proposal. Only when the person has told "
        "you explicitly to create it now; for every wish call mission_propose."
    ),
)
def create_mission_now(
    *, context: ToolContext, arguments: SpecificationArguments
) -> ToolResult:
    """Create a ready Mission by the one path."""
    mission = create_mission(
        maker=Maker.of(context.principal),
        origin=Origin.of(context),
        spec=MissionSpec.check(**arguments.model_dump()),
        now=context.now,
    )
    return ToolResult(_mission(mission), cards=(CardRef("mission", mission.pk),))


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
    return ToolResult(bounded_list(rows.order_by("-created_at", "-id"), _mission))


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
        **_mission(mission),
        "objective": excerpt(mission.objective, limit=2_000),
        "acceptance_criteria": [
            excerpt(text) for text in mission.acceptance_criteria[:MAX_CRITERIA]
        ],
        "tasks": bounded_list(tasks, _task)["items"],
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
    return ToolResult(bounded_list(rows, _task))


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
    return ToolResult(bounded_list(rows.order_by("-created_at", "-id"), _draft))


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
        **_draft(draft),
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
    return ToolResult(bounded_list(rows.order_by("-created_at", "-id"), _suggestion))


def _handle(text: str | None) -> uuid.UUID | None:
    if not text:
        return None
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise UnknownRevision from error


def _mission(row: Mission) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "title": row.title,
        "status": str(row.status),
        "priority": str(row.priority),
        "created_at": row.created_at.isoformat(),
    }


def _task(row: MissionTask) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "title": row.title,
        "status": str(row.status),
        "mission": row.mission.title,
        "detail": excerpt(row.detail),
    }


def _draft(row: WorkflowDraft) -> dict[str, Any]:
    published = bool(getattr(row, "version_count", 0))
    return {
        "id": str(row.pk),
        "title": row.title,
        "status": draft_status(row, published=published),
        "steps_count": len(row.graph.get("steps", [])),
        "created_at": row.created_at.isoformat(),
    }


def _suggestion(row: MissionSuggestionRecord) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "title": row.title,
        "status": str(row.status),
        "reason": str(row.reason),
        "created_at": row.created_at.isoformat(),
    }
