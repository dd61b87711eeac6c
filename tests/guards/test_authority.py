"""Only people settle: no tool reaches what decides, and the database holds it too."""

from __future__ import annotations

import ast
import copy
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from decisions.models import AttentionRequest, LateDecision, RequestState, Resolution
from decisions.services.closing import withdraw_request
from decisions.services.deciding import AlreadyDecided, decide
from decisions.services.editing import edit_request
from dialogue.models import IntentCorrection, MessageRole
from dialogue.services.journal import append_message
from missions.models import Mission, WorkflowVersion
from missions.services.materialising import retry_materialisation
from missions.services.publishing import publish_draft
from missions.services.suggestions import dismiss_suggestion
from tests.decisions.support import APPROVE, CHANGES, LATER, REJECT, choose
from tests.guards.imports import imports_of, modules, reached, way_to
from tests.guards.sources import attributes, tree
from tests.missions.support import (
    NOW,
    SOUND_PLAN,
    Scene,
    build_scene,
    key_of,
    make_grant,
    make_held_call,
    propose,
)
from tooling import append_only
from tooling.append_only import Guard
from tooling.errors import NotAllowed
from tooling.llm.manifest import store_part
from tooling.models import AuditEntry, Features, ModelCall, ToolCallState
from tooling.policy import Act, Principal, PrincipalKind, Scope, allows
from tooling.services.features import change_features
from tooling.services.members import change_role
from tooling.services.tokens import issue_token

# What tools may use of services; one that is not here is looked at before it is.
WITHIN_REACH = {
    "decisions.services.asking",
    "decisions.services.raising",
    "decisions.services.telling",
    "dialogue.services.journal",
    "missions.services.changing",
    "missions.services.creating",
    "missions.services.proposing",
    "missions.services.proposing_pending",
    "missions.services.redrafting",
    "missions.services.suggestions",
    "missions.services.telling",
    "tooling.services.audit",
}
FACES = {"admin", "api", "web", "management", "tasks", "receivers", "registration"}
# Ways to reach what no import shows.
ROUNDABOUT = {"import_module", "import_string", "get_model", "call_command"}
# Statements by hand: the journal moves its counters in one.
BY_HAND = {"dialogue.services.journal"}
# A kind's own hooks that settle or follow a decision; pages call them.
SETTLING_HOOKS = {"retry", "on_edited"}
SHAPE_FREE = pytest.mark.shape("embedded", reason="reads files only")


def tool_modules() -> list[str]:
    """Return the modules in which tools are registered, parts of a package too."""
    return [name for name in modules() if name.split(".")[1:2] == ["tools"]]


# --- what the code can reach ----------


@SHAPE_FREE
@pytest.mark.promise("D61", "D65", "D66", "N3")
@pytest.mark.lesson("H-17")
@pytest.mark.parametrize("start", tool_modules())
def test_no_tool_reaches_what_settles_grants_or_switches(start: str) -> None:
    found = reached(start)
    services = {name for name in found if name.split(".")[1:2] == ["services"]} - {
        f"{app}.services" for app in ("tooling", "dialogue", "decisions", "missions")
    }
    beyond = [way_to(name, found) for name in sorted(services - WITHIN_REACH)]
    assert beyond == []
    faces = [
        way_to(name, found)
        for name in sorted(found)
        if FACES & set(name.split(".")[1:2])
    ]
    assert faces == []


@SHAPE_FREE
@pytest.mark.lesson("H-17")
@pytest.mark.parametrize("start", tool_modules())
def test_no_tool_goes_round_about(start: str) -> None:
    for name in reached(start):
        path = modules()[name]
        if name.startswith("tooling.") and not name.startswith("tooling.tools"):
            continue
        assert not attributes(path) & ROUNDABOUT, path
        assert not {"exec", "eval", "__import__", *ROUNDABOUT} & called(name), path
        assert not sets_settings(name), path
        assert name in BY_HAND or "cursor" not in attributes(path), path
    assert not attributes(modules()[start]) & SETTLING_HOOKS, start


def called(module: str) -> set[str]:
    """Return the plain names that a module calls."""
    nodes = ast.walk(tree(modules()[module]))
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    return {func.id for func in calls if isinstance(func, ast.Name)}


def sets_settings(module: str) -> bool:
    """Tell whether a module assigns to an attribute of `settings`."""
    for node in ast.walk(tree(modules()[module])):
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        for target in targets if isinstance(node, ast.Assign | ast.AugAssign) else ():
            owner = getattr(target, "value", None)
            if isinstance(owner, ast.Name) and owner.id == "settings":
                return True
    return False


