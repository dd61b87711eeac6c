"""A person's own page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tooling.errors import DomainError
from tooling.selectors import memberships_of
from tooling.services.people import save_profile
from tooling.web.forms import ProfileForm, show_error
from tooling.web.preferences import remember_language, remember_time_zone
from tooling.web.tenant import signed_in_view

if TYPE_CHECKING:
    from tooling.web.tenant import SignedInRequest


@signed_in_view
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: SignedInRequest) -> HttpResponse:
    """Show and change name, language and time zone; lead to password and factor."""
    user = request.user
    known = {
        "full_name": user.full_name,
        "language": user.language or translation.get_language(),
        # Who never chose one is offered the zone of their browser.
        "time_zone": _zone_of_browser() if user.time_zone == "UTC" else user.time_zone,
    }
    form = ProfileForm(request.POST or None, initial=known)
    if request.method == "POST" and form.is_valid():
        saved = _save(request, form)
        if saved is not None:
            return saved
    context = {
        "form": form,
        "teams": memberships_of(user=user),
        "has_second_factor": is_mfa_enabled(user),
        "second_factor_required": settings.MFA_REQUIRED,
    }
    return render(request, "tooling/profile.html", context)


def _zone_of_browser() -> str:
    return timezone.get_current_timezone_name()


def _save(request: SignedInRequest, form: ProfileForm) -> HttpResponse | None:
    try:
        user = save_profile(user_id=request.user.pk, **form.cleaned_data)
    except DomainError as error:
        show_error(form, error)
        return None
    with translation.override(user.language):
        messages.success(request, _("Your profile is saved."))
    response = redirect("tooling:profile")
    remember_language(response, user.language)
    remember_time_zone(response, user.time_zone)
    return response
