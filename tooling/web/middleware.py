"""Language and time zone of the person at the page."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from tooling.zones import zone_names

LANGUAGE_COOKIE = settings.LANGUAGE_COOKIE_NAME
_KNOWN = {code for code, _name in settings.LANGUAGES}


class _Both:
    """A middleware that works the same before sync and async views."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def before(self, request: HttpRequest) -> None:
        """Prepare the request."""

    def after(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Finish the response."""
        return response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if iscoroutinefunction(self.get_response):
            return self._call_async(request)  # type: ignore[return-value]
        self.before(request)
        return self.after(request, self.get_response(request))

    async def _call_async(self, request: HttpRequest) -> HttpResponse:
        self.before(request)
        response: HttpResponse = await self.get_response(request)  # type: ignore[misc]
        return self.after(request, response)


class OneThreadMiddleware:
    """Stands last: since it knows no async form, all before it run as sync code.

    Under ASGI a request then enters a thread once. Without it every middleware that
    has a sync part enters one twice, some twenty hops a request.
    """

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class LanguageMiddleware(_Both):
    """Choose the language: the cookie of the switch, else what the browser asks."""

    def before(self, request: HttpRequest) -> None:
        """Activate a language for this request."""
        chosen = request.COOKIES.get(LANGUAGE_COOKIE, "")
        if chosen not in _KNOWN:
            chosen = translation.get_language_from_request(request)
        translation.activate(chosen if chosen in _KNOWN else settings.LANGUAGE_CODE)
        request.LANGUAGE_CODE = translation.get_language() or settings.LANGUAGE_CODE

    def after(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Say which language the page is in."""
        response.headers.setdefault(
            "Content-Language", translation.get_language() or settings.LANGUAGE_CODE
        )
        return response


class UserPreferencesMiddleware(_Both):
    """Private pages are not kept by caches; times are shown in the reader's zone.

    The zone comes from a cookie, so that no request reads the user row for it.
    """

    def before(self, request: HttpRequest) -> None:
        """Activate the time zone that the cookie names."""
        name = request.COOKIES.get("time_zone", "")
        if name and name in zone_names():
            timezone.activate(zoneinfo.ZoneInfo(name))
        else:
            timezone.deactivate()

    def after(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Mark everything but static files private."""
        response.headers.setdefault("Cache-Control", "no-store, private")
        return response
