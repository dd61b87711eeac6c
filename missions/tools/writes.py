"""The tools that change Missions, tasks, drafts and suggestions.

None of them takes a status of a Mission or a decision: `ChangeArguments` refuses the
whole call for naming one. What they change is found by the tenant of the principal;
where it comes from is taken from the context.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from missions.makers import Maker, Origin
from missions.selectors import find_draft, find_mission, find_task
from missions.services.changing import (
    add_task,
    next_position,
    plan_mission_change,
    plan_task_change,
    update_mission,
    update_task,
)
from missions.services.redrafting import check_rewritable, rewrite_draft
from missions.services.suggestions import MAX_NOTED, note_suggestion
from missions.specification import (
    MAX_CRITERIA,
    MAX_DETAIL,
    MAX_OBJECTIVE,
    check_task,
)
from missions.tools.arguments import Criterion, Key, StepArgument, Title
from missions.tools.previews import (
    draft_changes,
    field_changes,
    note_changes,
    task_changes,
)
from missions.tools.rows import draft_row, mission_row, suggestion_row, task_row
from missions.workflow.graph import MAX_STEPS, build_graph
from tooling.listing import key_of
from tooling.registry import CardRef, Change, ToolContext, ToolResult, register_tool
from tooling.settling import ChangeArguments, SettlingRefused
from tooling.tiers import Tier

OPEN_STATUSES = ("todo", "running", "blocked")


class MissionUpdateArguments(ChangeArguments):
    """What a Mission shall say; what is left out stays as it is."""

    id: Key
    title: Title | None = None
    objective: Annotated[str, Field(min_length=1, max_length=MAX_OBJECTIVE)] | None = (
        None
    )
    priority: Literal["low", "normal", "high"] | None = None
    acceptance_criteria: (
        Annotated[list[Criterion], Field(max_length=MAX_CRITERIA)] | None
    ) = None


class NewTaskArguments(ChangeArguments):
    """A further part of a Mission's work."""

    mission_id: Key
    title: Title
    detail: Annotated[str, Field(max_length=MAX_DETAIL)] = ""


class TaskUpdateArguments(ChangeArguments):
    """What a task shall say, and whether it is to do, running or blocked."""

    own_fields: ClassVar[frozenset[str]] = frozenset({"status"})

    id: Key
    title: Title | None = None
    detail: Annotated[str, Field(max_length=MAX_DETAIL)] | None = None
    status: Annotated[str, Field(max_length=40)] | None = Field(
        default=None, json_schema_extra={"enum": [*OPEN_STATUSES, None]}
    )


class DraftUpdateArguments(ChangeArguments):
    """All steps of a draft as they shall be, over the version that you read."""

    id: Key
    edit_version: Annotated[int, Field(ge=1)]
    title: Title | None = None
    steps: Annotated[list[StepArgument], Field(min_length=1, max_length=MAX_STEPS)]


class NoteArguments(ChangeArguments):
    """An idea in the person's own words."""

    title: Title
    text: Annotated[str, Field(max_length=MAX_NOTED)] = ""


def _given(arguments: ChangeArguments, *, but: str) -> dict[str, Any]:
    """Return the fields that the model named."""
    plain = arguments.model_dump(exclude={but}, exclude_none=True)
    if plain.get("status", "todo") not in OPEN_STATUSES:
        raise SettlingRefused(field="status")
    return plain


def preview_mission_update(
    *, context: ToolContext, arguments: MissionUpdateArguments
) -> list[Change]:
    """Say which words of the Mission would change."""
    mission = find_mission(principal=context.principal, mission_id=key_of(arguments.id))
    changed = plan_mission_change(mission=mission, **_given(arguments, but="id"))
    return field_changes(changed)


@register_tool(
    name="mission_update",
    tier=Tier.WRITE,
    arguments=MissionUpdateArguments,
    preview=preview_mission_update,
    description=(
        "Change the title, objective, priority or acceptance criteria of a Mission "
        "that is not over. Only when the person has told you explicitly to."
    ),
)
def mission_update(
    *, context: ToolContext, arguments: MissionUpdateArguments
) -> ToolResult:
    """Change a Mission's words."""
    mission = update_mission(
        maker=Maker.of(context.principal),
        origin=Origin.of(context),
        mission_id=key_of(arguments.id),
        now=context.now,
        **_given(arguments, but="id"),
    )
    return ToolResult(mission_row(mission), cards=(CardRef("mission", mission.pk),))


def preview_new_task(
    *, context: ToolContext, arguments: NewTaskArguments
) -> list[Change]:
    """Say which task would be added, and to what."""
    key = key_of(arguments.mission_id, field="mission_id")
    mission = find_mission(principal=context.principal, mission_id=key)
    next_position(mission=mission)
    spec = check_task({"title": arguments.title, "detail": arguments.detail})
    return task_changes(mission.title, spec)


