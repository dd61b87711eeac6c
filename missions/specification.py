"""What a Mission is to be: one check for proposals, approvals and direct creation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.utils.translation import gettext_lazy as _

from missions.models import Priority
from tooling.boundary import check_text, require_text
from tooling.errors import InvalidInput

MAX_TITLE = 200
MAX_OBJECTIVE = 8_000
MAX_TASKS = 30
MAX_DETAIL = 4_000
MAX_CRITERIA = 30
MAX_CRITERION = 1_000


class TooMany(InvalidInput):
    """More tasks or criteria than one Mission may have."""

    code = "too_many"


class UnknownPriority(InvalidInput):
    """A priority that does not exist."""

    code = "unknown_priority"
    field = "priority"
    message = _("The priority is low, normal or high.")


class WrongShape(InvalidInput):
    """A payload that is not a Mission's specification."""

    code = "wrong_shape"
    message = _("This is not the specification of a Mission.")


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """A part of the work."""

    title: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class MissionSpec:
    """A checked specification: bounded, storable, titles on one line."""

    title: str
    objective: str
    tasks: tuple[TaskSpec, ...] = ()
    acceptance_criteria: tuple[str, ...] = ()
    priority: str = Priority.NORMAL

    @classmethod
    def check(
        cls,
        *,
        title: str,
        objective: str,
        tasks: Sequence[Mapping[str, str]] = (),
        acceptance_criteria: Sequence[str] = (),
        priority: str = Priority.NORMAL,
    ) -> Self:
        """Return the specification, or raise an `InvalidInput` that names a field."""
        _bound(tasks, limit=MAX_TASKS, field="tasks")
        if priority not in Priority.values:
            raise UnknownPriority
        return cls(
            title=one_line(title, field="title"),
            objective=paragraph(objective, field="objective", limit=MAX_OBJECTIVE),
            tasks=tuple(check_task(task, field="tasks") for task in tasks),
            acceptance_criteria=tuple(
                check_texts(
                    acceptance_criteria,
                    field="acceptance_criteria",
                    count=MAX_CRITERIA,
                    limit=MAX_CRITERION,
                )
            ),
            priority=str(priority),
        )

    @classmethod
    def from_payload(cls, payload: Mapping[str, Any]) -> Self:
        """Return the specification of a stored payload's `mission` part.

        Raises `InvalidInput` for anything else, unknown fields included.
        """
        names = {"title", "objective", "tasks", "acceptance_criteria", "priority"}
        if not isinstance(payload, Mapping) or set(payload) != names:
            raise WrongShape
        texts = ("title", "objective", "priority")
        lists = ("tasks", "acceptance_criteria")
        if not all(isinstance(payload[name], str) for name in texts):
            raise WrongShape
        if not all(isinstance(payload[name], list) for name in lists):
            raise WrongShape
        if not all(isinstance(text, str) for text in payload["acceptance_criteria"]):
            raise WrongShape(field="acceptance_criteria")
        return cls.check(**payload)

    def to_payload(self) -> dict[str, Any]:
        """Return plain JSON: what is hashed, shown, approved and created."""
        return {
            "title": self.title,
            "objective": self.objective,
            "tasks": [
                {"title": task.title, "detail": task.detail} for task in self.tasks
            ],
            "acceptance_criteria": list(self.acceptance_criteria),
            "priority": self.priority,
        }


def one_line(text: str, *, field: str, limit: int = MAX_TITLE) -> str:
    """Return a title on one line. Raises for blank, long or unsafe text."""
    return " ".join(require_text(text.strip(), field=field, max_chars=limit).split())


def paragraph(text: str, *, field: str, limit: int) -> str:
    """Return a text without blanks round it. Raises as `one_line` does."""
    return require_text(text.strip(), field=field, max_chars=limit)


def check_texts(
    texts: Sequence[str], *, field: str, count: int, limit: int
) -> list[str]:
    """Return at most `count` texts of at most `limit` characters each."""
    _bound(texts, limit=count, field=field)
    return [paragraph(text, field=field, limit=limit) for text in texts]


def check_task(task: Mapping[str, str], *, field: str = "") -> TaskSpec:
    """Return a task of `title` and `detail`; errors name `field`, or its own part."""
    if not isinstance(task, Mapping) or not set(task) <= {"title", "detail"}:
        raise WrongShape(field=field)
    title, detail = task.get("title", ""), task.get("detail", "")
    if not isinstance(title, str) or not isinstance(detail, str):
        raise WrongShape(field=field)
    text = check_text(detail.strip(), field=field or "detail", max_chars=MAX_DETAIL)
    return TaskSpec(one_line(title, field=field or "title"), text)


def _bound(items: Sequence[object], *, limit: int, field: str) -> None:
    if len(items) > limit:
        message = _("These are %(count)s entries; at most %(limit)s fit.")
        raise TooMany(message % {"count": len(items), "limit": limit}, field=field)
