"""No address shows another team's rows, or tells them from rows that never were."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.test import Client

from decisions.models import MakerKind
from missions.models import Mission, MissionSuggestionRecord, SuggestionReason
from tests.missions.support import Scene, build_scene, make_call, propose
from tests.support.addresses import Address, all_addresses
from tests.support.api import Someone, make_member, make_token
from tooling.models import Membership

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.case("A15")]

METHODS = ("get", "post", "put", "patch", "delete")
UNKNOWN_SLUG = "never-was"
# Parts that name no row.
WORDS = {"kind": "proposal", "card": "proposal"}
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
# What is asked for at the end of an address, sound enough to reach the row.
BODIES = {
    "messages": {"text": "Hello"},
    "role": {"role": "viewer"},
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


@dataclass(frozen=True, slots=True)
class World:
    """Our own admin, and a row of every kind in another team."""

    by_token: Client
    by_session: Client
    foreign: Scene
    ids: Mapping[str, uuid.UUID]


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
    ids = {
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
    }
    by_session = Client()
    by_session.force_login(ours.user)
    bearer = f"Bearer {make_token(ours)[1]}"
    by_token = Client(headers={"Authorization": bearer})
    return World(by_token, by_session, foreign, ids)


def unknown_ids() -> dict[str, uuid.UUID]:
    return {name: uuid.uuid4() for address in with_ids() for name in address.names}


def values_of(
    address: Address, slug: str, ids: Mapping[str, uuid.UUID]
) -> dict[str, object]:
    missing = set(address.names) - {"tenant", *WORDS} - set(ids)
    if missing:
        pytest.fail(
            f"{address.route}: say in `world` which foreign row {missing} names"
        )
    return {**ids, **WORDS, "tenant": slug}


def answer(
    address: Address, world: World, method: str, slug: str, ids: Mapping[str, uuid.UUID]
) -> tuple[int, str]:
    """Return status and body without what differs by the request itself."""
    values = values_of(address, slug, ids)
    path = address.path(values)
    fields = BODIES.get(address.route.rpartition(">")[2].strip("/"), {})
    if address.route.startswith("api/"):
        client, raw, media_type = world.by_token, json.dumps(fields), JSON
    else:
        client, raw, media_type = world.by_session, urlencode(fields), FORM
    response = client.generic(method.upper(), path, raw, media_type)
    body = response.getvalue().decode()
    for value in [path, slug, *map(str, values.values())]:
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
    for method in METHODS:
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
    for method in METHODS:
        foreign = answer(address, world, method, "foreign", world.ids)
        unknown = answer(address, world, method, UNKNOWN_SLUG, unknown_ids())
        assert foreign == unknown, method
        statuses.add(foreign[0])
    assert statuses <= {404, 405}
    assert 404 in statuses
    assert fingerprint() == before


def test_the_walk_finds_the_addresses() -> None:
    routes = {each.route for each in with_ids()}
    assert len(routes) >= 10
    assert any(route.startswith("api/v1/t/") for route in routes)
    assert any(route.startswith("t/") for route in routes)