def _add_task(*, context: ToolContext, arguments: NewTaskArguments) -> ToolResult:
    task = add_task(
        maker=Maker.of(context.principal),
        origin=Origin.of(context),
        mission_id=key_of(arguments.mission_id, field="mission_id"),
        title=arguments.title,
        detail=arguments.detail,
        now=context.now,
    )
    return ToolResult(task_row(task), cards=(CardRef("mission", task.mission_id),))


@register_tool(
    name="mission_add_task",
    tier=Tier.WRITE,
    arguments=NewTaskArguments,
    preview=preview_new_task,
    description=(
        "Add a task to a Mission that is not over. Only when the person has told you "
        "explicitly to."
    ),
)
def mission_add_task(
    *, context: ToolContext, arguments: NewTaskArguments
) -> ToolResult:
    """Add a task to a Mission."""
    return _add_task(context=context, arguments=arguments)


@register_tool(
    name="task_create",
    tier=Tier.WRITE,
    arguments=NewTaskArguments,
    preview=preview_new_task,
    description=(
        "Create a task in a Mission that is not over. Only when the person has told "
        "you explicitly to."
    ),
)
def task_create(*, context: ToolContext, arguments: NewTaskArguments) -> ToolResult:
    """Create a task in a Mission."""
    return _add_task(context=context, arguments=arguments)


def preview_task_update(
    *, context: ToolContext, arguments: TaskUpdateArguments
) -> list[Change]:
    """Say what of the task would change."""
    task = find_task(principal=context.principal, task_id=key_of(arguments.id))
    return field_changes(plan_task_change(task=task, **_given(arguments, but="id")))


@register_tool(
    name="task_update",
    tier=Tier.WRITE,
    arguments=TaskUpdateArguments,
    preview=preview_task_update,
    description=(
        "Change a task of a ready or running Mission: its title, its detail, or "
        "whether it is to do, running or blocked. You cannot end a task. Only when "
        "the person has told you explicitly to."
    ),
)
def task_update(*, context: ToolContext, arguments: TaskUpdateArguments) -> ToolResult:
    """Change a task."""
    task = update_task(
        maker=Maker.of(context.principal),
        origin=Origin.of(context),
        task_id=key_of(arguments.id),
        now=context.now,
        **_given(arguments, but="id"),
    )
    return ToolResult(task_row(task), cards=(CardRef("mission", task.mission_id),))


def preview_draft_update(
    *, context: ToolContext, arguments: DraftUpdateArguments
) -> list[Change]:
    """Say which steps stand in the draft, and which would."""
    draft = find_draft(principal=context.principal, draft_id=key_of(arguments.id))
    check_rewritable(draft)
    plain = arguments.model_dump(include={"steps"})
    return draft_changes(draft, build_graph(plain), title=arguments.title)


@register_tool(
    name="workflow_draft_update",
    tier=Tier.WRITE,
    arguments=DraftUpdateArguments,
    preview=preview_draft_update,
    description=(
        "Replace all steps of a workflow draft that was never published. Read it with "
        "workflow_get first and give the edit_version that it had. Never publishes. "
        "Only when the person has told you explicitly to."
    ),
)
def workflow_draft_update(
    *, context: ToolContext, arguments: DraftUpdateArguments
) -> ToolResult:
    """Replace a draft's steps."""
    plain = arguments.model_dump()
    draft = rewrite_draft(
        principal=context.principal,
        origin=Origin.of(context),
        now=context.now,
        draft_id=key_of(plain.pop("id")),
        **plain,
    )
    return ToolResult(draft_row(draft), cards=(CardRef("draft", draft.pk),))


def preview_note(*, context: ToolContext, arguments: NoteArguments) -> list[Change]:
    """Say which idea would be noted down."""
    return note_changes(arguments.title, arguments.text)


@register_tool(
    name="suggestion_create",
    tier=Tier.WRITE,
    arguments=NoteArguments,
    preview=preview_note,
    description=(
        "Note an idea down as a suggestion, for later review. Only when the person "
        "has told you explicitly to note it; for a wish call mission_propose."
    ),
)
def suggestion_create(*, context: ToolContext, arguments: NoteArguments) -> ToolResult:
    """Note an idea down."""
    row = note_suggestion(
        maker=Maker.of(context.principal),
        origin=Origin.of(context),
        title=arguments.title,
        text=arguments.text,
        now=context.now,
    )
    return ToolResult(suggestion_row(row), cards=(CardRef("suggestion", row.pk),))
