"""No address shows another team's rows, or tells them from rows that never were."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from dialogue.services.conversations import create_conversation
from tests.support.addresses import Address, all_addresses
from tests.support.api import make_member, make_token
from tests.support.rows import WORDS, Ids, parts_of, team_with_every_row, unknown_ids

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.case("A15")]

PAGE_METHODS = ("GET", "POST")
UNKNOWN_SLUG = "never-was"
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
# What an address is sent, by its end, so that the row is what is wrong with it.
BODIES: dict[str, dict[str, Any]] = {
    "/messages": {"text": "Hello"},
    "/rename": {"title": "A name"},
    "/role/": {"role": "viewer"},
    "/workflows/<uuid:draft_id>": {"edit_version": 1, "title": "New", "steps": []},
    "/publish": {"edit_version": 1},
    "/settle": {"choice": "approve"},
}
APPS = ("tooling", "dialogue", "decisions", "missions")
# A token's time of use is the caller's own.
OWN_TRACES = {"PersonalToken", "IdempotencyRecord"}


def under_test() -> list[Address]:
    """Return the addresses of teams: those of the REST API and the pages."""
    return [each for each in all_addresses() if "tenant" in each.names]


def with_ids() -> list[Address]:
    """Return those that name a row."""
    return [each for each in under_test() if set(each.names) - {"tenant", *WORDS}]


def methods_of(address: Address) -> tuple[str, ...]:
    """Return the methods of a REST view; those of browsers for a page."""
    return tuple(getattr(getattr(address.view, "cls", None), "acts", PAGE_METHODS))


@dataclass(frozen=True, slots=True)
class World:
    """Our own admin, a row of every kind in another team, and rows of our own."""

    by_token: Client
    by_session: Client
    ids: Ids
    own: Ids


@pytest.fixture
def world() -> World:
    ours = make_member("ours", "admin")
    own = create_conversation(
        principal=ours.principal, track="Build", now=timezone.now()
    )
    by_session = Client()
    by_session.force_login(ours.user)
    bearer = f"Bearer {make_token(ours)[1]}"
    return World(
        by_token=Client(headers={"Authorization": bearer}),
        by_session=by_session,
        ids=team_with_every_row("foreign"),
        own={"conversation_id": own.pk},
    )


def answer(
    address: Address, world: World, method: str, slug: str, ids: Ids
) -> tuple[int, str]:
    """Return status and body without what differs by the request itself."""
    values = parts_of(address, slug, ids)
    path = address.path(values)
    ends = [end for end in BODIES if address.route.endswith(end)]
    fields = BODIES[ends[0]] if ends else {}
    if address.route.startswith("api/"):
        client, raw, media_type = world.by_token, json.dumps(fields), JSON
    else:
        client, raw, media_type = world.by_session, urlencode(fields), FORM
    response = client.generic(method, path, raw, media_type)
    body = response.getvalue().decode()
    ids_named = [
        str(value) for value in values.values() if isinstance(value, uuid.UUID)
    ]
    for value in [path, *ids_named, slug]:
        body = body.replace(value, "…")
    body = re.sub(r'nonce="[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"', "", body)
    return response.status_code, re.sub(r"[A-Za-z0-9]{64}", "…", body)


def fingerprint() -> str:
    """Return a digest of every row of the product."""
    digest = hashlib.sha256()
    models = (model for app in APPS for model in apps.get_app_config(app).get_models())
    for model in models:
        if model.__name__ not in OWN_TRACES:
            rows = sorted(map(repr, model._default_manager.values_list()))  # noqa: SLF001 -- Django's public name
            digest.update(f"{model.__name__}{rows}".encode())
    return digest.hexdigest()


@pytest.mark.parametrize("address", with_ids(), ids=lambda each: each.route)
def test_a_foreign_id_is_an_unknown_one(address: Address, world: World) -> None:
    before = fingerprint()
    statuses = set()
    for method in methods_of(address):
        foreign = answer(address, world, method, "ours", world.ids)
        unknown = answer(address, world, method, "ours", unknown_ids())
        assert foreign == unknown, method
        statuses.add(foreign[0])
    assert statuses <= {404, 405}
    assert 404 in statuses
    assert fingerprint() == before


@pytest.mark.parametrize("address", under_test(), ids=lambda each: each.route)
def test_a_foreign_team_is_an_unknown_one(address: Address, world: World) -> None:
    before = fingerprint()
    statuses = set()
    for method in methods_of(address):
        foreign = answer(address, world, method, "foreign", world.ids)
        unknown = answer(address, world, method, UNKNOWN_SLUG, unknown_ids())
        assert foreign == unknown, method
        statuses.add(foreign[0])
    assert statuses <= {404, 405}
    assert 404 in statuses
    assert fingerprint() == before


def below_own() -> list[Address]:
    """Return those that name a row below a conversation."""
    inside = [each for each in with_ids() if "conversation_id" in each.names]
    return [
        each
        for each in inside
        if set(each.names) - {"tenant", "conversation_id", *WORDS}
    ]


@pytest.mark.parametrize("address", below_own(), ids=lambda each: each.route)
def test_a_foreign_id_below_our_own_row(address: Address, world: World) -> None:
    before = fingerprint()
    statuses = set()
    for method in methods_of(address):
        foreign = answer(address, world, method, "ours", {**world.ids, **world.own})
        unknown = answer(address, world, method, "ours", {**unknown_ids(), **world.own})
        assert foreign == unknown, method
        statuses.add(foreign[0])
    assert statuses <= {404, 405}
    assert 404 in statuses
    assert fingerprint() == before


@pytest.mark.parametrize("field", ["conversation_id", "suggestion_id", "revises"])
def test_a_foreign_id_inside_a_proposal(field: str, world: World) -> None:
    before = fingerprint()
    sound = {
        "title": "Nightly export",
        "objective": "Unpaid invoices reach the finance share every night.",
        "tasks": [{"title": "Write the export"}],
        "acceptance_criteria": ["The file is there at six in the morning."],
    }
    theirs = {**world.ids, "revises": world.ids["request_id"]}
    answers = [
        world.by_token.post(
            "/api/v1/t/ours/proposals", {**sound, field: str(key)}, JSON
        )
        for key in (theirs[field], uuid.uuid4())
    ]
    assert answers[0].status_code in {400, 404}
    assert answers[0].content == answers[1].content
    assert fingerprint() == before


def test_the_walk_finds_the_addresses() -> None:
    routes = {each.route for each in with_ids()}
    assert len(routes) >= 10
    assert any(route.startswith("api/v1/t/") for route in routes)
    assert any(route.startswith("t/") for route in routes)
