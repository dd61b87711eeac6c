"""Run once and dismiss: exactly what was shown, at most once, under every gate."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import pytest

from dialogue.held import context_of, difference_of
from dialogue.models import ConversationMessage, Event, EventKind, MessageRole
from dialogue.services.conversations import (
    ConversationCompleted,
    NotParticipant,
    complete_conversation,
)
from dialogue.services.held_calls import (
    DifferenceMoved,
    PutAside,
    dismiss_held_call,
    run_held_call,
)
from dialogue.turns.prompt import notice_text
from missions.models import Mission, MissionSuggestionRecord
from tests.decisions.support import LATER, at_once
from tests.missions.support import (
    Scene,
    add_turn,
    build_scene,
    call_tool,
    key_of,
    make_conversation,
    make_held_call,
    make_mission,
    proposal,
)
from tooling.errors import NotFound
from tooling.gate import facts
from tooling.gate.results import Executed
from tooling.models import AuditEntry, Features, ToolCall
from tooling.policy import Principal

pytestmark = pytest.mark.django_db
PLAIN = {k: v for k, v in proposal().items() if k != "plan"}


@pytest.fixture
def scene(db: None, settings: Any) -> Scene:
    settings.WRITE_TOOLS_SERVED = True
    built = build_scene()
    toggle(built, on=True)
    return built


def toggle(scene: Scene, *, on: bool) -> None:
    Features.objects.update_or_create(tenant=scene.tenant, defaults={"write_tools": on})


def row_of(done: Executed) -> ToolCall:
    assert done.tool_call_id is not None
    return ToolCall.objects.get(pk=done.tool_call_id)


def blocked(scene: Scene, **changes: Any) -> ToolCall:
    """Have the scene's model call for what nobody asked for."""
    done = call_tool(scene, "mission_create", {**PLAIN, **changes}, asked=False)
    assert done.is_held
    return row_of(done)


def seen_by(by: Principal, held: ToolCall) -> str:
    context = context_of(held, person=key_of(by), language="en", now=LATER)
    return difference_of(held, context=context).digest


def run(scene: Scene, held: ToolCall, **changes: Any) -> Executed:
    by = changes.pop("by", scene.member)
    return run_held_call(
        **{
            "principal": by,
            "conversation_id": scene.conversation.pk,
            "call_id": held.pk,
            "seen": seen_by(by, held),
            "now": LATER,
            **changes,
        }
    )


def notices() -> list[ConversationMessage]:
    return list(ConversationMessage.objects.filter(role=MessageRole.NOTICE))


# --- what a click does ----------


@pytest.mark.promise("A3", "D55", "D57")
@pytest.mark.lesson("H-18")
def test_a_click_runs_exactly_what_was_held_back(scene: Scene) -> None:
    held = blocked(scene)
    done = run(scene, held)
    mission = Mission.objects.get()
    assert (mission.title, mission.objective) == (PLAIN["title"], PLAIN["objective"])
    assert mission.origin_conversation == scene.conversation.pk
    assert mission.origin_message == scene.message.pk
    row = ToolCall.objects.get(held_call_id=held.pk)
    assert (row.basis, row.state, row.person_id) == (
        "run_once",
        "done",
        key_of(scene.member),
    )
    assert row.arguments == held.arguments
    assert done.tool_call_id == row.pk
    [entry] = AuditEntry.objects.filter(action="call.run_once")
    assert (entry.actor_id, entry.target_id) == (key_of(scene.member), held.pk)
    assert entry.before == {"verdict": "surface", "gate": "no_explicit_request"}
    assert entry.after["state"] == "done"
    assert MissionSuggestionRecord.objects.count() == 1


@pytest.mark.promise("A3")
def test_it_is_told_in_the_log_to_people_and_to_the_model(scene: Scene) -> None:
    held = blocked(scene)
    run(scene, held)
    [notice] = notices()
    mission = Mission.objects.get()
    assert notice.data["cards"] == [{"kind": "mission", "id": str(mission.pk)}]
    lines = notice_text(notice).splitlines()
    assert lines[:3] == [
        "[notice]",
        "mia ran this once: Create a Mission.",
        "Tool: mission_create",
    ]
    assert str(mission.pk) in lines[3]
    events = Event.objects.filter(kind=EventKind.CARD).values_list("data", flat=True)
    assert list(events) == [{"card": "action", "id": str(held.pk)}]


