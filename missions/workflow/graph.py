"""The graph of a workflow: pure functions over plain values.

As stored: `{"steps": [{"id", "title", "kind", "after": [ids]}], "placeholder": bool}`.
A draft may hold a graph that cannot be published yet; `missions.workflow.validation`
says why. A plan that a proposal brings must be sound, or a placeholder stands in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from tooling.boundary import check_text
from tooling.errors import InvalidInput

MAX_STEPS = 50
MAX_TITLE = 200
MAX_ID = 40
KINDS = ("task", "check", "wait")


class InvalidGraph(InvalidInput):
    """Steps that are not even a graph in our form."""

    code = "invalid_graph"
    field = "steps"
    message = _("These steps do not have the form of a workflow.")


class UnusablePlan(InvalidInput):
    """A well-formed plan that cannot be walked from start to end."""

    code = "unusable_plan"
    field = "plan"
    message = _(
        "The steps of this plan do not fit together. Give each step its own id, "
        "name only known steps in “after”, and let no step wait for itself."
    )


@dataclass(frozen=True, slots=True)
class Step:
    """One step; `after` names the steps that must be done before it."""

    id: str
    title: str
    kind: str = "task"
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """Steps in the order in which they were written down."""

    steps: tuple[Step, ...]
    placeholder: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the stored form."""
        return {
            "steps": [
                {
                    "id": step.id,
                    "title": step.title,
                    "kind": step.kind,
                    "after": list(step.after),
                }
                for step in self.steps
            ],
            "placeholder": self.placeholder,
        }


def parse_graph(value: Any) -> Graph:
    """Return the graph of a stored or submitted value.

    Checks form and bounds only: text, known kinds, at most 50 steps. Raises
    `InvalidGraph`; soundness is for `build_graph` and `publish_problems`.
    """
    if not isinstance(value, Mapping) or not isinstance(value.get("steps"), list):
        raise InvalidGraph
    if len(value["steps"]) > MAX_STEPS:
        message = _("A workflow has at most %(limit)s steps.")
        raise InvalidGraph(message % {"limit": MAX_STEPS})
    placeholder = value.get("placeholder", False)
    if not isinstance(placeholder, bool):
        raise InvalidGraph
    return Graph(tuple(_parse_step(step) for step in value["steps"]), placeholder)


def _parse_step(value: Any) -> Step:
    if not isinstance(value, Mapping):
        raise InvalidGraph
    after = value.get("after") or []
    if not isinstance(after, list | tuple) or len(after) > MAX_STEPS:
        raise InvalidGraph
    kind = value.get("kind", "task")
    if kind not in KINDS:
        message = _("A step is a task, a check or a wait.")
        raise InvalidGraph(message)
    return Step(
        id=_short(value.get("id"), MAX_ID),
        title=_short(value.get("title"), MAX_TITLE),
        kind=kind,
        after=tuple(dict.fromkeys(_short(name, MAX_ID) for name in after)),
    )


def _short(value: Any, limit: int) -> str:
    if not isinstance(value, str):
        raise InvalidGraph
    return " ".join(check_text(value, field="steps", max_chars=limit).split())


def build_graph(plan: Mapping[str, Any]) -> Graph:
    """Return the sound graph of a proposal's plan.

    Raises `InvalidGraph` for a wrong form and `UnusablePlan` where steps are
    missing, doubled, untitled, waiting for unknown steps or for each other.
    """
    graph = parse_graph({**plan, "placeholder": False})
    known = {step.id for step in graph.steps}
    sound = (
        graph.steps
        and len(known) == len(graph.steps)
        and all(step.id and step.title for step in graph.steps)
        and all(name in known for step in graph.steps for name in step.after)
        and not stuck_steps(graph)
    )
    if not sound:
        raise UnusablePlan
    return graph


def placeholder_graph(titles: Sequence[str]) -> Graph:
    """Return a marked stand-in: the tasks one after the other, in their order."""
    kept = [title[:MAX_TITLE] for title in titles[:MAX_STEPS]]
    ids = [f"step-{number}" for number in range(1, len(kept) + 1)]
    steps = tuple(
        Step(id=name, title=title, after=tuple(ids[index - 1 : index]))
        for index, (name, title) in enumerate(zip(ids, kept, strict=True))
    )
    return Graph(steps, placeholder=True)


def layers(graph: Graph) -> list[list[Step]]:
    """Return the steps in topological layers; what can never start is left out.

    Each step stands in the first layer in which all that it waits for is done.
    Steps with an id that is used twice count once, as they were first written.
    """
    waiting = _unique(graph.steps)
    done: set[str] = set()
    found: list[list[Step]] = []
    while ready := [step for step in waiting if done.issuperset(step.after)]:
        found.append(ready)
        done.update(step.id for step in ready)
        waiting = [step for step in waiting if step.id not in done]
    return found


def stuck_steps(graph: Graph) -> list[Step]:
    """Return the steps that can never start, in the order of the graph."""
    started = {step.id for layer in layers(graph) for step in layer}
    return [step for step in _unique(graph.steps) if step.id not in started]


def cyclic_steps(graph: Graph) -> list[Step]:
    """Return the steps that wait for themselves, directly or through others."""
    steps = _unique(graph.steps)
    after = {step.id: set(step.after) for step in steps}
    return [step for step in steps if step.id in _before(step.id, after)]


def _before(start: str, after: Mapping[str, set[str]]) -> set[str]:
    """Return the ids that a step waits for, near and far."""
    seen: set[str] = set()
    border = {start}
    while border:
        border = {name for step in border for name in after.get(step, ())} - seen
        seen |= border
    return seen


def doubled_ids(graph: Graph) -> list[str]:
    """Return the ids that more than one step has."""
    counts = Counter(step.id for step in graph.steps)
    return [name for name, count in counts.items() if count > 1]


def unknown_names(graph: Graph) -> list[tuple[Step, str]]:
    """Return each step with a name in `after` that no step has."""
    known = {step.id for step in graph.steps}
    return [
        (step, name) for step in graph.steps for name in step.after if name not in known
    ]


def _unique(steps: Iterable[Step]) -> list[Step]:
    first: dict[str, Step] = {}
    for step in steps:
        first.setdefault(step.id, step)
    return list(first.values())
