"""Judges one JSON line, as `manage.py judge_intent` reads them."""

from __future__ import annotations

from typing import Any

from tooling.boundary import check_text, parse_json
from tooling.errors import InvalidInput
from tooling.intent.judge import judge_intent

_MAX_TOOL_NAME = 120


class BadLine(InvalidInput):
    """A line that is no object with a text."""

    code = "bad_line"


def judge_line(line: bytes) -> dict[str, Any]:
    """Return label, sorted tools and span (start and end, or None) of a JSON line.

    `line` is an object with `text` and, optionally, `pending`: the name of the tool
    whose action was just shown. Other keys are passed over. Raises `InvalidInput`.
    """
    given = parse_json(line)
    text = given.get("text") if isinstance(given, dict) else None
    if not isinstance(text, str):
        raise BadLine(field="text")
    pending = given.get("pending")
    if pending is not None and not isinstance(pending, str):
        raise BadLine(field="pending")
    check_text(text, field="text")
    check_text(pending or "", field="pending", max_chars=_MAX_TOOL_NAME)
    intent = judge_intent(text, pending=pending)
    return {
        "label": intent.label.value,
        "tools": sorted(intent.tools),
        "span": list(intent.span) if intent.span else None,
    }
