"""`Idempotency-Key` for requests that create."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tooling.api.errors import exception_handler
from tooling.api.views import TenantAPIView
from tooling.boundary import payload_hash
from tooling.errors import InvalidInput
from tooling.services.idempotency import (
    StoredAnswer,
    TakenKey,
    give_up_key,
    store_answer,
    take_key,
)

MAX_KEY = 120
_KEPT_HEADERS = ("Location", "ETag")
_NOT_KEPT = frozenset({HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS})

IDEMPOTENCY_PARAMETER = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="Sent again with the same body, the first answer is given again.",
)

Method = Callable[..., Response]


class BadKey(InvalidInput):
    """A key that is empty, too long or not plain ASCII."""

    code = "bad_idempotency_key"
    field = "Idempotency-Key"
    message = _("An Idempotency-Key is 1 to 120 printable ASCII characters.")


def key_of(request: Request) -> str | None:
    """Return the request's key, None without one. Raises `BadKey`."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not 0 < len(key) <= MAX_KEY or not (key.isascii() and key.isprintable()):
        raise BadKey
    return key


def idempotent(method: Method) -> Method:
    """Let a view's method run once for a key; its answer is kept for a day.

    The method runs inside a transaction with the storing of its answer: it makes
    one call to one service, and neither sleeps nor reaches out. A 409, 429 or 5xx
    is not kept, so that the request may be sent again.
    """

    @wraps(method)
    def keyed(view: TenantAPIView, request: Request, **parts: Any) -> Response:
        key = key_of(request)
        if key is None:
            return method(view, request, **parts)
        body = {"method": request.method, "path": request.path, "body": request.data}
        taken = take_key(
            principal=view.principal,
            key=key,
            body_hash=payload_hash(body),
            now=view.now,
        )
        if isinstance(taken, StoredAnswer):
            return _replay(taken)
        return _work(view, request, method, taken, parts)

    return keyed


def _replay(stored: StoredAnswer) -> Response:
    headers = {**stored.headers, "Idempotency-Replayed": "true"}
    return Response(json.loads(stored.body), status=stored.status, headers=headers)


def _work(
    view: TenantAPIView,
    request: Request,
    method: Method,
    taken: TakenKey,
    parts: dict[str, Any],
) -> Response:
    """Run the method and store its answer in one transaction."""
    try:
        with transaction.atomic():
            response = _answer(view, request, method, parts)
            if _is_kept(response):
                store_answer(taken=taken, answer=_stored(response))
            elif response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                transaction.set_rollback(True)
    except Exception:
        give_up_key(taken=taken)
        raise
    if not _is_kept(response):
        give_up_key(taken=taken)
    return response


def _answer(
    view: TenantAPIView, request: Request, method: Method, parts: dict[str, Any]
) -> Response:
    """Return the method's answer; its refusals are answers too.

    A service's own transaction has ended when its error gets here: what it kept on
    purpose (a late decision's note) commits, what it undid is undone.
    """
    try:
        return method(view, request, **parts)
    except Exception as error:  # noqa: BLE001 -- the handler knows them all
        return exception_handler(error, view.get_exception_handler_context())


def _is_kept(response: Response) -> bool:
    status = response.status_code
    return status < HTTPStatus.INTERNAL_SERVER_ERROR and status not in _NOT_KEPT


def _stored(response: Response) -> StoredAnswer:
    """Return the answer as its reader gets it."""
    headers = {name: response[name] for name in _KEPT_HEADERS if name in response}
    body = JSONRenderer().render(response.data).decode() or "null"
    return StoredAnswer(response.status_code, body, headers)
