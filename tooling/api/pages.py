"""Keyset pages and checked query parameters."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypedDict

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tooling.boundary import check_text
from tooling.errors import InvalidInput
from tooling.paging import MAX_LIMIT, Page

DEFAULT_LIMIT = 50
_MAX_DIGITS = 10
MAX_NUMBER = 2**31 - 1


class BadNumber(InvalidInput):
    """A query parameter that should be a whole number within a range."""

    code = "not_a_number"


class UnknownChoice(InvalidInput):
    """A query parameter outside its choices."""

    code = "invalid_choice"


class PageQuery(TypedDict):
    """The two parameters of a page, as selectors take them."""

    cursor: str
    limit: int


PAGE_PARAMETERS = [
    OpenApiParameter(
        "cursor", OpenApiTypes.STR, description="`next` of the page before."
    ),
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT},
        description=f"Rows a page; {DEFAULT_LIMIT} unless stated.",
    ),
]


def page_query(request: Request) -> PageQuery:
    """Return cursor and limit. A limit over 200 is 200; below 1 is refused."""
    return {
        "cursor": text_param(request, "cursor", max_chars=200),
        "limit": limit_param(request),
    }


def limit_param(request: Request, *, default: int = DEFAULT_LIMIT) -> int:
    """Return the parameter `limit`, held to 200. Raises `BadNumber`."""
    limit = number_param(request, "limit", minimum=1, maximum=MAX_LIMIT)
    return default if limit is None else limit


def page_of(serializer: type[serializers.Serializer[Any]]) -> Any:
    """Return the schema of a page of `serializer`'s rows."""
    name = serializer.__name__.removesuffix("Serializer")
    return inline_serializer(
        f"{name}Page",
        {
            "items": serializer(many=True),
            "next": serializers.CharField(
                allow_null=True, help_text="The cursor of the next page, if any."
            ),
        },
    )


def page_response(
    page: Page[Any],
    serializer: type[serializers.Serializer[Any]],
    *,
    context: dict[str, Any] | None = None,
) -> Response:
    """Return `{"items": […], "next": cursor or null}`."""
    rows = serializer(page.items, many=True, context=context or {}).data
    return Response({"items": rows, "next": page.next_cursor or None})


def text_param(request: Request, name: str, *, max_chars: int = 200) -> str:
    """Return a text parameter, "" where it is missing; storable and bounded."""
    return check_text(
        request.query_params.get(name, ""), field=name, max_chars=max_chars
    )


def number_param(
    request: Request, name: str, *, minimum: int = 0, maximum: int = MAX_NUMBER
) -> int | None:
    """Return a whole number, None where it is missing; held down to `maximum`.

    Raises `BadNumber` for anything but ASCII digits, and below `minimum`.
    """
    raw = request.query_params.get(name)
    if raw is None or raw == "":
        return None
    digits = raw.lstrip("0") or "0"
    if not (raw.isascii() and raw.isdigit()) or int(digits[:_MAX_DIGITS]) < minimum:
        message = _("This must be a whole number from %(minimum)s to %(maximum)s.")
        span = {"minimum": minimum, "maximum": maximum}
        raise BadNumber(message % span, field=name)
    return maximum if len(digits) > _MAX_DIGITS else min(int(digits), maximum)


def choice_param(request: Request, name: str, choices: Collection[str]) -> str:
    """Return one of `choices`, "" where it is missing. Raises `UnknownChoice`."""
    value = request.query_params.get(name, "")
    if value and value not in choices:
        message = _("This must be one of: %(choices)s.")
        raise UnknownChoice(message % {"choices": ", ".join(choices)}, field=name)
    return value


def flag_param(request: Request, name: str) -> bool:
    """Return `true` or `false`; false where it is missing."""
    return choice_param(request, name, ("true", "false")) == "true"
