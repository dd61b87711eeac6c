"""Addresses of the chat pages."""

from __future__ import annotations

from django.urls import path

from dialogue.live.views import conversation_events
from dialogue.web import acts, chat, fragments, grants, held, lists, panels, why

app_name = "dialogue"
_C = "t/<slug:tenant>/c/<uuid:conversation_id>/"

urlpatterns = [
    path("t/<slug:tenant>/", lists.conversation_list, name="list"),
    path("t/<slug:tenant>/c/new", lists.new, name="new"),
    path(_C, chat.show_chat, name="chat"),
    path(f"{_C}events", conversation_events, name="events"),
    path(f"{_C}send", acts.send, name="send"),
    path(f"{_C}turns/<uuid:turn_id>/stop", acts.stop, name="stop"),
    path(f"{_C}turns/<uuid:turn_id>/retry", acts.retry, name="retry"),
    path(f"{_C}turns/<uuid:turn_id>/why", why.why, name="why"),
    path(f"{_C}turns/<uuid:turn_id>/reading", why.correct, name="correct"),
    path(f"{_C}calls/<uuid:call_id>/run", held.run_once, name="run_once"),
    path(f"{_C}calls/<uuid:call_id>/dismiss", held.dismiss_call, name="dismiss_call"),
    path(f"{_C}grants", grants.grants, name="grants"),
    path(f"{_C}grants/<uuid:grant_id>/revoke", grants.revoke, name="revoke"),
    path(f"{_C}complete", acts.complete, name="complete"),
    path(f"{_C}rename", acts.rename, name="rename"),
    path(f"{_C}archive", acts.archive, name="archive"),
    path(f"{_C}sync", fragments.sync, name="sync"),
    path(f"{_C}older", fragments.older, name="older"),
    path(f"{_C}messages/<uuid:message_id>/", fragments.message, name="message"),
    path(f"{_C}cards/<slug:kind>/<uuid:card_id>/", fragments.card, name="card"),
    path(f"{_C}turns/", fragments.turns, name="turns"),
    path(f"{_C}spawned", panels.spawned, name="spawned"),
    path(f"{_C}costs", panels.costs, name="costs"),
]
