"""Every address of the product, as the resolver knows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

_PART = re.compile(r"<(?:(?P<converter>\w+):)?(?P<name>\w+)>")


@dataclass(frozen=True, slots=True)
class Address:
    """A route with its named parts (name to converter) and its view."""

    route: str
    parts: tuple[tuple[str, str], ...]
    view: Any

    @property
    def names(self) -> list[str]:
        """Return the names of the parts."""
        return [name for name, _converter in self.parts]

    def path(self, values: Mapping[str, object]) -> str:
        """Return the path with its parts filled in."""
        filled = _PART.sub(lambda found: str(values[found["name"]]), self.route)
        return f"/{filled}"


def all_addresses() -> list[Address]:
    """Return every route that is made of plain parts, in the resolver's order."""
    return list(_walk(get_resolver().url_patterns, ""))


def _walk(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[Address]:
    for pattern in patterns:
        if not isinstance(pattern.pattern, RoutePattern):
            continue
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            parts = [
                (m["name"], m["converter"] or "str") for m in _PART.finditer(route)
            ]
            yield Address(route, tuple(parts), pattern.callback)
