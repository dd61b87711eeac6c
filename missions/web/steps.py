"""The rows of the form in which a person writes the steps of a workflow."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from missions.workflow.graph import MAX_STEPS
from missions.workflow.picture import kind_label

if TYPE_CHECKING:
    from django.http import QueryDict

    from missions.workflow.graph import Graph

BLANK_ROWS = 3
FIELDS = ("step_id", "step_title", "step_kind", "step_after")


@dataclass(frozen=True, slots=True)
class StepRow:
    """One row as text; `after` names ids, parted by commas or blanks."""

    id: str = ""
    title: str = ""
    kind: str = "task"
    after: str = ""

    @property
    def kind_label(self) -> str:
        """Return the word for the kind."""
        return kind_label(self.kind)


def rows_of(graph: Graph, *, blank: int = BLANK_ROWS) -> list[StepRow]:
    """Return a graph as rows, with empty ones to write in."""
    rows = [
        StepRow(step.id, step.title, step.kind, ", ".join(step.after))
        for step in graph.steps
    ]
    return [*rows, *[StepRow()] * min(blank, MAX_STEPS - len(rows))]


def read_rows(data: QueryDict) -> list[StepRow]:
    """Return the written rows of a submitted form, with more empty ones."""
    columns = [data.getlist(name)[: MAX_STEPS + 1] for name in FIELDS]
    rows = [StepRow(*cells) for cells in zip_longest(*columns, fillvalue="")]
    written = [row for row in rows if row.id.strip() or row.title.strip()]
    return [*written, *[StepRow()] * BLANK_ROWS]


def steps_from(rows: list[StepRow]) -> list[dict[str, Any]]:
    """Return rows as steps; a step without an id gets the next free one."""
    written = [row for row in rows if row.id.strip() or row.title.strip()]
    taken = {row.id.strip() for row in written}
    free = (
        name
        for number in range(1, 2 * MAX_STEPS + 2)
        if (name := f"step-{number}") not in taken
    )
    return [
        {
            "id": row.id.strip() or next(free),
            "title": row.title.strip(),
            "kind": row.kind or "task",
            "after": row.after.replace(",", " ").split(),
        }
        for row in written
    ]
