"""Addresses of the queue's own pages."""

from __future__ import annotations

from django.urls import path

from decisions.web import views

app_name = "decisions"
urlpatterns = [
    path("t/<slug:tenant>/decisions/", views.show_queue, name="queue"),
    path(
        "t/<slug:tenant>/decisions/<uuid:request_id>/",
        views.show_request,
        name="request",
    ),
    path(
        "t/<slug:tenant>/decisions/<uuid:request_id>/withdraw",
        views.withdraw,
        name="withdraw",
    ),
]
