"""The shapes between reading a message and proposing."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any

MAX_TITLE = 200
MAX_OBJECTIVE = 4_000
MAX_TASKS = 12
MAX_CRITERIA = 10
MAX_DETAIL = 1_000
MAX_CRITERION = 400


class Form(enum.Enum):
    """What a sentence of a message is.

    A thing is a noun phrase to have, an act a verb phrase to do, a clause says who is
    to do what; a wish is asked for in words that are kept whole; a rule says what must
    or must not be; a complaint asks by what is wrong; an item of a list may be either.
    """

    THING = "thing"
    ACT = "act"
    CLAUSE = "clause"
    WISH = "wish"
    RULE = "rule"
    COMPLAINT = "complaint"
    ITEM = "item"


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence that asks: `text` is what is left without the words of asking.

    `holds` is the same as a statement of what shall be, where there is one: "I can see
    the free beds" for "I want to see the free beds".
    """

    form: Form
    text: str
    source: str
    holds: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A part of the work, in the person's words."""

    title: str
    detail: str = ""


@dataclass(slots=True)
class Specification:
    """What `mission_propose` is called with; `check` titles the plan's last step."""

    title: str
    objective: str
    tasks: list[Task] = field(default_factory=list)
    criteria: list[str] = field(default_factory=list)
    check: str = ""
    revises: str | None = None

    def as_arguments(self) -> dict[str, Any]:
        """Return the tool's arguments."""
        return {
            "title": self.title,
            "objective": self.objective,
            "tasks": [{"title": t.title, "detail": t.detail} for t in self.tasks],
            "acceptance_criteria": list(self.criteria),
            "plan": self._plan(),
            "revises": self.revises,
        }

    def _plan(self) -> dict[str, Any] | None:
        """Return the tasks side by side and a check after all, or None for one task.

        What has to wait for what, a person says who completes the draft.
        """
        if len(self.tasks) < 2:
            return None
        steps: list[dict[str, Any]] = [
            {"id": f"task-{number}", "title": task.title, "kind": "task", "after": []}
            for number, task in enumerate(self.tasks, start=1)
        ]
        names = [step["id"] for step in steps]
        steps.append(
            {"id": "check", "title": self.check, "kind": "check", "after": names}
        )
        return {"steps": steps}
