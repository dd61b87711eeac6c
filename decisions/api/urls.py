"""Addresses under `/api/v1/t/<tenant>/`."""

from __future__ import annotations

from django.urls import path

from decisions.api import views

app_name = "decisions-api"
_ONE = "decisions/<uuid:request_id>"

urlpatterns = [
    path("decisions", views.DecisionsView.as_view(), name="decisions"),
    path("questions", views.QuestionsView.as_view(), name="questions"),
    path(_ONE, views.DecisionView.as_view(), name="decision"),
    path(f"{_ONE}/decision", views.DecideView.as_view(), name="decide"),
    path(f"{_ONE}/withdraw", views.WithdrawView.as_view(), name="withdraw"),
    path(f"{_ONE}/revision", views.RevisionsView.as_view(), name="revision"),
    path(f"{_ONE}/retry", views.RetryView.as_view(), name="retry"),
]
