"""What keeps a draft from being published, in words that say what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from missions.workflow.graph import (
    Graph,
    cyclic_steps,
    doubled_ids,
    stuck_steps,
    unknown_names,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason. `step` is the id of the step at fault, empty for the whole."""

    code: str
    message: str | Promise
    step: str = ""

    def to_json(self) -> dict[str, str]:
        """Return the form of API answers."""
        return {"code": self.code, "message": str(self.message), "step": self.step}


def publish_problems(graph: Graph) -> list[Problem]:
    """Return every reason why a graph may not be published; none means it may."""
    return [
        *_whole(graph),
        *_names(graph),
        *_order(graph),
    ]


def _whole(graph: Graph) -> Iterator[Problem]:
    if graph.placeholder:
        yield Problem(
            "placeholder",
            _("The steps are a placeholder. Write the real steps first."),
        )
    if not graph.steps:
        yield Problem("empty", _("There are no steps. Add at least one."))


def _names(graph: Graph) -> Iterator[Problem]:
    for number, step in enumerate(graph.steps, start=1):
        if not step.id:
            message = _("Step %(number)s has no id. Give it one.")
            yield Problem("missing_id", message % {"number": number})
        if not step.title:
            message = _("Step %(number)s has no title. Say what is to be done.")
            yield Problem("missing_title", message % {"number": number}, step.id)
    for name in filter(None, doubled_ids(graph)):
        message = _("The id “%(id)s” is used twice. Give each step its own.")
        yield Problem("duplicate_id", message % {"id": name}, name)


def _order(graph: Graph) -> Iterator[Problem]:
    for step, name in unknown_names(graph):
        message = _("“%(title)s” waits for “%(id)s”, which is not a step.")
        facts = {"title": step.title or step.id, "id": name}
        yield Problem("unknown_step", message % facts, step.id)
    cyclic = cyclic_steps(graph)
    for step in cyclic:
        message = _("“%(title)s” waits for itself. Break the circle.")
        yield Problem("cycle", message % {"title": step.title or step.id}, step.id)
    named = {step.id for step in cyclic} | {
        step.id for step, _name in unknown_names(graph)
    }
    for step in stuck_steps(graph):
        if step.id not in named:
            message = _("“%(title)s” can never start. Look at what it waits for.")
            facts = {"title": step.title or step.id}
            yield Problem("unreachable", message % facts, step.id)
