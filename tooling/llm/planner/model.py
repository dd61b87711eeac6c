"""The shapes that the planner's grammar works on."""

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


class Kind(enum.Enum):
    """The form of what is asked for."""

    NOUN = "noun"
    VERB = "verb"
    CLAUSE = "clause"
    FAULT = "fault"
    PLAIN = "plain"


class Mood(enum.Enum):
    """How the verb of a clause stands: does it, can do it, must not do it."""

    DOES = "does"
    CAN = "can"
    NOT = "not"


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing asked for, without the words of asking.

    `text` is the noun phrase, the verb phrase in base form (infinitive in French), or
    the fault; a clause has `subject`, `verb` (base form) and, in `text`, what follows
    the verb; a plain ask is a clause that stays as the person put it. `condition` is
    its "when it fails", `audience` who is to have it, `source` the clause that it was
    read from and `whole` the sentence around that. The
    `first` ask has nothing before it that a pronoun of its own could stand for; one
    that is `after` another waits for it.
    """

    kind: Kind
    text: str
    subject: str = ""
    verb: str = ""
    mood: Mood = Mood.DOES
    audience: str = ""
    condition: str = ""
    source: str = ""
    whole: str = ""
    after: bool = False
    first: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A part of the work, in the person's words."""

    title: str
    detail: str
    after: bool = False


@dataclass(slots=True)
class Specification:
    """What `mission_propose` is called with.

    `check` is the title of the plan's last step, `about` the thing that it is all
    about, for a note that only says "it".
    """

    title: str
    objective: str
    tasks: list[Task] = field(default_factory=list)
    criteria: list[str] = field(default_factory=list)
    check: str = ""
    about: str = ""
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
        if len(self.tasks) < 2:
            return None
        steps: list[dict[str, Any]] = []
        loose: list[str] = []
        for number, task in enumerate(self.tasks, start=1):
            name = f"task-{number}"
            after = [f"task-{number - 1}"] if task.after and number > 1 else []
            loose = [one for one in loose if one not in after] + [name]
            steps.append(
                {"id": name, "title": task.title, "kind": "task", "after": after}
            )
        steps.append(
            {"id": "check", "title": self.check, "kind": "check", "after": loose}
        )
        return {"steps": steps}
