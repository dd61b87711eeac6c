"""Addresses under `/api/v1/t/<tenant>/`."""

from __future__ import annotations

from django.urls import path

from dialogue.api.conversations import (
    ConversationCompleteView,
    ConversationCostView,
    ConversationsView,
    ConversationView,
)
from dialogue.api.grants import GrantRevokeView, GrantsView
from dialogue.api.messages import MessagesView
from dialogue.api.tools import ToolsView
from dialogue.api.turns import TurnRetryView, TurnStopView, TurnView
from dialogue.api.why import WhyView
from dialogue.live.views import conversation_events

app_name = "dialogue-api"
_ONE = "conversations/<uuid:conversation_id>"

urlpatterns = [
    path("conversations", ConversationsView.as_view(), name="conversations"),
    path(_ONE, ConversationView.as_view(), name="conversation"),
    path(
        f"{_ONE}/complete",
        ConversationCompleteView.as_view(),
        name="conversation-complete",
    ),
    path(f"{_ONE}/messages", MessagesView.as_view(), name="messages"),
    path(f"{_ONE}/events", conversation_events, name="conversation-events"),
    path(f"{_ONE}/cost", ConversationCostView.as_view(), name="conversation-cost"),
    path(f"{_ONE}/grants", GrantsView.as_view(), name="grants"),
    path(
        f"{_ONE}/grants/<uuid:grant_id>/revoke",
        GrantRevokeView.as_view(),
        name="grant-revoke",
    ),
    path("turns/<uuid:turn_id>/why", WhyView.as_view(), name="turn-why"),
    path("turns/<uuid:turn_id>", TurnView.as_view(), name="turn"),
    path("turns/<uuid:turn_id>/stop", TurnStopView.as_view(), name="turn-stop"),
    path("turns/<uuid:turn_id>/retry", TurnRetryView.as_view(), name="turn-retry"),
    path("tools", ToolsView.as_view(), name="tools"),
]
