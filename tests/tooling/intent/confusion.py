"""The confusion table of `docs/intent.md`.

`python -m tests.tooling.intent.confusion` writes the part between its markers anew.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tooling.intent import IntentLabel, judge_intent

HERE = Path(__file__).parent
MESSAGES = HERE / "messages.jsonl"
DOC = HERE.parents[2] / "docs" / "intent.md"
BEGIN, END = "<!-- confusion: begin -->", "<!-- confusion: end -->"


def read_messages(path: Path) -> list[dict[str, Any]]:
    """Return the messages of a file, one a line."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def confusion(messages: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """Count (written label, judged label)."""
    return Counter(
        (one["label"], judge_intent(one["text"], pending=one["pending"]).label.value)
        for one in messages
    )


def generated_part() -> str:
    """Return the table of the written messages, between its markers."""
    messages = read_messages(MESSAGES)
    counted = confusion(messages)
    labels = [label.value for label in IntentLabel]
    french = sum(one["lang"] == "fr" for one in messages)
    right = sum(counted[(label, label)] for label in labels)
    rows = [
        f"{len(messages)} messages, {french} of them French; {right} labels are right.",
        "",
        "| written as, judged as → | " + " | ".join(labels) + " |",
        "|---|" + "---:|" * len(labels),
    ]
    for label in labels:
        cells = (str(counted[(label, judged)]) for judged in labels)
        rows.append(f"| {label} | " + " | ".join(cells) + " |")
    return "\n".join([BEGIN, *rows, END])


def write() -> None:
    """Put the table into the page; the rest of it stays."""
    page = DOC.read_text("utf-8")
    head, _, rest = page.partition(BEGIN)
    DOC.write_text(head + generated_part() + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    write()
