"""Strict JSON from outside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.parsers import BaseParser

from tooling.boundary import UnsafeJSON, check_json, is_storable, parse_json
from tooling.errors import InvalidInput

_MAX_FIELD_NAME = 80


class BodyTooLarge(APIException):
    """A body over the limit; nothing of it is read further."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "body_too_large"
    default_detail = _("This is too much at once. Send less.")


class StrictJSONParser(BaseParser):
    """JSON in UTF-8 without what could not be stored, named by its field."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the parsed body. Raises `InvalidInput` or `BodyTooLarge`."""
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raw: bytes = stream.read(limit + 1)
        if len(raw) > limit:
            raise BodyTooLarge
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnsafeJSON(_("This is not JSON in UTF-8.")) from error
        try:
            return parse_json(text)
        except InvalidInput as error:
            error.field = error.field or _field_at_fault(text)
            raise


def _field_at_fault(text: str) -> str:
    """Return the name of the first member whose value is refused, if one is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    for name, item in value.items():
        shown = name[:_MAX_FIELD_NAME]
        try:
            check_json(item)
        except InvalidInput:
            return shown if is_storable(shown) else ""
    return ""
