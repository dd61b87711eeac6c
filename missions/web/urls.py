"""Addresses of Missions, workflows, suggestions and proposals."""

from __future__ import annotations

from django.urls import path

from missions.web import drafts, missions, pending, proposals, suggestions

app_name = "missions"
urlpatterns = [
    path("t/<slug:tenant>/missions/", missions.show_missions, name="mission_list"),
    path("t/<slug:tenant>/missions/new", pending.make, name="pending_new"),
    path(
        "t/<slug:tenant>/missions/<uuid:mission_id>/",
        missions.show_mission,
        name="mission",
    ),
    path(
        "t/<slug:tenant>/missions/<uuid:mission_id>/settle",
        missions.settle,
        name="mission_settle",
    ),
    path("t/<slug:tenant>/workflows/", drafts.show_drafts, name="draft_list"),
    path("t/<slug:tenant>/workflows/<uuid:draft_id>/", drafts.show_draft, name="draft"),
    path(
        "t/<slug:tenant>/workflows/<uuid:draft_id>/edit",
        drafts.edit,
        name="draft_edit",
    ),
    path(
        "t/<slug:tenant>/workflows/<uuid:draft_id>/publish",
        drafts.publish,
        name="draft_publish",
    ),
    path(
        "t/<slug:tenant>/workflows/<uuid:draft_id>/versions/<int:number>/",
        drafts.show_version,
        name="version",
    ),
    path(
        "t/<slug:tenant>/suggestions/", suggestions.show_suggestions, name="suggestions"
    ),
    path(
        "t/<slug:tenant>/suggestions/<uuid:suggestion_id>/dismiss",
        suggestions.dismiss,
        name="suggestion_dismiss",
    ),
    path("t/<slug:tenant>/proposals/new", proposals.propose, name="propose"),
]
