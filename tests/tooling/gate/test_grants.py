"""Grants where a tool runs: the whole truth table, uses, ends, and races."""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from dialogue.turns.hooks import call_blocked
from missions.models import Mission, MissionSuggestionRecord
from tests.decisions.support import at_once
from tests.missions.support import (
    NOW,
    Scene,
    build_scene,
    key_of,
    make_conversation,
    proposal,
)
from tooling.gate import execute, facts
from tooling.gate.execute import Executed, execute_call
from tooling.gate.grants import take_use
from tooling.llm.types import ToolRequest
from tooling.models import Features, GrantEnd, SessionGrant, Tenant, ToolCall
from tooling.registry import ToolContext, find_tool

pytestmark = pytest.mark.django_db
WRITE = "mission_create"
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def scene(db: None) -> Scene:
    return build_scene()


@pytest.fixture
def open_gates(scene: Scene, settings: Any) -> Scene:
    settings.WRITE_TOOLS_SERVED = True
    toggle(scene, on=True)
    return scene


def toggle(scene: Scene, *, on: bool) -> None:
    Features.objects.update_or_create(tenant=scene.tenant, defaults={"write_tools": on})


def give(scene: Scene, **fields: Any) -> SessionGrant:
    """Store a grant of the operator's for the scene's conversation."""
    uses = fields.pop("uses", 1)
    row = {
        "tenant": scene.tenant,
        "conversation_id": scene.conversation.pk,
        "tools": [WRITE],
        "given_by_id": key_of(scene.operator),
        "given_at": NOW - HOUR,
        "expires_at": NOW + HOUR,
        "uses_max": max(uses, 1),
        "uses_left": uses,
        **fields,
    }
    return SessionGrant.objects.create(**row)


def call(scene: Scene, *, intent: bool = False, **changes: Any) -> Executed:
    """Call a tool as the agent loop does."""
    return call_in(scene.context, intent=intent, **changes)


def replace_now(scene: Scene, now: dt.datetime) -> ToolContext:
    return dataclasses.replace(scene.context, now=now)


def call_in(context: ToolContext, *, intent: bool = False, **changes: Any) -> Executed:
    plain = {k: v for k, v in proposal(**changes).items() if k != "plan"}
    return execute_call(
        request=ToolRequest("call_1", WRITE, json.dumps(plain)),
        context=context,
        intent_tools=frozenset({WRITE}) if intent else frozenset(),
        attempt=1,
        cut_off=False,
        on_blocked=call_blocked,
    )


def left(grant: SessionGrant) -> int:
    grant.refresh_from_db()
    return grant.uses_left


# --- the 32 rows, where the tool runs ----------


@pytest.mark.promise("D49", "D50", "D51", "D53", "D54", "D55", "A1")
@pytest.mark.parametrize("row", list(itertools.product([False, True], repeat=5)))
def test_a_write_runs_if_and_only_if_every_gate_is_open(
    scene: Scene, settings: Any, monkeypatch: Any, row: tuple[bool, ...]
) -> None:
    listed, switch, on, intent, granted = row
    if not listed:
        monkeypatch.setattr(facts, "WRITE_ALLOWLIST", frozenset({"task_create"}))
    settings.WRITE_TOOLS_SERVED = switch
    toggle(scene, on=on)
    grant = give(scene) if granted else None
    done = call(scene, intent=intent)
    runs = listed and switch and on and (intent or granted)
    assert Mission.objects.count() == int(runs)
    assert (done.state == "done") == runs
    kept = ToolCall.objects.get()
    assert kept.verdict == done.verdict
    assert kept.basis == ("" if not runs else "intent" if intent else "grant")
    if grant is not None:
        # A use is paid by a run that nothing else allowed, and by nothing else.
        assert left(grant) == (0 if runs and not intent else 1)
        assert kept.grant_id == (grant.pk if runs and not intent else None)
    blocked = listed and switch and not runs
    assert MissionSuggestionRecord.objects.count() == int(blocked)


def elsewhere(scene: Scene) -> dict[str, Any]:
    return {"conversation_id": make_conversation(scene.member).pk}


def in_another_team(scene: Scene) -> dict[str, Any]:
    return {"tenant": Tenant.objects.get(pk=scene.stranger.tenant_id)}


