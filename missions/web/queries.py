"""Parts of addresses that pages read: anything odd counts as not given."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from tooling.boundary import is_storable

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.http import HttpRequest

MAX_WORDS = 200


def chosen(
    request: HttpRequest, name: str, choices: Collection[str], *, default: str = ""
) -> str:
    """Return a parameter that is one of `choices`, else the default."""
    value = request.GET.get(name, default)
    return value if value in choices else default


def search_words(request: HttpRequest) -> str:
    """Return the words of a search form."""
    words = request.GET.get("q", "").strip()[:MAX_WORDS]
    return words if is_storable(words) else ""


def key_in(request: HttpRequest, name: str) -> uuid.UUID | None:
    """Return a key named in the address or the form."""
    try:
        return uuid.UUID(request.POST.get(name) or request.GET.get(name, ""))
    except ValueError:
        return None
