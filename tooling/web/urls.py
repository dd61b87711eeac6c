"""Addresses of the settings pages."""

from __future__ import annotations

from django.urls import path

from tooling.web import (
    features,
    home,
    members,
    model_setup,
    paid_reads,
    profile,
    tokens,
)

app_name = "tooling"
_SETTINGS = "t/<slug:tenant>/settings"
_MODEL = "settings/model"

urlpatterns = [
    path("language/", home.language, name="language"),
    path("me/", profile.profile, name="profile"),
    path(f"{_SETTINGS}/tokens/", tokens.tokens, name="tokens"),
    path(
        f"{_SETTINGS}/tokens/<uuid:token_id>/revoke/",
        tokens.revoke,
        name="token_revoke",
    ),
    path(f"{_SETTINGS}/members/", members.members, name="members"),
    path(f"{_SETTINGS}/members/add/", members.add, name="member_add"),
    path(
        f"{_SETTINGS}/members/<uuid:membership_id>/role/",
        members.role,
        name="member_role",
    ),
    path(
        f"{_SETTINGS}/members/<uuid:membership_id>/remove/",
        members.remove,
        name="member_remove",
    ),
    path(
        f"{_SETTINGS}/members/<uuid:membership_id>/link/",
        members.link,
        name="member_link",
    ),
    path(f"{_SETTINGS}/features/", features.features, name="features"),
    path("settings/paid-reads/", paid_reads.paid_reads, name="paid_reads"),
    path(f"{_MODEL}/", model_setup.model_setup, name="model_setup"),
    path(f"{_MODEL}/test/", model_setup.test_connection, name="model_test"),
    path(f"{_MODEL}/<uuid:preset_id>/", model_setup.model_setup, name="preset"),
    path(
        f"{_MODEL}/<uuid:preset_id>/delete/",
        model_setup.remove_preset,
        name="preset_delete",
    ),
]
