"""Judge messages line by line, to look at what the judge makes of them."""

from __future__ import annotations

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tooling.intent import judge_intent

# In characters of one line; longer ones are refused without being parsed.
MAX_LINE = 4_000_000


class Command(BaseCommand):
    """Read JSON lines from standard input, write one JSON line for each.

    A line is `{"text": "...", "pending": "..."}`, `pending` being optional. A line that
    cannot be read gives `{"error": code, "line": number}`, and exit code 1 at the end.
    """

    help = "Judge the intent of messages given as JSON lines on standard input"
    requires_system_checks = ()
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer every line in its order."""
        faults = 0
        for number, line in enumerate(sys.stdin.buffer, start=1):
            answer = judge_line(line)
            if "error" in answer:
                answer["line"] = number
                faults += 1
            self.stdout.write(json.dumps(answer))
            self.stdout.flush()
        if faults:
            message = f"{faults} lines could not be read."
            raise CommandError(message)


def judge_line(line: bytes) -> dict[str, Any]:
    """Return the answer to one line, or `{"error": code}`."""
    if len(line) > MAX_LINE:
        return {"error": "line_too_long"}
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        return {"error": "not_json"}
    if not isinstance(asked, dict) or set(asked) - {"text", "pending"}:
        return {"error": "not_a_message"}
    text, pending = asked.get("text"), asked.get("pending")
    if not isinstance(text, str):
        return {"error": "text_missing"}
    if pending is not None and not isinstance(pending, str):
        return {"error": "pending_not_text"}
    verdict = judge_intent(text, pending=pending)
    return {
        "label": verdict.label.value,
        "tools": sorted(verdict.tools),
        "span": list(verdict.span) if verdict.span else None,
    }
