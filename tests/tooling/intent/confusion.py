"""The confusion table of the judge on `messages.jsonl`, for `docs/intent.md`.

`python -m tests.tooling.intent.confusion` writes the table anew between its marks;
what else the page says is written by hand.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tooling.intent import Intent, IntentLabel, judge_intent

MESSAGES = Path(__file__).with_name("messages.jsonl")
PAGE = Path(__file__).parents[3] / "docs" / "intent.md"
BEGIN, END = "<!-- confusion: begin -->", "<!-- confusion: end -->"


@dataclass(frozen=True, slots=True)
class Message:
    """A message with the reading that a person gave it."""

    id: str
    lang: str
    category: str
    text: str
    label: IntentLabel
    tools: frozenset[str]
    pending: str | None

    def judged(self) -> Intent:
        """Return what the judge makes of it."""
        return judge_intent(self.text, pending=self.pending)


def read_messages() -> list[Message]:
    """Return the messages of the file, in order."""
    rows = [json.loads(line) for line in MESSAGES.read_text("utf-8").splitlines()]
    return [
        Message(
            id=row["id"],
            lang=row["lang"],
            category=row["category"],
            text=row["text"],
            label=IntentLabel(row["label"]),
            tools=frozenset(row["tools"]),
            pending=row["pending"],
        )
        for row in rows
    ]


def _table(headings: list[str], rows: list[list[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def render() -> str:
    """Return both tables and the list of what is read otherwise than meant."""
    messages = read_messages()
    read = [(message, message.judged()) for message in messages]
    pairs = Counter((message.label, intent.label) for message, intent in read)
    labels = list(IntentLabel)
    table = _table(
        ["meant \\ read", *(f"`{label}`" for label in labels)],
        [
            [f"`{meant}`", *(str(pairs[meant, found]) for found in labels)]
            for meant in labels
        ],
    )
    total = Counter(message.category for message in messages)
    right = Counter(m.category for m, i in read if m.label is i.label)
    by_category = _table(
        ["category", "messages", "labels right"],
        [[name, str(total[name]), str(right[name])] for name in sorted(total)],
    )
    wrong = [
        f"- {m.id}, `{m.label}` read as `{i.label}`: {m.text.splitlines()[0]}"
        for m, i in read
        if m.label is not i.label
    ]
    french = sum(message.lang == "fr" for message in messages)
    head = (
        f"{len(messages)} messages, {french} of them French;"
        f" {sum(right.values())} labels right."
    )
    return "\n\n".join([head, table, by_category, "Read otherwise:", "\n".join(wrong)])


def page_table() -> str:
    """Return what stands between the marks of the page."""
    return PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0].strip("\n")


def write_page() -> None:
    """Put the tables between the marks of the page."""
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{render()}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    write_page()
