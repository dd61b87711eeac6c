"""What a call would change, in words for people: nothing here writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from missions.models import MissionStatus, Priority, TaskStatus
from missions.words import field_label, field_words
from missions.workflow.graph import Graph, parse_graph
from tooling.registry import Change

if TYPE_CHECKING:
    from missions.models import WorkflowDraft
    from missions.services.changing import Changed
    from missions.specification import MissionSpec, TaskSpec


def mission_changes(spec: MissionSpec) -> list[Change]:
    """Return what creating a Mission makes, line by line."""
    return [
        Change(_("Title"), "", spec.title),
        Change(_("Objective"), "", spec.objective),
        *(
            Change(_("Task"), "", joined(task.title, task.detail))
            for task in spec.tasks
        ),
        *(
            Change(_("Acceptance criterion"), "", sentence)
            for sentence in spec.acceptance_criteria
        ),
        Change(_("Priority"), "", str(Priority(spec.priority).label)),
        Change(_("Status"), "", str(MissionStatus.READY.label)),
    ]


def joined(title: str, detail: str) -> str:
    """Return a task in one text: its title, and its detail below."""
    return f"{title}\n{detail}" if detail else title


def task_changes(mission_title: str, task: TaskSpec) -> list[Change]:
    """Return what adding a task makes."""
    return [
        Change(_("Mission"), mission_title, mission_title),
        Change(_("Task"), "", joined(task.title, task.detail)),
        Change(_("Status"), "", str(TaskStatus.TODO.label)),
    ]


def field_changes(changed: Changed) -> list[Change]:
    """Return the fields that an update moves; none where it changes nothing."""
    return [
        Change(
            field_label(name),
            field_words(name, changed.before[name]),
            field_words(name, value),
        )
        for name, value in changed.after.items()
    ]


def draft_changes(
    draft: WorkflowDraft, graph: Graph, *, title: str | None
) -> list[Change]:
    """Return a draft's title, if it moves, and its steps before and after."""
    lines = []
    if title is not None and title != draft.title:
        lines.append(Change(_("Title"), draft.title, title))
    before, after = _steps(parse_graph(draft.graph)), _steps(graph)
    if before != after:
        lines.append(Change(_("Steps"), before, after))
    return lines


def note_changes(title: str, text: str) -> list[Change]:
    """Return what noting an idea down makes."""
    return [Change(_("Suggestion"), "", joined(title, text))]


def _steps(graph: Graph) -> str:
    """Return the steps, one on a line, each with what it waits for."""
    names = {step.id: step.title for step in graph.steps}
    lines = []
    for number, step in enumerate(graph.steps, start=1):
        after = ", ".join(names.get(name, name) for name in step.after)
        lines.append(f"{number}. {step.title}" + (f" (← {after})" if after else ""))
    return "\n".join(lines)
