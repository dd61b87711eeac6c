"""Arguments that several tools take: typed, bounded, strict."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from missions.specification import (
    MAX_CRITERIA,
    MAX_CRITERION,
    MAX_DETAIL,
    MAX_OBJECTIVE,
    MAX_TASKS,
    MAX_TITLE,
)
from missions.workflow.graph import MAX_ID, MAX_STEPS
from tooling.registry import ToolArguments

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
