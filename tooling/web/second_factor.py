"""Where a second factor is required, nobody gets past the set-up page without one."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from allauth.account.authentication import get_authentication_records
from allauth.mfa.utils import is_mfa_enabled
from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tooling.web.errors import error_body, wants_json

_ADDED_HERE = "second_factor_added"


class SecondFactorMiddleware:
    """Send a signed-in person without a second factor *in this session* away.

    Asks before every view but sign-in's own and public ones. A personal token is
    a factor of its own: requests with one carry no session.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.MFA_REQUIRED:
            raise MiddlewareNotUsed
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on; `process_view` does the work."""
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., Any],
        args: tuple[Any, ...],
        parts: dict[str, Any],
    ) -> HttpResponse | None:
        """Return the way to the missing factor, None where nothing is missing."""
        if _is_exempt(view) or not request.user.is_authenticated:
            return None
        if is_mfa_enabled(request.user):
            if has_second_factor(request):
                return None
            return _turn_away(request, "mfa_reauthenticate")
        if not wants_json(request):
            messages.warning(
                request,
                _("This server asks for a second factor. Set one up to go on."),
            )
        return _turn_away(request, "mfa_activate_totp")


def has_second_factor(request: HttpRequest) -> bool:
    """Tell whether this session has shown a second factor, or made one."""
    if request.session.get(_ADDED_HERE):
        return True
    user = request.user
    if not user.is_authenticated:
        return False
    records = get_authentication_records(request, user)
    return any(record.get("method") == "mfa" for record in records)


def on_authenticator_added(request: HttpRequest, **_kwargs: Any) -> None:
    """Count a factor that was made in this session as shown. Receiver."""
    request.session[_ADDED_HERE] = True


def _is_exempt(view: Callable[..., Any]) -> bool:
    module = getattr(view, "__module__", "")
    return module.startswith("allauth.") or (
        getattr(view, "access_rule", "") == "public"
    )


def _turn_away(request: HttpRequest, name: str) -> HttpResponse:
    where = reverse(name)
    if wants_json(request) or request.path.startswith("/api/"):
        detail = _("This server asks for a second factor. Set one up to go on.")
        body = error_body("second_factor_required", detail)
        return JsonResponse(body, status=HTTPStatus.FORBIDDEN)
    query = urlencode({"next": request.get_full_path()})
    return HttpResponseRedirect(f"{where}?{query}")
