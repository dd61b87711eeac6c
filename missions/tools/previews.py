"""What a call would change, in words for people: nothing here writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from missions.models import MissionStatus, Priority
from tooling.registry import Change

if TYPE_CHECKING:
    from missions.specification import MissionSpec


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
