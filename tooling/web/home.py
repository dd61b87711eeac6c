"""The front door, and the switch of languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from tooling.selectors import memberships_of
from tooling.services.people import choose_language
from tooling.web.preferences import remember_language
from tooling.web.tenant import public_view, signed_in_view

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tooling.web.tenant import SignedInRequest


@signed_in_view
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """Lead to the person's team; let them choose where there are several."""
    teams = list(memberships_of(user=request.user))
    if len(teams) == 1:
        return redirect(f"/t/{teams[0].tenant.slug}/")
    return render(request, "tooling/home.html", {"teams": teams})


@public_view
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Change the language of this browser, and of the person who signed in."""
    chosen = request.POST.get("language", "")
    response = HttpResponseRedirect(_way_back(request))
    if chosen in dict(settings.LANGUAGES):
        remember_language(response, chosen)
        if request.user.is_authenticated:
            choose_language(user_id=request.user.pk, language=chosen)
    return response


def _way_back(request: HttpRequest) -> str:
    wanted = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else "/"
