"""A picture of a workflow: one SVG, readable on a phone and by a screen reader.

Steps stand in layers from top to bottom, so that the picture grows longer, not
wider. Colours come from CSS classes: a strict content policy lets no inline style
through, and light and dark follow the page.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from missions.workflow.graph import Graph, Step, layers, stuck_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.utils.safestring import SafeString

# Two boxes side by side stay readable on a phone.
MAX_PER_ROW = 2
BOX_WIDTH = 200
LINE = 18
GAP_X = 16
GAP_Y = 40
MARGIN = 12
CHARS_PER_LINE = 24
MAX_LINES = 4


@dataclass(frozen=True, slots=True)
class _Box:
    step: Step
    lines: tuple[str, ...]
    x: int
    y: int
    height: int

    @property
    def middle(self) -> int:
        return self.x + BOX_WIDTH // 2


def kind_label(kind: str) -> str:
    """Return the word that people read for a step's kind."""
    return {"task": _("Task"), "check": _("Check"), "wait": _("Wait")}.get(kind, kind)


def draw_graph(graph: Graph, *, title: str, name: str = "flow") -> SafeString:
    """Return the graph as an SVG element; every text in it is escaped.

    `name` is unique among the pictures of one page: ids are made from it.
    """
    rows = list(_rows(graph))
    width = 2 * MARGIN + max((len(row) for row in rows), default=1) * (
        BOX_WIDTH + GAP_X
    )
    width -= GAP_X
    boxes, height = _place(rows, width)
    return format_html(
        '<svg class="flow{mark}" viewBox="0 0 {width} {height}" width="{width}"'
        ' height="{height}" role="img" aria-labelledby="{name}-title {name}-desc"'
        ' xmlns="http://www.w3.org/2000/svg">'
        '<title id="{name}-title">{title}</title><desc id="{name}-desc">{desc}</desc>'
        "{edges}{boxes}</svg>",
        name=name,
        mark=" flow--placeholder" if graph.placeholder else "",
        width=width,
        height=height,
        title=title,
        desc=describe_graph(graph),
        edges=_edges(boxes),
        boxes=format_html_join("", "{}", ((_box(box),) for box in boxes)),
    )


def describe_graph(graph: Graph) -> str:
    """Return the graph in words: what a screen reader says for the picture."""
    count = ngettext("%(count)s step.", "%(count)s steps.", len(graph.steps))
    parts = [count % {"count": len(graph.steps)}]
    if graph.placeholder:
        parts.insert(0, _("Placeholder."))
    names = {step.id: step.title or step.id for step in graph.steps}
    for number, step in enumerate(graph.steps, start=1):
        after = ", ".join(names.get(name, name) for name in step.after)
        sentence = _("%(number)s: %(title)s, after %(after)s.")
        if not after:
            sentence = _("%(number)s: %(title)s, at the start.")
        parts.append(sentence % {"number": number, "title": step.title, "after": after})
    return " ".join(parts)


def _rows(graph: Graph) -> Iterator[list[Step]]:
    stuck = stuck_steps(graph)
    for layer in [*layers(graph), *([stuck] if stuck else [])]:
        for start in range(0, len(layer), MAX_PER_ROW):
            yield layer[start : start + MAX_PER_ROW]


def _place(rows: list[list[Step]], width: int) -> tuple[list[_Box], int]:
    boxes: list[_Box] = []
    y = MARGIN
    for row in rows:
        lines = [wrap_title(step.title or step.id) for step in row]
        # One line for the kind, above the title.
        height = 20 + LINE * (1 + max(len(each) for each in lines))
        row_width = len(row) * (BOX_WIDTH + GAP_X) - GAP_X
        x = (width - row_width) // 2
        for step, each in zip(row, lines, strict=True):
            boxes.append(_Box(step, each, x, y, height))
            x += BOX_WIDTH + GAP_X
        y += height + GAP_Y
    return boxes, max(y - GAP_Y, MARGIN) + MARGIN


def wrap_title(title: str) -> tuple[str, ...]:
    """Return a title in lines that fit a box; the last one ends in … if cut."""
    lines = textwrap.wrap(title, CHARS_PER_LINE, break_long_words=True) or [""]
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], lines[MAX_LINES - 1][:-1] + "…"]
    return tuple(lines)


def _box(box: _Box) -> SafeString:
    lines = format_html_join(
        "",
        '<tspan x="{}" dy="{}">{}</tspan>',
        ((box.x + 12, LINE, line) for line in box.lines),
    )
    return format_html(
        '<g class="flow__step flow__step--{kind}"><title>{full}</title>'
        '<rect class="flow__box" x="{x}" y="{y}" width="{width}" height="{height}"'
        ' rx="8"></rect><text class="flow__text" x="{text_x}" y="{text_y}">'
        '<tspan class="flow__kind">{label}</tspan>{lines}</text></g>',
        kind=box.step.kind,
        full=box.step.title,
        x=box.x,
        y=box.y,
        width=BOX_WIDTH,
        height=box.height,
        text_x=box.x + 12,
        text_y=box.y + 22,
        label=kind_label(box.step.kind),
        lines=lines,
    )


def _edges(boxes: list[_Box]) -> SafeString:
    by_id = {box.step.id: box for box in boxes}
    return format_html_join(
        "",
        '<path class="flow__edge" d="{}"></path>',
        (
            (_curve(by_id[name], box),)
            for box in boxes
            for name in box.step.after
            if name in by_id
        ),
    )


def _curve(start: _Box, end: _Box) -> str:
    top, bottom = start.y + start.height, end.y
    bend = (top + bottom) // 2
    # The arrow's head is part of the line: a marker needs an id of its own per page.
    return (
        f"M{start.middle} {top} C{start.middle} {bend} {end.middle} {bend} "
        f"{end.middle} {bottom} m-5 -8 l5 8 l5 -8"
    )