@SHAPE_FREE
@pytest.mark.promise("D66", "D80")
def test_decide_is_called_by_people_s_ways_in_alone() -> None:
    callers = {n for n in modules() if "decisions.services.deciding" in imports_of(n)}
    assert {name.split(".")[1] for name in callers} <= {
        *("admin", "api", "management", "services", "presenting", "web"),
    }
    services = {name for name in callers if name.split(".")[1] == "services"}
    deciding = {name for name in services if "decide" in called(name)}
    assert deciding == set(), "a service decides by itself"


@SHAPE_FREE
def test_the_walk_sees_what_is_there() -> None:
    assert {name.partition(".")[0] for name in tool_modules()} == {
        *("tooling", "dialogue", "decisions", "missions"),
    }
    assert "missions.services.proposing" in reached("missions.tools")
    assert "decisions.services.deciding" in reached("decisions.admin.queue")


# --- who is refused ----------


@pytest.fixture
def scene(db: None) -> Scene:
    return build_scene()


NOT_PEOPLE = (PrincipalKind.MODEL, PrincipalKind.SYSTEM)
Settle = Callable[[Principal, Scene, AttentionRequest], Any]
ACTS: dict[str, Settle] = {
    "decide": lambda p, _s, r: choose(r, p),
    "edit": lambda p, _s, r: edit_request(
        principal=p,
        request_id=r.pk,
        payload=copy.deepcopy(r.payload),
        revision=r.revision,
        payload_hash=r.payload_hash,
        now=LATER,
    ),
    "withdraw": lambda p, _s, r: withdraw_request(
        principal=p, request_id=r.pk, now=LATER
    ),
    "retry": lambda p, _s, r: retry_materialisation(
        principal=p, request_id=r.pk, now=LATER
    ),
    "publish": lambda p, _s, r: publish_draft(
        principal=p, draft_id=r.draft.pk, edit_version=1, now=LATER
    ),
    "dismiss": lambda p, _s, _r: dismiss_suggestion(
        principal=p, suggestion_id=uuid.uuid4(), now=LATER
    ),
    "features": lambda p, _s, _r: change_features(
        principal=p, write_tools=True, four_eyes=False
    ),
    "roles": lambda p, _s, _r: change_role(
        principal=p, membership_id=uuid.uuid4(), role="admin"
    ),
    "token": lambda p, _s, _r: issue_token(
        principal=p,
        token_id=uuid.uuid4(),
        name="mine",
        scopes=["decisions:decide"],
        days=1,
        now=LATER,
    ),
}


@pytest.mark.promise("D64", "D65", "D66", "N3")
@pytest.mark.lesson("H-17")
@pytest.mark.parametrize("kind", NOT_PEOPLE)
@pytest.mark.parametrize("act", ACTS)
def test_neither_model_nor_system_settles_anything(
    scene: Scene, act: str, kind: PrincipalKind
) -> None:
    request = propose(scene).request
    before = AttentionRequest.objects.values().get(pk=request.pk)
    # Even with a role and every scope put on by somebody.
    forged = Principal(
        kind=kind,
        tenant_id=scene.tenant.pk,
        user_id=scene.operator.user_id,
        role="admin",
        scopes=frozenset(Scope.values),
    )
    with pytest.raises(NotAllowed):
        ACTS[act](forged, scene, request)
    assert AttentionRequest.objects.values().get(pk=request.pk) == before
    assert not Resolution.objects.exists()
    assert not LateDecision.objects.exists()
    assert not Features.objects.exists()


@pytest.mark.promise("D66")
@pytest.mark.parametrize("kind", NOT_PEOPLE)
def test_the_policy_lends_them_no_act(scene: Scene, kind: PrincipalKind) -> None:
    forged = Principal(
        kind, scene.tenant.pk, scene.operator.user_id, "admin", frozenset(Scope.values)
    )
    assert [act for act in Act if allows(forged, act)] == []


@pytest.mark.promise("D78")
def test_decide_takes_a_person_of_the_team(scene: Scene) -> None:
    request = propose(scene).request
    shown: dict[str, Any] = {"revision": 1, "payload_hash": request.payload_hash}
    shown["now"] = LATER
    decide(principal=scene.operator, request_id=request.pk, option=REJECT, **shown)
    with pytest.raises(AlreadyDecided):
        decide(principal=scene.operator, request_id=request.pk, option=APPROVE, **shown)


# --- what the database holds ----------