def revoked(scene: Scene) -> dict[str, Any]:
    by = key_of(scene.operator)
    return {"revoked_at": NOW, "revoked_by_id": by, "end": GrantEnd.REVOKED}


DEAD: dict[str, Callable[[Scene], dict[str, Any]]] = {
    "expired": lambda _scene: {"expires_at": NOW},
    "used up": lambda _scene: {"uses": 0},
    "for another tool": lambda _scene: {"tools": ["task_create"]},
    "for no tool": lambda _scene: {"tools": []},
    "in another conversation": elsewhere,
    "in another team": in_another_team,
    "revoked": revoked,
}


@pytest.mark.promise("D54", "A4")
@pytest.mark.lesson("H-22")
@pytest.mark.parametrize("how", DEAD)
def test_a_grant_that_is_not_alive_here_for_this_tool_opens_nothing(
    open_gates: Scene, how: str
) -> None:
    grant = give(open_gates, **DEAD[how](open_gates))
    before = grant.uses_left
    done = call(open_gates)
    assert (done.state, done.gate) == ("surfaced", "no_explicit_request")
    assert left(grant) == before
    assert not Mission.objects.exists()


@pytest.mark.promise("A2", "D54")
def test_the_result_says_that_it_ran_under_a_grant(open_gates: Scene) -> None:
    give(open_gates, uses=3)
    said = call(open_gates).result["grant"]
    assert said["uses_left"] == 2
    assert said["expires_at"] == "2026-05-04T10:30:00+00:00"
    assert "Say so in your answer" in said["note"]


@pytest.mark.promise("D54")
def test_the_grant_that_ends_first_pays(open_gates: Scene) -> None:
    later = give(open_gates, expires_at=NOW + 2 * HOUR)
    sooner = give(open_gates, expires_at=NOW + HOUR)
    call(open_gates)
    assert (left(sooner), left(later)) == (0, 1)
    call(open_gates, title="Another")
    assert (left(sooner), left(later)) == (0, 0)
    assert call(open_gates, title="A third").state == "surfaced"
    assert Mission.objects.count() == 2


@pytest.mark.promise("D59")
def test_a_grant_revoked_between_two_calls_stops_the_second(open_gates: Scene) -> None:
    grant = give(open_gates, uses=5)
    assert call(open_gates).state == "done"
    SessionGrant.objects.filter(pk=grant.pk).update(**revoked(open_gates))
    assert call(open_gates, title="Another").gate == "no_explicit_request"
    assert (Mission.objects.count(), left(grant)) == (1, 4)


@pytest.mark.promise("D59")
def test_a_grant_that_runs_out_between_two_calls_stops_the_second(
    open_gates: Scene,
) -> None:
    give(open_gates, uses=5, expires_at=NOW + dt.timedelta(seconds=1))
    assert call(open_gates).state == "done"
    later = replace_now(open_gates, NOW + dt.timedelta(seconds=1))
    assert call_in(later, title="Another").gate == "no_explicit_request"
    assert Mission.objects.count() == 1


# --- what takes no use ----------


@pytest.mark.promise("D83")
def test_a_write_that_is_repeated_takes_no_second_use(open_gates: Scene) -> None:
    grant = give(open_gates, uses=5)
    first, second = call(open_gates), call(open_gates)
    assert second.result == {**first.result, "repeated": True}
    assert (Mission.objects.count(), left(grant)) == (1, 4)
    assert ToolCall.objects.filter(grant_id=grant.pk).count() == 1


@pytest.mark.promise("D60")
def test_a_write_beyond_the_cap_of_a_turn_takes_no_use(
    open_gates: Scene, settings: Any
) -> None:
    settings.WRITES_PER_TURN = 1
    grant = give(open_gates, uses=5)
    call(open_gates)
    assert call(open_gates, title="Another").gate == "cap_per_turn"
    assert left(grant) == 4


@pytest.mark.parametrize("broken", [{"title": ""}, {"colour": "red"}])
def test_a_call_that_fails_takes_no_use(
    open_gates: Scene, broken: dict[str, Any]
) -> None:
    grant = give(open_gates)
    assert call(open_gates, **broken).state == "failed"
    assert left(grant) == 1
    assert ToolCall.objects.get().grant_id is None


