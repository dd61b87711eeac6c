"""A row of every kind that an address can name."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping

from django.utils import timezone

from decisions.models import MakerKind
from missions.models import (
    Mission,
    MissionSuggestionRecord,
    SuggestionReason,
    WorkflowVersion,
)
from tests.missions.support import (
    Scene,
    build_scene,
    make_grant,
    make_held_call,
    propose,
)
from tests.support.addresses import Address
from tests.support.api import Someone, make_token
from tooling.models import Membership

HOUR = dt.timedelta(hours=1)
Ids = Mapping[str, uuid.UUID | int]
# Parts of addresses that name no row.
WORDS = {"kind": "proposal", "card": "proposal"}


def team_with_every_row(slug: str) -> Ids:
    """Make a team with a row of every kind; return keys by the parts' names."""
    scene = build_scene(slug)
    member = Membership.objects.select_related("user").get(
        tenant=scene.tenant, role="member"
    )
    someone = Someone(member.user, scene.tenant, member.role)
    return {
        **_mission_rows(scene, someone),
        "conversation_id": scene.conversation.pk,
        "message_id": scene.message.pk,
        "turn_id": scene.turn.pk,
        "call_id": make_held_call(scene).pk,
        "grant_id": make_grant(
            scene, given_at=timezone.now(), expires_at=timezone.now() + HOUR
        ).pk,
        "token_id": make_token(someone)[0].pk,
        "membership_id": member.pk,
        "user_id": member.user.pk,
    }


def _mission_rows(scene: Scene, someone: Someone) -> Ids:
    proposed = propose(scene)
    mission = Mission.objects.create(
        tenant=scene.tenant,
        title="Theirs",
        objective="Theirs",
        maker_kind=MakerKind.HUMAN,
        created_by=someone.user,
    )
    suggestion = MissionSuggestionRecord.objects.create(
        tenant=scene.tenant,
        origin_conversation=scene.conversation.pk,
        origin_message=scene.message.pk,
        origin_turn=scene.turn.pk,
        title="An idea",
        text="An idea",
        reason=SuggestionReason.SWITCH_OFF,
    )
    version = WorkflowVersion.objects.create(
        tenant=scene.tenant,
        draft=proposed.draft,
        number=1,
        title="Theirs",
        graph=proposed.draft.graph,
        content_hash=proposed.draft.content_hash,
        published_by=someone.user,
    )
    return {
        "request_id": proposed.request.pk,
        "card_id": proposed.request.pk,
        "draft_id": proposed.draft.pk,
        "mission_id": mission.pk,
        "suggestion_id": suggestion.pk,
        "number": version.number,
    }


def unknown_ids() -> Ids:
    """Return keys of rows that never were, by the same names and more."""
    return {name: uuid.uuid4() for name in _NAMES} | {"number": 999}


_NAMES = (
    *("conversation_id", "message_id", "turn_id", "call_id", "token_id"),
    *("membership_id", "user_id", "request_id", "card_id", "draft_id"),
    *("mission_id", "suggestion_id", "grant_id"),
)


def parts_of(address: Address, slug: str, ids: Ids) -> dict[str, object]:
    """Return what fills an address. A part that is not known yet fails the test."""
    missing = set(address.names) - {"tenant", *WORDS} - set(ids)
    if missing:
        message = f"{address.route}: say in tests/support/rows.py what {missing} names"
        raise AssertionError(message)
    return {**ids, **WORDS, "tenant": slug}