@pytest.mark.promise("D83", "A3")
@pytest.mark.lesson("H-01")
def test_a_second_click_does_nothing_more(scene: Scene) -> None:
    held = blocked(scene)
    first, second = run(scene, held), run(scene, held, by=scene.operator)
    assert second.tool_call_id == first.tool_call_id
    assert (Mission.objects.count(), len(notices())) == (1, 1)
    assert ToolCall.objects.filter(held_call_id=held.pk).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.promise("D83", "A3")
@pytest.mark.lesson("H-01")
def test_clicks_in_parallel_have_one_effect(scene: Scene) -> None:
    held = blocked(scene)
    people = [scene.member, scene.operator] * 3
    seen = seen_by(scene.member, held)
    clicks = [functools.partial(run, scene, held, by=by, seen=seen) for by in people]
    done = at_once(*clicks)
    assert {each.state for each in done} == {"done"}
    assert (Mission.objects.count(), len(notices())) == (1, 1)
    assert AuditEntry.objects.filter(action="call.run_once").count() == 1
    key = ToolCall.objects.exclude(once_key=None)
    assert key.count() == 1


@pytest.mark.promise("D83")
def test_what_the_model_asked_for_twice_runs_once(scene: Scene) -> None:
    first, second = blocked(scene), blocked(scene)
    run(scene, first)
    run(scene, second)
    assert Mission.objects.count() == 1
    # And the model, asked again in a retry, hears that it is done.
    again = call_tool(scene, "mission_create", PLAIN, attempt=2)
    assert again.result["repeated"] is True
    assert Mission.objects.count() == 1


@pytest.mark.promise("D83")
def test_what_the_model_did_for_a_later_message_is_done(scene: Scene) -> None:
    held = blocked(scene)
    message, turn = add_turn(scene.conversation, "Yes, do it.")
    later = dataclasses.replace(scene, message=message, turn=turn)
    assert call_tool(later, "mission_create", PLAIN).state == "done"
    assert run(scene, held).state == "done"
    assert Mission.objects.count() == 1


# --- every gate but the request is judged again ----------


@pytest.mark.promise("A3", "D59", "D51")
@pytest.mark.parametrize("gate", ["toggle", "switch", "allow-list"])
def test_a_gate_shut_since_refuses_the_click_and_can_be_tried_again(
    scene: Scene, settings: Any, monkeypatch: pytest.MonkeyPatch, gate: str
) -> None:
    held = blocked(scene)
    with monkeypatch.context() as patch:
        if gate == "toggle":
            toggle(scene, on=False)
        elif gate == "switch":
            settings.WRITE_TOOLS_SERVED = False
        else:
            patch.setattr(facts, "WRITE_ALLOWLIST", frozenset())
        done = run(scene, held)
    assert done.state == "refused"
    assert done.result["message"]
    assert not Mission.objects.exists()
    assert MissionSuggestionRecord.objects.count() == 1, "a click is no new idea"
    assert notices() == []
    [entry] = AuditEntry.objects.filter(action="call.run_once")
    assert entry.after["state"] == "refused"
    toggle(scene, on=True)
    settings.WRITE_TOOLS_SERVED = True
    assert run(scene, held).state == "done"
    assert Mission.objects.count() == 1


@pytest.mark.promise("A1", "D51", "D57")
def test_what_the_toggle_stopped_runs_once_it_is_on(scene: Scene) -> None:
    toggle(scene, on=False)
    held = blocked(scene)
    assert held.gate == "tenant_toggle"
    assert run(scene, held).gate == "tenant_toggle"
    assert not Mission.objects.exists()
    toggle(scene, on=True)
    assert run(scene, held).state == "done"


@pytest.mark.promise("D60")
def test_a_click_is_not_counted_with_the_turn(scene: Scene, settings: Any) -> None:
    settings.WRITES_PER_TURN = 1
    held = blocked(scene)
    run(scene, held)
    other = {**PLAIN, "title": "Another"}
    assert call_tool(scene, "mission_create", other).state == "done"
    third = call_tool(scene, "mission_create", {**PLAIN, "title": "A third"})
    assert third.gate == "cap_per_turn"
    assert run(scene, row_of(third)).state == "done"
    assert Mission.objects.count() == 3


@pytest.mark.promise("D61", "D62")
def test_a_dispose_name_on_a_forged_row_does_not_run(scene: Scene) -> None:
    held = make_held_call(scene, name="mission_approve")
    assert run(scene, held).gate == "dispose_name"


