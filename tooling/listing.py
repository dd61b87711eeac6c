"""What read tools share: bounded lists, excerpts, keys that a model names."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Model

from tooling.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

M = TypeVar("M", bound=Model)
MAX_ITEMS = 20
MAX_TOTAL = 1_000
EXCERPT_CHARS = 240


def bounded_list(
    rows: QuerySet[M],
    to_item: Callable[[M], dict[str, Any]],
    *,
    limit: int = MAX_ITEMS,
) -> dict[str, Any]:
    """Return `{"items", "total", "more"}` of an ordered query set.

    At most 20 items; `total` is counted up to 1,000; `more` says that there are
    further ones, which a narrower question finds.
    """
    total = rows.order_by()[:MAX_TOTAL].count()
    items = [to_item(row) for row in rows[: max(1, min(limit, MAX_ITEMS))]]
    return {"items": items, "total": total, "more": total > len(items)}


def key_of(text: str, *, field: str = "id") -> uuid.UUID:
    """Return the row's key that a model names.

    A malformed one gets the answer of one that does not exist: `NotFound`.
    """
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise NotFound(field=field) from error


def excerpt(text: str, *, around: str = "", limit: int = EXCERPT_CHARS) -> str:
    """Return a text on one line, cut to `limit` characters round a word."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    found = line.lower().find(around.lower()) if around else -1
    start = max(0, min(found - limit // 3, len(line) - limit)) if found > 0 else 0
    cut = line[start : start + limit].strip()
    return f"{'…' if start else ''}{cut}{'…' if start + limit < len(line) else ''}"
