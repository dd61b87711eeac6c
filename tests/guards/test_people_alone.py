"""Leave, clicks and corrections are people's: at a page, and by nobody else."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from dialogue.models import ConversationMessage, IntentCorrection, MessageRole
from dialogue.services.grants import end_leave, give_leave
from dialogue.services.held_calls import dismiss_held_call, run_held_call
from dialogue.services.readings import correct_reading
from missions.models import Mission
from tests.decisions.support import LATER
from tests.missions.support import Scene, build_scene, make_grant, make_held_call
from tooling.errors import NotAllowed
from tooling.models import AuditEntry, Features, SessionGrant, ToolCall
from tooling.policy import Principal, PrincipalKind, Scope

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene(db: None, settings: Any) -> Scene:
    settings.WRITE_TOOLS_SERVED = True
    built = build_scene()
    Features.objects.create(tenant=built.tenant, write_tools=True)
    return built


Act = Callable[[Principal, Scene], Any]
ACTS: dict[str, Act] = {
    "give a grant": lambda p, s: give_leave(
        principal=p,
        conversation_id=s.conversation.pk,
        tools=["mission_create"],
        minutes=5,
        uses=1,
        now=LATER,
    ),
    "revoke a grant": lambda p, s: end_leave(
        principal=p,
        conversation_id=s.conversation.pk,
        grant_id=make_grant(s).pk,
        now=LATER,
    ),
    "run once": lambda p, s: run_held_call(
        principal=p,
        conversation_id=s.conversation.pk,
        call_id=make_held_call(s).pk,
        seen="",
        now=LATER,
    ),
    "put aside": lambda p, s: dismiss_held_call(
        principal=p,
        conversation_id=s.conversation.pk,
        call_id=make_held_call(s).pk,
        now=LATER,
    ),
    "correct a reading": lambda p, s: correct_reading(
        principal=p,
        conversation_id=s.conversation.pk,
        turn_id=s.turn.pk,
        label="execution_command",
        now=LATER,
    ),
}
AT_A_PAGE = ("give a grant", "run once", "put aside")
NOT_PEOPLE = (PrincipalKind.MODEL, PrincipalKind.SYSTEM)
NOT_AT_A_PAGE = (*NOT_PEOPLE, PrincipalKind.TOKEN, PrincipalKind.COMMAND)
REFUSED = [(act, kind) for act in ACTS for kind in NOT_PEOPLE]
REFUSED += [(act, kind) for act in AT_A_PAGE for kind in NOT_AT_A_PAGE[2:]]


@pytest.mark.promise("D54", "D66", "A3", "A4")
@pytest.mark.lesson("H-17", "H-20")
@pytest.mark.parametrize(("act", "kind"), REFUSED)
def test_whoever_is_not_a_person_at_a_page_is_refused(
    scene: Scene, act: str, kind: PrincipalKind
) -> None:
    # Even with a role and every scope put on by somebody.
    forged = dataclasses.replace(
        scene.operator, kind=kind, role="admin", scopes=frozenset(Scope.values)
    )
    with pytest.raises(NotAllowed):
        ACTS[act](forged, scene)
    assert not Mission.objects.exists()
    assert not SessionGrant.objects.exclude(uses_left=3, revoked_at=None).exists()
    untouched = {"held_call_id": None, "dismissed_at": None, "state": "surfaced"}
    assert not ToolCall.objects.exclude(**untouched).exists()
    assert not IntentCorrection.objects.exists()
    assert not AuditEntry.objects.exists()
    assert not ConversationMessage.objects.filter(role=MessageRole.NOTICE).exists()


@pytest.mark.promise("A4")
@pytest.mark.parametrize("role", ["viewer", "member"])
def test_leave_is_given_by_those_who_run_work(scene: Scene, role: str) -> None:
    with pytest.raises(NotAllowed):
        ACTS["give a grant"](getattr(scene, role), scene)
    assert not SessionGrant.objects.exists()


@pytest.mark.promise("A3")
def test_a_viewer_runs_nothing(scene: Scene) -> None:
    for act in ("run once", "put aside", "revoke a grant", "correct a reading"):
        with pytest.raises(NotAllowed):
            ACTS[act](scene.viewer, scene)
    assert not Mission.objects.exists()


@pytest.mark.promise("A4")
def test_a_token_revokes_with_its_right_and_scope_alone(scene: Scene) -> None:
    by_token = dataclasses.replace(scene.operator, kind=PrincipalKind.TOKEN)
    for scopes in (set(), {"converse"}, {"read", "decisions:decide"}):
        with pytest.raises(NotAllowed):
            ACTS["revoke a grant"](
                dataclasses.replace(by_token, scopes=frozenset(scopes | {"read"})),
                scene,
            )
    assert not SessionGrant.objects.exclude(revoked_at=None).exists()
    managing = dataclasses.replace(by_token, scopes=frozenset({"read", "manage"}))
    ACTS["revoke a grant"](managing, scene)
    assert SessionGrant.objects.exclude(revoked_at=None).count() == 1
