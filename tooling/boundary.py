"""The boundary that all text and JSON from outside must pass.

People, models, tools and files send NUL characters, lone surrogates, endless
nesting and megabytes. PostgreSQL refuses the first two with an error, SQLite stores
them and fails at the next read; so neither ever sees them.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import orjson
from django.utils.translation import gettext_lazy as _

from tooling.errors import InvalidInput

MAX_DEPTH = 32
MAX_NODES = 20_000
MAX_JSON_BYTES = 512 * 1024
MAX_INTEGER = 2**53 - 1


class UnsafeText(InvalidInput):
    """Text with a character that cannot be stored."""

    code = "unsafe_text"
    message = _("This text has a character that cannot be stored. Take it out.")


class TextTooLong(InvalidInput):
    """Text over the limit."""

    code = "too_long"


class EmptyText(InvalidInput):
    """Nothing but blanks."""

    code = "blank"
    message = _("Write something first.")


class UnsafeJSON(InvalidInput):
    """JSON that is too deep, too large or not plain."""

    code = "unsafe_json"
    message = _("This JSON is too deep, too large or not plain JSON.")


def check_text(value: str, *, field: str = "", max_chars: int | None = None) -> str:
    """Return `value` unchanged if it may be stored.

    Raises `UnsafeText` for NUL and lone surrogates and `TextTooLong` over
    `max_chars` (characters, not bytes).
    """
    if max_chars is not None and len(value) > max_chars:
        message = _("This is %(length)s characters long; at most %(limit)s fit.")
        raise TextTooLong(
            message % {"length": len(value), "limit": max_chars},
            field=field,
            extra={"length": len(value), "limit": max_chars},
        )
    if not is_storable(value):
        raise UnsafeText(field=field)
    return value


def require_text(value: str, *, field: str = "", max_chars: int | None = None) -> str:
    """Like `check_text`, and refuse what is blank to a reader (`EmptyText`)."""
    check_text(value, field=field, max_chars=max_chars)
    if not is_seen(value):
        raise EmptyText(field=field)
    return value


def is_seen(value: str) -> bool:
    """Tell whether a reader would see anything of a text."""
    return any(char.isprintable() and not char.isspace() for char in value)


def is_storable(value: str) -> bool:
    """Tell whether a text has neither NUL nor a lone surrogate."""
    return "\x00" not in value and not any("\ud800" <= c <= "\udfff" for c in value)


def clean_text(value: str) -> str:
    """Return a storable copy of text that must not be refused (a model's, a tool's).

    What cannot be stored is replaced by U+FFFD, so that a reader sees the place.
    """
    if is_storable(value):
        return value
    return "".join(
        "\ufffd" if c == "\x00" or "\ud800" <= c <= "\udfff" else c for c in value
    )


def check_json(value: Any, *, field: str = "", max_bytes: int = MAX_JSON_BYTES) -> Any:
    """Return `value` unchanged if it is plain, storable JSON within the limits.

    Raises `UnsafeText` or `UnsafeJSON`. Walks without recursion: depth is data.
    """
    stack: list[tuple[Any, int]] = [(value, 1)]
    seen = 0
    size = 0
    while stack:
        node, depth = stack.pop()
        seen += 1
        if depth > MAX_DEPTH or seen > MAX_NODES or size > max_bytes:
            raise UnsafeJSON(field=field)
        if isinstance(node, str):
            size += len(node)
            check_text(node, field=field)
        elif isinstance(node, dict):
            for key, item in node.items():
                if not isinstance(key, str):
                    raise UnsafeJSON(field=field)
                size += len(key)
                check_text(key, field=field)
                stack.append((item, depth + 1))
        elif isinstance(node, list):
            stack.extend((item, depth + 1) for item in node)
        else:
            _check_scalar(node, field=field)
    if size > max_bytes:
        raise UnsafeJSON(field=field)
    return value


def _check_scalar(node: Any, *, field: str) -> None:
    if node is None or isinstance(node, bool):
        return
    if isinstance(node, int) and abs(node) <= MAX_INTEGER:
        return
    if isinstance(node, float) and node == node and abs(node) != float("inf"):
        return
    raise UnsafeJSON(field=field)


def parse_json(text: str | bytes, *, field: str = "") -> Any:
    """Parse strict JSON and check it. Duplicate keys are refused, not resolved."""

    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = {key for key, _value in pairs}
        if len(keys) != len(pairs):
            raise UnsafeJSON(_("This JSON has the same key twice."), field=field)
        return dict(pairs)

    def no_constant(_name: str) -> Any:
        raise UnsafeJSON(field=field)

    if len(text) > MAX_JSON_BYTES * 4:
        raise UnsafeJSON(field=field)
    try:
        value = json.loads(
            text, object_pairs_hook=no_duplicates, parse_constant=no_constant
        )
    except (ValueError, RecursionError) as error:
        raise UnsafeJSON(_("This is not JSON."), field=field) from error
    return check_json(value, field=field)


def canonical_json(value: Any) -> bytes:
    """Return the one byte form of plain JSON: sorted keys, no blanks, UTF-8."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def payload_hash(value: Any) -> str:
    """Return the SHA-256 of the canonical form, as 64 hex digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()
