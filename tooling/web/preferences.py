"""Cookies by which a reader's language and time zone reach every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from tooling.web.middleware import LANGUAGE_COOKIE

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tooling.models import User

TIME_ZONE_COOKIE = "time_zone"
_YEAR = 365 * 24 * 3600


def remember_language(response: HttpResponse, language: str) -> None:
    """Show this reader pages in `language` from now on."""
    _set(response, LANGUAGE_COOKIE, language)


def remember_preferences(response: HttpResponse, user: User) -> None:
    """Set what a person chose in their profile, on this browser."""
    if user.language:
        remember_language(response, user.language)
    if user.time_zone and user.time_zone != "UTC":
        _set(response, TIME_ZONE_COOKIE, user.time_zone)


def remember_time_zone(response: HttpResponse, name: str) -> None:
    """Show this reader times in the zone `name` from now on."""
    _set(response, TIME_ZONE_COOKIE, name)


def _set(response: HttpResponse, name: str, value: str) -> None:
    # Readable by scripts: the page sets the time zone when the person has not.
    response.set_cookie(
        name,
        value,
        max_age=_YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
