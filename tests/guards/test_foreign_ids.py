"""No address shows another team's rows, or tells them from rows that never were."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from decisions.models import MakerKind
from dialogue.services.conversations import create_conversation
from missions.models import (
    Mission,
    MissionSuggestionRecord,
    SuggestionReason,
    WorkflowVersion,
)
from tests.missions.support import build_scene, make_call, propose
from tests.support.addresses import Address, all_addresses
from tests.support.api import Someone, make_member, make_token
from tooling.models import Membership

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.case("A15")]

PAGE_METHODS = ("GET", "POST")
UNKNOWN_SLUG = "never-was"
Ids = Mapping[str, uuid.UUID | int]
# Parts that name no row.
WORDS = {"kind": "proposal", "card": "proposal"}
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
# What an address is sent, by its end, so that the row is what is wrong with it.
BODIES: dict[str, dict[str, Any]] = {
    "/messages": {"text": "Hello"},
    "/rename": {"title": "A name"},
    "/role/": {"role": "viewer"},
    "/workflows/<uuid:draft_id>": {"edit_version": 1, "title": "New", "steps": []},
    "/publish": {"edit_version": 1},
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
    foreign = build_scene("foreign")
    proposed = propose(foreign)
    call = make_call(foreign, "mission_create", verdict="refuse")
    member = Membership.objects.filter(tenant=foreign.tenant).first()
    assert member is not None
    theirs = Someone(member.user, foreign.tenant, member.role)
    mission = Mission.objects.create(
        tenant=foreign.tenant,
        title="Theirs",
        objective="Theirs",
        maker_kind=MakerKind.HUMAN,
        created_by=member.user,
    )
    suggestion = MissionSuggestionRecord.objects.create(
        tenant=foreign.tenant,
        origin_conversation=foreign.conversation.pk,
        origin_message=foreign.message.pk,
        origin_turn=foreign.turn.pk,
        title="An idea",
        text="An idea",
        reason=SuggestionReason.SWITCH_OFF,
    )
    ids: dict[str, uuid.UUID | int] = {
        "conversation_id": foreign.conversation.pk,
        "message_id": foreign.message.pk,
        "turn_id": foreign.turn.pk,
        "request_id": proposed.request.pk,
        "draft_id": proposed.draft.pk,
        "mission_id": mission.pk,
        "suggestion_id": suggestion.pk,
        "call_id": call.pk,
        "token_id": make_token(theirs)[0].pk,
        "membership_id": member.pk,
        "user_id": member.user_id,
        "card_id": proposed.request.pk,
        "number": 1,
    }
    WorkflowVersion.objects.create(
        tenant=foreign.tenant,
        draft=proposed.draft,
        number=1,
        title="Theirs",
        graph=proposed.draft.graph,
        content_hash=proposed.draft.content_hash,
        published_by=member.user,
    )
    own = create_conversation(
        principal=ours.principal, track="Build", now=timezone.now()
    )
    by_session = Client()
    by_session.force_login(ours.user)
    bearer = f"Bearer {make_token(ours)[1]}"
    by_token = Client(headers={"Authorization": bearer})
    return World(by_token, by_session, ids, {"conversation_id": own.pk})


def unknown_ids() -> Ids:
    return {
        name: 999 if converter == "int" else uuid.uuid4()
        for address in with_ids()
        for name, converter in address.parts
    }


def values_of(address: Address, slug: str, ids: Ids) -> dict[str, object]:
    missing = set(address.names) - {"tenant", *WORDS} - set(ids)
    if missing:
        pytest.fail(
            f"{address.route}: say in `world` which foreign row {missing} names"
        )
    return {**ids, **WORDS, "tenant": slug}


def answer(
    address: Address, world: World, method: str, slug: str, ids: Ids
) -> tuple[int, str]:
    """Return status and body without what differs by the request itself."""
    values = values_of(address, slug, ids)
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
