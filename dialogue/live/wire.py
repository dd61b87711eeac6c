"""Server-sent events on the wire: one `data:` line of JSON, ids that can be resumed.

An id is `<event seq>` or `<event seq>.<attempt>.<step>.<characters>`: everything up
to that event, and that much of the running answer's text, has been sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import orjson

PING = b": ping\n\n"
# A browser waits this long (milliseconds) before it comes back.
RETRY = b"retry: 1000\n\n"
_LINE_ENDS = tuple(
    (char.encode(), rb"\u%04x" % ord(char)) for char in "\x85\u2028\u2029"
)
_ID = re.compile(r"^(\d{1,10})(?:\.(\d{1,5})\.(\d{1,5})\.(\d{1,9}))?$", re.ASCII)


@dataclass(slots=True)
class Position:
    """How far a reader has read. `length` counts characters of the step's text."""

    seq: int = 0
    attempt: int = 0
    step: int = 0
    length: int = 0

    def __str__(self) -> str:
        if not self.length:
            return str(self.seq)
        return f"{self.seq}.{self.attempt}.{self.step}.{self.length}"


def parse_position(value: str) -> Position | None:
    """Return the position of a `Last-Event-ID`, None when it is none of ours."""
    match = _ID.match(value.strip())
    if match is None:
        return None
    return Position(*(int(part or 0) for part in match.groups()))


def encode(event: str, data: dict[str, Any], position: Position) -> bytes:
    """Return one event. `event` is one of our own names, never outside text.

    JSON escapes CR and LF. The rarer line ends are escaped here: a parser of event
    streams knows only CR and LF, but many clients split lines at all of them.
    """
    body = orjson.dumps(data)
    for raw, escaped in _LINE_ENDS:
        body = body.replace(raw, escaped)
    name, at = event.encode("ascii"), str(position).encode("ascii")
    return b"event: %s\nid: %s\ndata: %s\n\n" % (name, at, body)
