"""Whether a payload hides something from the eye of whoever decides on it."""

from __future__ import annotations

from typing import Any

from tooling import visible


def has_hidden(value: Any) -> bool:
    """Tell whether a text, or any text or key within plain JSON, hides something."""
    if isinstance(value, str):
        return visible.has_hidden(value)
    if isinstance(value, dict):
        return any(has_hidden(key) or has_hidden(item) for key, item in value.items())
    if isinstance(value, list):
        return any(has_hidden(item) for item in value)
    return False
