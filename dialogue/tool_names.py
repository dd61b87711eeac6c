"""Write tools and their arguments in people's words."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = dict[str, str | Promise]

_WRITES: Words = {
    "decision_create": _("Ask the people who decide"),
    "mission_add_task": _("Add a task to a Mission"),
    "mission_create": _("Create a Mission"),
    "mission_update": _("Change a Mission"),
    "suggestion_create": _("Note an idea down"),
    "task_create": _("Create a task"),
    "task_update": _("Change a task"),
    "workflow_draft_update": _("Rewrite a workflow draft"),
}
_FIELDS: Words = {
    "acceptance_criteria": _("Acceptance criteria"),
    "after": _("After"),
    "detail": _("Detail"),
    "edit_version": _("Version that was read"),
    "id": _("Identifier"),
    "kind": _("Kind"),
    "mission_id": _("Mission"),
    "objective": _("Objective"),
    "options": _("Possible answers"),
    "priority": _("Priority"),
    "question": _("Question"),
    "status": _("Status"),
    "steps": _("Steps"),
    "tasks": _("Tasks"),
    "text": _("Text"),
    "title": _("Title"),
}


def tool_words(name: str) -> str:
    """Return what a write does, in words; its name, spelt out, where we have none."""
    return str(_WRITES.get(name) or _spelt(name))


def in_words(arguments: dict[str, Any]) -> list[tuple[str, str]]:
    """Return arguments as labels and readable text, all of them and nothing cut."""
    return [
        (str(_FIELDS.get(name) or _spelt(name)), _text(value))
        for name, value in arguments.items()
        if value not in (None, "", [], {})
    ]


def _spelt(name: str) -> str:
    return name.replace("_", " ").strip().capitalize()


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(f"– {_inline(item)}" for item in value)
    return _inline(value)


def _inline(value: Any) -> str:
    """Return one value on one line, but for the breaks in a person's own text."""
    if isinstance(value, dict):
        return " · ".join(f"{label}: {text}" for label, text in in_words(value))
    if isinstance(value, list):
        return ", ".join(_inline(item) for item in value)
    return str(value)
