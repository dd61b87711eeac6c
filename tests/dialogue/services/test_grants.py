"""Grants in a conversation: bounded when given, revoked at once, ended with it."""

from __future__ import annotations

import datetime as dt
import functools
from typing import Any

import pytest

from dialogue.models import ConversationMessage, ConversationStatus, MessageRole
from dialogue.services.conversations import (
    ConversationCompleted,
    complete_conversation,
)
from dialogue.services.grants import end_leave, give_leave
from tests.decisions.support import LATER, at_once
from tests.missions.support import (
    Scene,
    build_scene,
    key_of,
    make_conversation,
    make_grant,
)
from tooling.errors import DomainError, NotFound
from tooling.models import AuditEntry, SessionGrant
from tooling.selectors import live_grants
from tooling.services.grants import (
    BadGrantTime,
    BadGrantTools,
    BadGrantUses,
    TooManyGrants,
    grantable_tools,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene(db: None) -> Scene:
    return build_scene()


def give(scene: Scene, **changes: Any) -> SessionGrant:
    return give_leave(
        **{
            "principal": scene.operator,
            "conversation_id": scene.conversation.pk,
            "tools": ["task_create", "mission_create"],
            "minutes": 15,
            "uses": 5,
            "now": LATER,
            **changes,
        }
    )


def end(scene: Scene, grant: SessionGrant, **changes: Any) -> SessionGrant:
    return end_leave(
        **{
            "principal": scene.member,
            "conversation_id": scene.conversation.pk,
            "grant_id": grant.pk,
            "now": LATER,
            **changes,
        }
    )


def notices() -> list[str]:
    rows = ConversationMessage.objects.filter(role=MessageRole.NOTICE).order_by("seq")
    return list(rows.values_list("text", flat=True))


@pytest.mark.promise("A4", "D54")
@pytest.mark.lesson("H-22")
def test_a_grant_names_tools_time_and_uses_and_says_so(scene: Scene) -> None:
    grant = give(scene)
    assert grant.tools == ["mission_create", "task_create"]
    assert grant.expires_at == LATER + dt.timedelta(minutes=15)
    assert (grant.uses_left, grant.uses_max) == (5, 5)
    assert grant.given_by_id == key_of(scene.operator)
    assert notices() == [
        "ola lets the model do this here without being asked each time, for 15 minutes "
        "and 5 uses at most: Create a Mission (mission_create), Create a task "
        "(task_create)."
    ]
    entry = AuditEntry.objects.get(action="grant.given")
    assert (entry.actor_id, entry.actor_kind) == (key_of(scene.operator), "session")
    assert (entry.before, entry.after["uses_max"]) == ({}, 5)


BAD: list[tuple[dict[str, Any], type[DomainError]]] = [
    ({"tools": []}, BadGrantTools),
    ({"tools": ["mission_propose"]}, BadGrantTools),
    ({"tools": ["mission_list"]}, BadGrantTools),
    ({"tools": ["mission_approve"]}, BadGrantTools),
    ({"tools": ["mission_create", "mission_shred"]}, BadGrantTools),
    ({"tools": ["*"]}, BadGrantTools),
    ({"minutes": 0}, BadGrantTime),
    ({"minutes": 481}, BadGrantTime),
    ({"uses": 0}, BadGrantUses),
    ({"uses": 51}, BadGrantUses),
]


@pytest.mark.promise("A4", "D62")
@pytest.mark.lesson("H-22")
@pytest.mark.parametrize(("changes", "error"), BAD)
def test_a_grant_without_bounds_is_not_given(
    scene: Scene, changes: dict[str, Any], error: type[DomainError]
) -> None:
    with pytest.raises(error):
        give(scene, **changes)
    assert not SessionGrant.objects.exists()
    assert notices() == []
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(("minutes", "uses"), [(1, 1), (480, 50)])
def test_the_bounds_themselves_may_be_given(
    scene: Scene, minutes: int, uses: int
) -> None:
    assert give(scene, minutes=minutes, uses=uses).uses_left == uses


def test_every_allow_listed_write_that_is_there_may_be_named(scene: Scene) -> None:
    assert "mission_create" in grantable_tools()
    assert give(scene, tools=grantable_tools()).tools == grantable_tools()


def test_not_without_end(scene: Scene) -> None:
    for _each in range(20):
        give(scene)
    with pytest.raises(TooManyGrants):
        give(scene)


@pytest.mark.promise("A4")
def test_whoever_writes_here_revokes_it_once(scene: Scene) -> None:
    grant = give(scene)
    assert end(scene, grant).end == "revoked"
    again = end(scene, grant, principal=scene.operator)
    assert again.revoked_by_id == key_of(scene.member)
    assert len(notices()) == 2
    entry = AuditEntry.objects.get(action="grant.revoked")
    assert entry.after["end"] == "revoked"


def test_it_is_revoked_in_its_own_conversation_alone(scene: Scene) -> None:
    grant = give(scene)
    other = make_conversation(scene.member)
    with pytest.raises(NotFound):
        end(scene, grant, conversation_id=other.pk)
    with pytest.raises(NotFound):
        end(scene, grant, principal=scene.stranger)
    grant.refresh_from_db()
    assert grant.revoked_at is None


@pytest.mark.promise("A4", "D9")
def test_grants_end_with_the_conversation_and_none_is_given_after(scene: Scene) -> None:
    grant = give(scene)
    for _twice in range(2):
        complete_conversation(
            principal=scene.member, conversation_id=scene.conversation.pk, now=LATER
        )
    grant.refresh_from_db()
    assert (grant.end, grant.revoked_by_id) == ("completed", key_of(scene.member))
    assert AuditEntry.objects.filter(action="grant.ended").count() == 1
    with pytest.raises(ConversationCompleted):
        give(scene)


@pytest.mark.django_db(transaction=True)
@pytest.mark.promise("A4")
@pytest.mark.parametrize("_round", range(3))
def test_giving_races_completing_and_leaves_nothing_alive(
    scene: Scene, _round: int
) -> None:
    at_once(
        functools.partial(give, scene),
        functools.partial(
            complete_conversation,
            principal=scene.member,
            conversation_id=scene.conversation.pk,
            now=LATER,
        ),
    )
    scene.conversation.refresh_from_db()
    assert scene.conversation.status == ConversationStatus.COMPLETED
    assert not SessionGrant.objects.filter(revoked_at=None).exists()


@pytest.mark.promise("A4")
@pytest.mark.lesson("H-22")
def test_a_branch_has_no_grant_of_its_parent(scene: Scene) -> None:
    make_grant(scene, given_at=LATER, expires_at=LATER + dt.timedelta(hours=1))
    branch = make_conversation(scene.member, parent=scene.conversation, fork_seq=1)
    live = functools.partial(live_grants, tenant_id=scene.tenant.pk, now=LATER)
    assert live(conversation_id=scene.conversation.pk).count() == 1
    assert not live(conversation_id=branch.pk).exists()
