"""A read over Missions that asks a model, held back until staff open it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from missions.models import Mission, MissionTask
from missions.selectors import find_mission, tasks_of
from missions.specification import MAX_TASKS
from missions.tools.arguments import Key
from missions.tools.rows import mission_row
from tooling.listing import excerpt, key_of
from tooling.llm.call_sites import CallSite, register_call_site
from tooling.paid_reads import ask_model
from tooling.registry import (
    CardRef,
    PaidCall,
    ToolArguments,
    ToolContext,
    ToolResult,
    register_tool,
)
from tooling.tiers import Tier

MAX_TASK_CHARS = 400
SUMMARISE = PaidCall(
    register_call_site(CallSite("Missions:MissionSummarise", output_limit=600)).name,
    input_chars=24_000,
    output_tokens=600,
    summary=_(
        "Has a model summarise one Mission; its text, its tasks and their outcomes are "
        "sent."
    ),
)


class SummariseArguments(ToolArguments):
    """One Mission."""

    id: Key


@register_tool(
    name="mission_summarise",
    tier=Tier.READ,
    arguments=SummariseArguments,
    paid=SUMMARISE,
    description=(
        "Have a model summarise one Mission: what it is for, how far its tasks are, "
        "what is blocked. It costs money; mission_get reads the same rows for free."
    ),
)
def mission_summarise(
    *, context: ToolContext, arguments: SummariseArguments
) -> ToolResult:
    """Summarise one Mission."""
    mission = find_mission(principal=context.principal, mission_id=key_of(arguments.id))
    tasks = tasks_of(principal=context.principal, mission_id=mission.pk)
    answer = ask_model(
        context=context,
        paid=SUMMARISE,
        task=(
            "Summarise this Mission for its team in at most ten sentences: what it is "
            "for, how far it is, what is blocked or missing. Invent nothing."
        ),
        material=_material(mission, list(tasks[:MAX_TASKS])),
    )
    data = {**mission_row(mission), **answer}
    return ToolResult(data, cards=(CardRef("mission", mission.pk),))


def _material(mission: Mission, tasks: list[MissionTask]) -> str:
    lines = [
        f"Title: {mission.title}",
        f"Status: {mission.status}",
        f"Priority: {mission.priority}",
        f"Objective: {mission.objective}",
        *(f"Criterion: {sentence}" for sentence in mission.acceptance_criteria),
    ]
    for task in tasks:
        detail = excerpt(task.detail, limit=MAX_TASK_CHARS)
        outcome = excerpt(task.outcome, limit=MAX_TASK_CHARS)
        lines.append(f"Task {task.position} ({task.status}): {task.title}. {detail}")
        if outcome:
            lines.append(f"Outcome of task {task.position}: {outcome}")
    return "\n".join(lines)
