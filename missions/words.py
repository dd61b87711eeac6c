"""What the fields of Missions and tasks are called, and their values in words."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from missions.models import Priority, TaskStatus


def field_label(name: str) -> str:
    """Return a field's name in the active language; or as it is stored."""
    return {
        "title": _("Title"),
        "objective": _("Objective"),
        "priority": _("Priority"),
        "acceptance_criteria": _("Acceptance criteria"),
        "detail": _("Detail"),
        "status": _("Status"),
    }.get(name, name)


def field_words(name: str, value: Any) -> str:
    """Return a stored value as people read it."""
    if name == "priority" and value in Priority.values:
        return str(Priority(value).label)
    if name == "status" and value in TaskStatus.values:
        return str(TaskStatus(value).label)
    if isinstance(value, list):
        return "\n".join(str(item) for item in value)
    return str(value)
