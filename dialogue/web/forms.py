"""Fields of plain forms: what is no number is no number, and no fault of ours."""

from __future__ import annotations

from django.http import HttpRequest

from tooling.errors import InvalidInput

MAX_DIGITS = 6


def number_of(request: HttpRequest, name: str) -> int:
    """Return a whole number that a form sends. Raises `InvalidInput`."""
    value = request.POST.get(name, "").strip()
    if not (value.isascii() and value.isdecimal() and len(value) <= MAX_DIGITS):
        raise InvalidInput(field=name)
    return int(value)
