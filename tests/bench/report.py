"""Figures beside those of others and the goals, as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.peers import FIGURES, GOAL_ROW, HEADINGS, PEERS
from tests.bench.statements import Statements

BEGIN = "<!-- bench: begin -->"
END = "<!-- bench: end -->"
# More of these is better.
_RISING = frozenset({"sends_second"})


@dataclass
class Result:
    """What one shape came to. `notes` go under the tables, a line each."""

    shape: str
    figures: dict[str, float] = field(default_factory=dict)
    held: dict[int, int] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)
    statements: Statements | None = None
    notes: list[str] = field(default_factory=list)


def render(results: Sequence[Result], *, heading: str) -> str:
    """Return the tables of one run."""
    parts = [heading, _peer_table(results), _distance_table(results)]
    parts += [_notes(result) for result in results]
    parts += [_statement_list(r.statements) for r in results if r.statements]
    return "\n\n".join(parts) + "\n"


def write_between_marks(path: Path, text: str) -> None:
    """Put a text between the marks of a document, in place of what is there."""
    document = path.read_text(encoding="utf-8")
    before, found, rest = document.partition(BEGIN)
    _old, closed, after = rest.partition(END)
    if not (found and closed):
        message = f"{path} has no place for the tables: {BEGIN} … {END}"
        raise ValueError(message)
    path.write_text(f"{before}{BEGIN}\n{text}{END}{after}", encoding="utf-8")


def _peer_table(results: Sequence[Result]) -> str:
    rows = [*PEERS, *(_peer_row(result) for result in results), GOAL_ROW]
    return _table(HEADINGS, rows)


def _peer_row(result: Result) -> tuple[str, ...]:
    got = result.figures
    histories = [got.get(f"history_{count}") for count in (10, 200, 1000)]
    lag = f"{_value(got.get('lag_200'), 'ms')} ({result.held.get(200, 0)})"
    return (
        f"**Dialogue, {result.shape}**",
        _value(got.get("overhead_p50"), "ms"),
        _value(got.get("cpu_send"), "ms"),
        _value(got.get("sends_second"), ""),
        _value(got.get("first_token_p50"), "ms"),
        lag if 200 in result.held else "-",
        " / ".join(_value(each, "") for each in histories) + " ms",
        _value(got.get("list_10000"), "ms"),
        " + ".join(_value(each, "") for each in result.memory.values()) + " MB",
        _value(got.get("cold_start"), "s"),
    )


def _distance_table(results: Sequence[Result]) -> str:
    headings = ["", *(result.shape for result in results), "goal"]
    headings += [f"{result.shape} to goal" for result in results]
    headings += [
        f"{results[-1].shape} to plain Django",
        f"{results[-1].shape} to probe",
    ]
    rows = []
    for key, (name, unit, goal, django, probe) in FIGURES.items():
        got = [result.figures.get(key) for result in results]
        if any(each is not None for each in got):
            row = [name, *(_value(each, unit) for each in got), _value(goal, unit)]
            row += [_ratio(key, each, goal) for each in got]
            row += [_ratio(key, got[-1], django), _ratio(key, got[-1], probe)]
            rows.append(row)
    return _table(headings, rows)


def _ratio(key: str, got: float | None, other: float | None) -> str:
    if got is None or not other:
        return "-"
    ratio = other / got if key in _RISING else got / other
    return f"{ratio:.2g} x" if ratio < 10 else f"{ratio:.0f} x"


def _value(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    if value >= 20:
        text = f"{value:,.0f}"
    else:
        text = f"{value:.2f}" if value < 1 else f"{value:.1f}"
    return f"{text} {unit}".strip()


def _notes(result: Result) -> str:
    held = ", ".join(f"{held} of {asked}" for asked, held in result.held.items())
    memory = ", ".join(
        f"{name} {_value(each, 'MB')}" for name, each in result.memory.items()
    )
    lines = [f"Streams held: {held}.", f"Idle memory: {memory}.", *result.notes]
    if result.statements is not None:
        lines.append(_statement_line(result.statements))
    return f"{result.shape.capitalize()}:\n" + "\n".join(f"- {line}" for line in lines)


def _statement_line(counted: Statements) -> str:
    return (
        "Statements a send, beside BEGIN and COMMIT: "
        f"{counted.web:.1f} of the web process ({counted.web_commits:.1f} commits) to "
        f"begin it and to hear of its end, {counted.worker:.1f} of the worker "
        f"({counted.worker_commits:.1f} commits) to run and to end it."
    )


def _statement_list(counted: Statements) -> str:
    lines = [f"{n:5.2f}  {who:7}{sql[:110]}" for who, sql, n in counted.listing]
    return (
        "Statements a send, by PostgreSQL's log:\n\n```\n" + "\n".join(lines) + "\n```"
    )


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [_row(headings)]
    lines.append("|" + " --- |" * lines[0].count(" |"))
    return "\n".join([*lines, *(_row(row) for row in rows)])


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def flat(named: Mapping[str, float]) -> str:
    """Return parts of a sum as text."""
    return ", ".join(f"{name} {_value(each, 'ms')}" for name, each in named.items())