@pytest.mark.parametrize("gate", ["deployment_switch", "dispose_name", "open"])
def test_only_what_a_click_may_open_is_found(scene: Scene, gate: str) -> None:
    held = make_held_call(scene, gate=gate)
    with pytest.raises(NotFound):
        run(scene, held)


# --- what was seen is what runs ----------


@pytest.mark.promise("A12")
@pytest.mark.lesson("H-09")
def test_a_difference_that_moved_is_read_again_first(scene: Scene) -> None:
    mission = make_mission(scene)
    wish = {"id": str(mission.pk), "title": "Nightly export, alerted"}
    done = call_tool(scene, "mission_update", wish, asked=False)
    held = row_of(done)
    seen = seen_by(scene.member, held)
    Mission.objects.filter(pk=mission.pk).update(title="Renamed in the meantime")
    with pytest.raises(DifferenceMoved):
        run(scene, held, seen=seen)
    mission.refresh_from_db()
    assert mission.title == "Renamed in the meantime"
    assert run(scene, held).state == "done"
    mission.refresh_from_db()
    assert mission.title == wish["title"]


@pytest.mark.parametrize("seen", ["", "0" * 64, "x" * 5000])
def test_a_click_that_saw_nothing_runs_nothing(scene: Scene, seen: str) -> None:
    held = blocked(scene)
    with pytest.raises(DifferenceMoved):
        run(scene, held, seen=seen)
    assert not Mission.objects.exists()


def test_a_call_that_fails_says_so_and_can_be_tried_again(scene: Scene) -> None:
    mission = make_mission(scene)
    wish = {"id": str(mission.pk), "title": "Another title"}
    done = call_tool(scene, "mission_update", wish, asked=False)
    held = row_of(done)
    Mission.objects.filter(pk=mission.pk).update(status="completed")
    failed = run(scene, held)
    assert (failed.state, notices()) == ("failed", [])
    Mission.objects.filter(pk=mission.pk).update(status="ready")
    assert run(scene, held).state == "done"


# --- who, where, and when no more ----------


def test_it_runs_in_its_own_conversation_alone(scene: Scene) -> None:
    held = blocked(scene)
    other = make_conversation(scene.member)
    with pytest.raises(NotFound):
        run(scene, held, conversation_id=other.pk)
    with pytest.raises(NotFound):
        run(scene, held, by=scene.stranger)


def test_in_a_private_conversation_its_owner_alone(scene: Scene) -> None:
    held = blocked(scene)
    scene.conversation.is_private = True
    scene.conversation.save(update_fields=["is_private"])
    with pytest.raises((NotFound, NotParticipant)):
        run(scene, held, by=scene.operator)
    assert run(scene, held).state == "done"


def test_a_completed_conversation_runs_nothing(scene: Scene) -> None:
    held = blocked(scene)
    complete_conversation(
        principal=scene.member, conversation_id=scene.conversation.pk, now=LATER
    )
    with pytest.raises(ConversationCompleted):
        run(scene, held)
    assert not Mission.objects.exists()


@pytest.mark.promise("D58")
def test_what_is_put_aside_runs_no_more_and_stays_a_suggestion(scene: Scene) -> None:
    held = blocked(scene)
    for by in (scene.member, scene.operator):
        dismissed = dismiss_held_call(
            principal=by,
            conversation_id=scene.conversation.pk,
            call_id=held.pk,
            now=LATER,
        )
        assert dismissed.dismissed_by_id == key_of(scene.member)
    with pytest.raises(PutAside):
        run(scene, held)
    assert not Mission.objects.exists()
    assert MissionSuggestionRecord.objects.get().status == "open"
    assert AuditEntry.objects.filter(action="call.dismissed").count() == 1


@pytest.mark.promise("D67")
def test_the_model_can_look_up_why_not(scene: Scene) -> None:
    blocked(scene)
    told = call_tool(scene, "why_not", {}, asked=False)
    assert told.state == "done", told.result
    [turn] = told.result["turns"]
    assert (turn["message"], turn["read_as"]) == (scene.message.text, "feature_request")
    held = turn["calls"][0]
    assert (held["verdict"], held["gate"]) == ("surface", "no_explicit_request")
    assert "Run once" in held["opens"]
    assert not Mission.objects.exists()