@pytest.fixture
def filled(scene: Scene) -> Scene:
    """A row in every guarded table, in every state that a guard asks for."""
    first = propose(scene, plan=SOUND_PLAN).request
    choose(first, scene.operator, CHANGES, note="Smaller.")
    second = propose(scene, title="A smaller export", plan=SOUND_PLAN).request
    choose(second, scene.operator, APPROVE)
    with pytest.raises(AlreadyDecided):
        choose(second, scene.operator, REJECT, note="Too late.")
    draft = second.draft
    WorkflowVersion.objects.create(
        tenant=scene.tenant,
        draft=draft,
        number=1,
        title=draft.title,
        graph=draft.graph,
        content_hash=draft.content_hash,
        published_by_id=key_of(scene.operator),
    )
    with transaction.atomic():
        append_message(
            conversation_id=scene.conversation.pk,
            tenant_id=scene.tenant.pk,
            role=MessageRole.ASSISTANT,
            text="Hello",
            now=NOW,
        )
    store_part("What a model saw.")
    ModelCall.objects.create(
        tenant=scene.tenant,
        conversation_id=scene.conversation.pk,
        call_site="Dialogue:GeneralDialogue",
        outcome="done",
        price_version="unpriced",
        started_at=NOW,
    )
    make_held_call(
        scene,
        once_key="k",
        basis="grant",
        grant_id=uuid.uuid4(),
        held_call_id=uuid.uuid4(),
        person_id=uuid.uuid4(),
        state=ToolCallState.DONE,
    )
    by = key_of(scene.operator)
    make_grant(scene)
    make_grant(scene, revoked_at=NOW, revoked_by_id=by, end="revoked")
    IntentCorrection.objects.create(
        tenant=scene.tenant, turn=scene.turn, label="question", corrected_by_id=by
    )
    return scene


def run_sql(statement: str) -> None:
    """Run one statement, in a savepoint of its own."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def count(table: str, where: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT count(*) FROM "{table}" WHERE {where}')  # noqa: S608
        return int(cursor.fetchone()[0])


def attempts(guard: Guard) -> list[tuple[str, str]]:
    """Return (statement, rows that it is about) that this guard must refuse."""
    where = guard.when.replace("OLD.", "") or "1 = 1"
    table = guard.table
    tried = []
    if guard.delete:
        tried.append((f'DELETE FROM "{table}" WHERE {where}', where))  # noqa: S608
    if guard.update and guard.columns:
        for column in guard.columns:
            held = f'{where} AND "{column}" IS NOT NULL'
            change = f'UPDATE "{table}" SET "{column}" = NULL WHERE {held}'  # noqa: S608
            tried.append((change, held))
    elif guard.update:
        key = "digest" if table == "tooling_promptpart" else "id"
        tried.append((f'UPDATE "{table}" SET "{key}" = "{key}" WHERE {where}', where))  # noqa: S608
    return tried


def test_every_guard_is_in_the_database(db: None) -> None:
    wanted = {
        name
        for guard in append_only.registered()
        for name in append_only.trigger_names(guard)
    }
    assert wanted == append_only.installed()


@pytest.mark.promise("D66", "A12")
@pytest.mark.lesson("H-04", "H-05")
@pytest.mark.parametrize(
    "guard", append_only.registered(), ids=lambda guard: f"{guard.table}-{guard.name}"
)
def test_every_guard_refuses_raw_sql(filled: Scene, guard: Guard) -> None:
    tried = attempts(guard)
    assert tried
    for statement, where in tried:
        rows = count(guard.table, where)
        assert rows, f"no row to try on: {statement}"
        with pytest.raises(DatabaseError, match="append-only"):
            run_sql(statement)
        assert count(guard.table, where) == rows


@pytest.mark.lesson("H-04", "H-05")
@pytest.mark.parametrize(
    "change",
    [
        {"state": RequestState.OPEN, "resolved_option": "", "resolved_by": None},
        {"resolved_option": APPROVE},
        {"expires_at": None},
        {"closed_at": None},
    ],
)
def test_a_settled_request_stays_as_it_is(
    filled: Scene, change: dict[str, Any]
) -> None:
    rows = AttentionRequest.objects.order_by("pk").values()
    before = list(rows)
    for row in before:
        with pytest.raises(DatabaseError), transaction.atomic():
            AttentionRequest.objects.filter(pk=row["id"]).update(**change)
    assert list(rows) == before
    assert not Mission.objects.exists()
    assert AuditEntry.objects.exists()
