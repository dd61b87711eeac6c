"""Every address of the REST API, under `/api/v1/`."""

from __future__ import annotations

from django.urls import include, path, re_path

from tooling.api.docs import DocsView, OpenAPIView
from tooling.api.me import MeView
from tooling.api.views import NotFoundAPIView

urlpatterns = [
    path("openapi.json", OpenAPIView.as_view(), name="openapi"),
    path("docs/", DocsView.as_view(), name="api-docs"),
    path("me", MeView.as_view(), name="api-me"),
    path("t/<slug:tenant>/", include("dialogue.api.urls")),
    path("t/<slug:tenant>/", include("decisions.api.urls")),
    path("t/<slug:tenant>/", include("missions.api.urls")),
    re_path(r"^.*$", NotFoundAPIView.as_view(), name="api-not-found"),
]
