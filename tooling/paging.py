"""Keyset pages, newest first: no COUNT, no OFFSET, an order that ends in the key."""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tooling.errors import InvalidInput

M = TypeVar("M", bound=Model)
MAX_LIMIT = 200


class BadCursor(InvalidInput):
    """A cursor that this system did not make."""

    code = "bad_cursor"
    field = "cursor"
    message = _("This page marker is not one of ours. Start from the first page.")


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """Rows of one page and the cursor of the next, empty on the last."""

    items: list[M]
    next_cursor: str


def encode_cursor(at: dt.datetime, key: uuid.UUID) -> str:
    """Return the opaque marker of the row after which a page starts."""
    raw = f"{at.timestamp():.6f}|{key}".encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def decode_cursor(cursor: str) -> tuple[dt.datetime, uuid.UUID]:
    """Return time and key of a marker. Raises `BadCursor`."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        seconds, key = base64.urlsafe_b64decode(padded).decode("ascii").split("|")
        at = dt.datetime.fromtimestamp(float(seconds), tz=dt.UTC)
        return at, uuid.UUID(key)
    except (ValueError, binascii.Error, OverflowError, OSError) as error:
        raise BadCursor from error


def keyset(
    queryset: QuerySet[M], *, cursor: str, limit: int, field: str = "created_at"
) -> Page[M]:
    """Return one page of `queryset`, by (`field`, id) downwards.

    `limit` is held between 1 and 200. Raises `BadCursor`.
    """
    limit = max(1, min(limit, MAX_LIMIT))
    if cursor:
        at, key = decode_cursor(cursor)
        before = Q(**{f"{field}__lt": at}) | Q(**{field: at, "id__lt": key})
        queryset = queryset.filter(Q(**{f"{field}__lte": at}) & before)
    rows = list(queryset.order_by(f"-{field}", "-id")[: limit + 1])
    following = ""
    if len(rows) > limit:
        rows = rows[:limit]
        last: Any = rows[-1]
        following = encode_cursor(getattr(last, field), last.id)
    return Page(items=rows, next_cursor=following)
