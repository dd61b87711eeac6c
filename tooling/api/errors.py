"""One shape for every error.

{"type": "validation_error" | "client_error" | "server_error",
 "errors": [{"code": "…", "detail": "…", "attr": "field" | null}],
 "extra": {…}}          only where the error carries facts
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import OperationalError
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import (
    APIException,
    AuthenticationFailed,
    NotAuthenticated,
    ValidationError,
)
from rest_framework.response import Response
from rest_framework.views import set_rollback

from tooling.api.parsers import BodyTooLarge
from tooling.boundary import is_storable
from tooling.errors import DomainError, InvalidInput, NotAllowed, NotFound
from tooling.services.idempotency import KeyInUse

log = logging.getLogger(__name__)


class ServerFault(DomainError):
    """What a caller hears of a fault of ours: nothing that helps an attacker."""

    code = "server_error"
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    message = _("Something went wrong here. It was noted; try again later.")


class Busy(DomainError):
    """The database did not answer in time."""

    code = "busy"
    status = HTTPStatus.SERVICE_UNAVAILABLE
    message = _("The server is busy. Try again in a moment.")


class BadRequest(DomainError):
    """A request that Django itself turned away."""

    code = "bad_request"
    message = _("This request could not be read.")


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response:
    """Return the answer to an exception that a view let through."""
    set_rollback()
    if isinstance(exc, RequestDataTooBig):
        exc = BodyTooLarge()
    if isinstance(exc, APIException):
        return _from_drf(exc, context)
    error = _as_domain_error(exc)
    if error is None:
        error = _fault(exc, context)
    return error_response(error, challenge=_challenge(context))


def _fault(exc: Exception, context: Mapping[str, Any]) -> DomainError:
    """Note a fault of ours, and return what the caller hears of it."""
    request = context.get("request")
    log.error(
        "request failed: %s %s",
        getattr(request, "method", ""),
        getattr(request, "path", ""),
        exc_info=exc,
    )
    return Busy() if isinstance(exc, OperationalError) else ServerFault()


def _as_domain_error(exc: Exception) -> DomainError | None:
    if isinstance(exc, DomainError):
        return exc
    if isinstance(exc, Http404):
        return NotFound()
    if isinstance(exc, PermissionDenied):
        return NotAllowed()
    if isinstance(exc, SuspiciousOperation | UnicodeError):
        return BadRequest()
    return None


def error_response(error: DomainError, *, challenge: str = "") -> Response:
    """Return a domain error in the one shape; a 401 asks by `challenge`."""
    body = envelope(
        kind_of(error.status, validation=isinstance(error, InvalidInput)),
        [entry(error.code, str(error), error.field)],
    )
    if error.extra:
        body["extra"] = error.extra
    response = Response(body, status=error.status)
    if error.status == HTTPStatus.UNAUTHORIZED and challenge:
        response["WWW-Authenticate"] = challenge
    if isinstance(error, Busy | KeyInUse):
        response["Retry-After"] = "1"
    return response


def envelope(kind: str, errors: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the body of an error answer."""
    return {"type": kind, "errors": errors}


def entry(code: str, detail: str, attr: str = "") -> dict[str, Any]:
    """Return one error; `attr` is null where no field is at fault."""
    return {"code": code, "detail": detail, "attr": attr or None}


def kind_of(status: int, *, validation: bool = False) -> str:
    """Return which of the three kinds an answer is."""
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return "server_error"
    return "validation_error" if validation else "client_error"


def _from_drf(exc: APIException, context: Mapping[str, Any]) -> Response:
    validation = isinstance(exc, ValidationError)
    errors = [
        entry(code, detail, attr)
        for attr, code, detail in _flat(exc.get_full_details(), "")
    ]
    response = Response(
        envelope(kind_of(exc.status_code, validation=validation), errors),
        status=exc.status_code,
    )
    wait = getattr(exc, "wait", None)
    if wait is not None:
        response["Retry-After"] = str(int(wait) + 1)
    if isinstance(exc, NotAuthenticated | AuthenticationFailed):
        response["WWW-Authenticate"] = _challenge(context)
    return response


def _flat(details: Any, path: str) -> Iterator[tuple[str, str, str]]:
    """Walk DRF's nested details down to (attr, code, detail)."""
    if isinstance(details, dict) and isinstance(details.get("message"), str):
        attr = path.removesuffix(".non_field_errors")
        attr = "" if attr == "non_field_errors" else attr
        yield attr, str(details["code"]), str(details["message"])
    elif isinstance(details, dict):
        for name, item in details.items():
            shown = str(name) if is_storable(str(name)) else "?"
            yield from _flat(item, f"{path}.{shown}" if path else shown)
    elif isinstance(details, list):
        nested = any(isinstance(i, dict) and "message" not in i for i in details)
        for index, item in enumerate(details):
            if item:
                yield from _flat(item, f"{path}.{index}" if nested else path)


def _challenge(context: Mapping[str, Any]) -> str:
    view, request = context.get("view"), context.get("request")
    if view is None or request is None:
        return ""
    return str(view.get_authenticate_header(request) or "")
