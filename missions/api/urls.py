"""Addresses under `/api/v1/t/<tenant>/`."""

from __future__ import annotations

from django.urls import path

from missions.api import views

app_name = "missions-api"
_MISSION = "missions/<uuid:mission_id>"
_WORKFLOW = "workflows/<uuid:draft_id>"
_SUGGESTION = "suggestions/<uuid:suggestion_id>"

urlpatterns = [
    path("missions", views.MissionsView.as_view(), name="missions"),
    path(_MISSION, views.MissionView.as_view(), name="mission"),
    path(f"{_MISSION}/settle", views.SettleView.as_view(), name="settle"),
    path(f"{_MISSION}/results", views.ResultsView.as_view(), name="results"),
    path("missions/pending", views.PendingView.as_view(), name="pending"),
    path("proposals", views.ProposalsView.as_view(), name="proposals"),
    path("workflows", views.WorkflowsView.as_view(), name="workflows"),
    path(_WORKFLOW, views.WorkflowView.as_view(), name="workflow"),
    path(f"{_WORKFLOW}/publish", views.PublishView.as_view(), name="publish"),
    path("suggestions", views.SuggestionsView.as_view(), name="suggestions"),
    path(_SUGGESTION, views.SuggestionView.as_view(), name="suggestion"),
    path(f"{_SUGGESTION}/dismiss", views.DismissView.as_view(), name="dismiss"),
]
