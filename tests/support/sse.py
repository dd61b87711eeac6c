"""Reads server-sent events as a browser does."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its id ("" if none), name ("message" by default) and data."""

    id: str
    name: str
    data: str

    def json(self) -> Any:
        """Return the data, parsed."""
        return json.loads(self.data)


def read_events(lines: Iterable[str]) -> Iterator[ServerEvent]:
    """Yield the events of a stream's lines (as of `response.iter_lines()`).

    Comments (pings) are dropped; an event without its closing blank line is not
    an event.
    """
    fields: dict[str, str] = {}
    data: list[str] = []
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                data.append(value)
            elif name:
                fields[name] = value
            continue
        if data:
            yield ServerEvent(
                fields.get("id", ""), fields.get("event", "message"), "\n".join(data)
            )
        fields, data = {}, []
