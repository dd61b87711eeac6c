"""The gates where a tool runs: facts are read at the call, and a run is kept once."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from dialogue.turns.hooks import call_blocked
from missions.models import Mission, MissionSuggestionRecord
from tests.missions.support import Scene, build_scene, proposal
from tooling.gate import execute
from tooling.gate.execute import Executed, execute_call
from tooling.llm.types import ToolRequest
from tooling.models import Features, ToolCall
from tooling.registry import NoArguments, Tool, ToolResult
from tooling.tiers import Tier

pytestmark = pytest.mark.django_db
WRITE = "mission_create"


@pytest.fixture
def scene(db: None) -> Scene:
    return build_scene()


def call(
    scene: Scene, *, name: str = WRITE, intent: bool = True, **changes: Any
) -> Executed:
    """Call a tool as the agent loop does."""
    plain = {k: v for k, v in proposal(**changes).items() if k != "plan"}
    return execute_call(
        request=ToolRequest("call_1", name, json.dumps(plain)),
        context=scene.context,
        intent_tools=frozenset({name}) if intent else frozenset(),
        attempt=1,
        cut_off=False,
        on_blocked=call_blocked,
    )


def toggle(scene: Scene, *, on: bool) -> None:
    Features.objects.update_or_create(tenant=scene.tenant, defaults={"write_tools": on})


@pytest.mark.promise("D49", "D51", "D53", "D55", "D58", "D67")
@pytest.mark.parametrize("row", list(itertools.product([False, True], repeat=3)))
def test_a_write_runs_if_and_only_if_every_gate_is_open(
    scene: Scene, settings: Any, row: tuple[bool, bool, bool]
) -> None:
    switch, on, intent = row
    settings.WRITE_TOOLS_SERVED = switch
    toggle(scene, on=on)
    done = call(scene, intent=intent)
    assert Mission.objects.count() == int(all(row))
    kept = ToolCall.objects.get()
    assert (kept.gate, kept.result) == (
        done.gate,
        {"data": done.result, "cards": list(done.cards)},
    )
    gate = (
        "deployment_switch"
        if not switch
        else "tenant_toggle"
        if not on
        else "open"
        if intent
        else "no_explicit_request"
    )
    assert done.gate == gate
    blocked = gate in {"tenant_toggle", "no_explicit_request"}
    assert MissionSuggestionRecord.objects.count() == int(blocked)


@pytest.mark.promise("D59")
def test_a_toggle_turned_off_between_two_calls_stops_the_second(
    scene: Scene, settings: Any
) -> None:
    settings.WRITE_TOOLS_SERVED = True
    toggle(scene, on=True)
    assert call(scene).state == "done"
    toggle(scene, on=False)
    assert call(scene, title="Another").gate == "tenant_toggle"
    assert Mission.objects.count() == 1


@pytest.mark.promise("D59")
def test_the_switch_turned_off_between_two_calls_stops_the_second(
    scene: Scene, settings: Any
) -> None:
    settings.WRITE_TOOLS_SERVED = True
    assert call(scene, name="mission_propose").state == "done"
    settings.WRITE_TOOLS_SERVED = False
    second = call(scene, name="mission_propose", title="Another")
    assert second.gate == "deployment_switch"


@pytest.mark.promise("D60")
def test_a_turn_writes_no_more_than_it_may(scene: Scene, settings: Any) -> None:
    settings.WRITE_TOOLS_SERVED = True
    settings.WRITES_PER_TURN = 2
    toggle(scene, on=True)
    gates = [call(scene, title=f"Idea {n}").gate for n in range(4)]
    assert gates == ["open", "open", "cap_per_turn", "cap_per_turn"]
    assert Mission.objects.count() == 2


@pytest.mark.lesson("chat-R25")
def test_the_same_call_is_refused_the_third_time(scene: Scene, settings: Any) -> None:
    settings.WRITE_TOOLS_SERVED = True
    toggle(scene, on=True)
    listing = [read(scene, text) for text in ("{}", " { } ", "{}", "")]
    assert [done.gate for done in listing] == [*("open", "open"), *_TWO_REPEATS]
    assert "answer the person" in listing[2].result["message"]
    assert ToolCall.objects.filter(gate="repeated_call", state="refused").count() == 2
    # Other arguments, and another attempt, are another matter.
    assert read(scene, '{"query": "export"}').gate == "open"
    assert read(scene, "{}", attempt=2).gate == "open"
    gates = [call(scene, intent=False).gate for _n in range(4)]
    assert gates == [*("no_explicit_request",) * 2, *_TWO_REPEATS]
    assert MissionSuggestionRecord.objects.count() == 2


_TWO_REPEATS = ("repeated_call", "repeated_call")


def read(scene: Scene, arguments: str, *, attempt: int = 1) -> Executed:
    """Call a read tool with arguments as a model writes them."""
    return execute_call(
        request=ToolRequest("call_1", "mission_list", arguments),
        context=scene.context,
        intent_tools=frozenset(),
        attempt=attempt,
        cut_off=False,
        on_blocked=call_blocked,
    )


@pytest.mark.promise("D83")
@pytest.mark.lesson("H-23")
def test_the_same_write_again_is_the_first_one(scene: Scene, settings: Any) -> None:
    settings.WRITE_TOOLS_SERVED = True
    toggle(scene, on=True)
    first, second = call(scene), call(scene)
    assert second.result == {**first.result, "repeated": True}
    assert Mission.objects.count() == 1


@pytest.mark.promise("D50", "D62", "D68")
@pytest.mark.parametrize(
    ("name", "tier", "gate"),
    [
        ("mission_shred", Tier.WRITE, "not_allow_listed"),
        ("mission_approve", Tier.WRITE, "dispose_name"),
        ("mission_approve", Tier.READ, "dispose_name"),
        ("mission_peek", "superuser", "unclassified"),
    ],
)
def test_a_tool_that_slipped_into_the_registry_does_not_run(
    scene: Scene,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    tier: Any,
    gate: str,
) -> None:
    ran: list[str] = []

    def run(**_anything: Any) -> ToolResult:
        ran.append(name)
        return ToolResult({})

    tool = Tool(name, tier, "Slipped in.", NoArguments, run)
    monkeypatch.setattr(execute, "find_tool", lambda _name: tool)
    settings.WRITE_TOOLS_SERVED = True
    toggle(scene, on=True)
    assert call(scene, name=name).gate == gate
    assert ran == []
    assert not MissionSuggestionRecord.objects.exists()


@pytest.mark.promise("D33", "D64")
@pytest.mark.lesson("H-20")
@pytest.mark.parametrize(
    "forged",
    [
        {"origin_conversation": "00000000-0000-0000-0000-000000000000"},
        {"tenant_id": "00000000-0000-0000-0000-000000000000"},
        {"status": "running"},
        {"approved": True, "approved_by": 1},
        {"source_request": "00000000-0000-0000-0000-000000000000"},
    ],
)
@pytest.mark.parametrize("name", [WRITE, "mission_propose"])
def test_a_field_that_the_schema_does_not_name_is_refused(
    scene: Scene, settings: Any, name: str, forged: dict[str, Any]
) -> None:
    settings.WRITE_TOOLS_SERVED = True
    toggle(scene, on=True)
    done = call(scene, name=name, **forged)
    assert (done.state, done.result["error"]) == ("failed", "invalid_arguments")
    assert done.result["field"] in forged
    assert not Mission.objects.exists()