# --- effect, record and use are one ----------


class Killed(BaseException):
    """The process ends here: no clean-up of ours sees it."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.promise("D83")
@pytest.mark.lesson("H-03")
@pytest.mark.parametrize("at", ["take_use", "run", "keep"])
def test_a_crash_anywhere_leaves_nothing_and_a_retry_runs_once(
    open_gates: Scene, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    grant = give(open_gates)

    def then_die(whole: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **more: Any) -> Any:
            whole(*arguments, **more)
            raise Killed

        return run

    tool = find_tool(WRITE)
    assert tool is not None
    with monkeypatch.context() as patch:
        if at == "take_use":
            patch.setattr(execute, "take_use", then_die(take_use))
        elif at == "run":
            dying = dataclasses.replace(tool, run=then_die(tool.run))
            patch.setattr(execute, "find_tool", lambda _name: dying)
        else:
            patch.setattr(execute.Call, "_keep", then_die(execute.Call._keep))  # noqa: SLF001 -- the record itself
        with pytest.raises(Killed):
            call(open_gates)
    assert not Mission.objects.exists()
    assert not ToolCall.objects.exists()
    assert left(grant) == 1
    assert call(open_gates).state == "done"
    again = call(open_gates)
    assert (again.state, again.result["repeated"]) == ("surfaced", True)
    assert not MissionSuggestionRecord.objects.exists()
    assert (Mission.objects.count(), left(grant)) == (1, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.promise("D54", "D83")
@pytest.mark.lesson("H-22")
@pytest.mark.parametrize("uses", [1, 2])
def test_of_parallel_calls_as_many_run_as_uses_are_left(
    open_gates: Scene, uses: int
) -> None:
    grant = give(open_gates, uses=uses)
    calls = [
        functools.partial(call, open_gates, title=f"Idea {number}")
        for number in range(5)
    ]
    done = at_once(*calls)
    states = sorted(each.state for each in done)
    assert states == sorted(["done"] * uses + ["surfaced"] * (5 - uses))
    assert (Mission.objects.count(), left(grant)) == (uses, 0)
    assert ToolCall.objects.filter(grant_id=grant.pk, state="done").count() == uses


@pytest.mark.django_db(transaction=True)
@pytest.mark.promise("D83")
def test_the_same_call_in_parallel_under_a_grant_runs_once(open_gates: Scene) -> None:
    grant = give(open_gates, uses=5)
    done = at_once(*[functools.partial(call, open_gates) for _each in range(4)])
    assert {each.state for each in done} == {"done"}
    assert (Mission.objects.count(), left(grant)) == (1, 4)


# --- what the database holds by itself ----------


@pytest.mark.promise("A4")
@pytest.mark.parametrize(
    "broken",
    [
        {"uses_max": 0, "uses_left": 0},
        {"uses_max": 51, "uses_left": 51},
        {"uses_max": 1, "uses_left": 2},
        {"expires_at": NOW - HOUR},
        {"revoked_at": NOW},
        {"end": "revoked"},
    ],
)
def test_a_grant_without_bounds_cannot_be_stored(
    scene: Scene, broken: dict[str, Any]
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        give(scene, **broken)


@pytest.mark.promise("A4")
@pytest.mark.lesson("H-22")
@pytest.mark.parametrize(
    "change",
    [
        {"expires_at": NOW + 9 * HOUR},
        {"tools": ["decision_create"]},
        {"conversation_id": "00000000-0000-0000-0000-000000000001"},
        {"uses_max": 50},
        {"uses_left": 51},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_terms_of_a_grant_cannot_be_widened(
    scene: Scene, change: dict[str, Any]
) -> None:
    grant = give(scene)
    with pytest.raises(DatabaseError), transaction.atomic():
        SessionGrant.objects.filter(pk=grant.pk).update(**change)


def test_an_ended_grant_cannot_be_brought_back(scene: Scene) -> None:
    grant = give(scene, **revoked(scene))
    back = {"revoked_at": None, "revoked_by": None, "end": ""}
    with pytest.raises(DatabaseError), transaction.atomic():
        SessionGrant.objects.filter(pk=grant.pk).update(**back)
