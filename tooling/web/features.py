"""The Features screen (Fonctionnalités): what this team's model may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tooling.policy import Act, allows
from tooling.selectors import features_of
from tooling.services.features import TOGGLES, change_features
from tooling.web.forms import FeaturesForm
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from tooling.web.tenant import TenantRequest

SWITCH_VARIABLE = "DIALOGUE_INPROCESSTOOLS_WRITEENABLED"


@tenant_view()
@require_http_methods(["GET", "HEAD", "POST"])
def features(request: TenantRequest) -> HttpResponse:
    """Show the toggles; admins change them, others read them."""
    if request.method == "POST":
        form = FeaturesForm(request.POST)
        if form.is_valid():
            change_features(principal=request.principal, **form.cleaned_data)
            messages.success(request, _("The features are saved. They hold at once."))
            return redirect("tooling:features", request.tenant.slug)
    row = features_of(tenant_id=request.tenant.pk)
    form = FeaturesForm(initial={name: getattr(row, name) for name in TOGGLES})
    may_change = allows(request.principal, Act.FEATURES)
    for field in form.fields.values():
        field.disabled = not may_change
    context = {
        "form": form,
        "may_change": may_change,
        "switch_on": settings.WRITE_TOOLS_SERVED,
        "switch_variable": SWITCH_VARIABLE,
        "tab": "features",
    }
    return render(request, "tooling/features.html", context)
