"""Answers that are not the page: branded error pages, and JSON for scripts.

Error pages stand alone: no statement, no form, the same body for whoever asks.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _

from tooling.errors import DomainError, NotFound

SIGN_IN_HEADER = "X-Sign-In"


def wants_json(request: HttpRequest) -> bool:
    """Tell whether a script asks, which cannot follow a page to sign in."""
    if "HX-Request" in request.headers or "X-Requested-With" in request.headers:
        return True
    accepted = request.headers.get("Accept", "")
    return accepted.startswith(("application/json", "text/event-stream"))


def sign_in_response(request: HttpRequest) -> HttpResponse:
    """Send a person to the sign-in page; tell a script where that is."""
    sign_in = resolve_url(settings.LOGIN_URL)
    if not wants_json(request):
        return redirect_to_login(request.get_full_path(), sign_in)
    response = JsonResponse(
        error_body("not_authenticated", _("Your session has ended. Sign in again.")),
        status=HTTPStatus.UNAUTHORIZED,
    )
    response.headers[SIGN_IN_HEADER] = sign_in
    return response


def error_response(request: HttpRequest, error: DomainError) -> HttpResponse:
    """Turn a domain error into its page, or into JSON for a script."""
    if wants_json(request):
        body = error_body(error.code, str(error), error.field or None)
        if error.extra:
            body["extra"] = error.extra
        return JsonResponse(body, status=error.status)
    if isinstance(error, NotFound):
        return page_not_found(request)
    context = {"message": str(error), "code": error.code, "status": error.status}
    name = "403" if error.status == HTTPStatus.FORBIDDEN else "refused"
    return render(request, f"errors/{name}.html", context, status=error.status)


def error_body(code: str, detail: str, attr: str | None = None) -> dict[str, Any]:
    """Return the one JSON shape of an error, the same as the API's."""
    errors = [{"code": code, "detail": detail, "attr": attr}]
    return {"type": "client_error", "errors": errors}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400."""
    return render(request, "errors/400.html", status=HTTPStatus.BAD_REQUEST)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403."""
    return render(request, "errors/403.html", status=HTTPStatus.FORBIDDEN)


def page_not_found(
    request: HttpRequest, exception: Exception | None = None
) -> HttpResponse:
    """Answer 404, the same for what is foreign and for what never was."""
    return render(request, "errors/404.html", status=HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500."""
    return render(request, "errors/500.html", status=HTTPStatus.INTERNAL_SERVER_ERROR)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that the form was too old and how to send it again."""
    if wants_json(request):
        detail = _("This page is too old. Load it again, then send once more.")
        return JsonResponse(error_body("csrf", detail), status=HTTPStatus.FORBIDDEN)
    return render(request, "errors/csrf.html", status=HTTPStatus.FORBIDDEN)
