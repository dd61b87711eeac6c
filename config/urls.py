"""Every address of Dialogue."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from tooling.web import health, home

handler400 = "tooling.web.errors.bad_request"
handler403 = "tooling.web.errors.permission_denied"
handler404 = "tooling.web.errors.page_not_found"
handler500 = "tooling.web.errors.server_error"

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("config.api_urls")),
    path("", include("tooling.web.urls")),
    path("", include("dialogue.web.urls")),
    path("", include("decisions.web.urls")),
    path("", include("missions.web.urls")),
]
