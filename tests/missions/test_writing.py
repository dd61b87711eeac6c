"""The tools that change Missions and tasks, through the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dialogue.models import Event, EventKind
from dialogue.spawned import list_spawned
from missions.models import (
    FINISHED_MISSIONS,
    FINISHED_TASKS,
    MissionStatus,
    MissionTask,
    TaskStatus,
)
from missions.specification import MAX_TASKS
from tests.missions.support import (
    Scene,
    call_tool,
    make_mission,
)
from tests.missions.writes import everything, last_act, sound
from tooling.gate.judge import WRITE_ALLOWLIST
from tooling.models import AuditEntry, ToolCall
from tooling.registry import all_tools, find_tool
from tooling.tiers import Tier

if TYPE_CHECKING:
    from django.conf import LazySettings

pytestmark = pytest.mark.django_db


@pytest.mark.promise("D50", "D68")
def test_every_write_tool_is_allow_listed_and_can_say_what_it_would_do() -> None:
    writes = {tool.name for tool in all_tools() if tool.tier is Tier.WRITE}
    assert writes <= WRITE_ALLOWLIST
    assert {name for name in writes if not find_tool(name).preview} == set()  # type: ignore[union-attr]


# --- Missions ----------


@pytest.mark.promise("D3", "D33", "D60")
def test_a_mission_s_words_change_and_both_are_kept(writing: Scene) -> None:
    mission = make_mission(writing)
    wanted = {
        "title": "Weekly export",
        "objective": "It runs on Sundays.",
        "priority": "high",
        "acceptance_criteria": ["It ran.", "On Sunday."],
    }
    done = call_tool(writing, "mission_update", {"id": str(mission.pk), **wanted})
    assert (done.state, done.cards) == (
        "done",
        ({"kind": "mission", "id": str(mission.pk)},),
    )
    mission.refresh_from_db()
    assert {name: getattr(mission, name) for name in wanted} == wanted
    assert mission.status == MissionStatus.READY
    act = last_act()
    assert (act.action, act.actor_kind, act.target_id) == (
        "mission.changed",
        "model",
        mission.pk,
    )
    assert act.before == {
        "title": "Nightly export",
        "objective": "It runs.",
        "priority": "normal",
        "acceptance_criteria": ["It ran."],
    }
    assert act.after == {
        **wanted,
        "origin_conversation": str(writing.conversation.pk),
        "origin_message": str(writing.message.pk),
        "origin_turn": str(writing.turn.pk),
    }
    assert Event.objects.filter(kind=EventKind.CARD, data__card="mission").exists()


def test_the_same_words_again_leave_no_trace(writing: Scene) -> None:
    mission = make_mission(writing)
    acts = AuditEntry.objects.count()
    done = call_tool(
        writing, "mission_update", {"id": str(mission.pk), "title": mission.title}
    )
    assert done.state == "done"
    assert AuditEntry.objects.count() == acts


@pytest.mark.parametrize("status", FINISHED_MISSIONS)
def test_a_mission_that_is_over_stays(writing: Scene, status: MissionStatus) -> None:
    mission = make_mission(writing, status=status)
    before = everything()
    wanted = {"id": str(mission.pk), "title": "Other"}
    assert call_tool(writing, "mission_update", wanted).result["error"] == (
        "mission_finished"
    )
    added = {"mission_id": str(mission.pk), "title": "More"}
    for name in ("mission_add_task", "task_create"):
        assert call_tool(writing, name, added).result["error"] == "mission_finished"
    assert everything() == before


# --- tasks ----------


@pytest.mark.promise("D33", "D35", "D42")
@pytest.mark.parametrize("name", ["mission_add_task", "task_create"])
def test_a_task_is_added_after_the_last(writing: Scene, name: str) -> None:
    mission = make_mission(writing)
    wanted = {"mission_id": str(mission.pk), "title": "Alert", "detail": "By mail."}
    done = call_tool(writing, name, wanted)
    task = MissionTask.objects.get(title="Alert")
    assert done.result["id"] == str(task.pk)
    assert (task.position, task.status, task.detail) == (2, TaskStatus.TODO, "By mail.")
    assert (task.maker_kind, task.origin_conversation, task.origin_message) == (
        "model",
        writing.conversation.pk,
        writing.message.pk,
    )
    assert last_act().action == "task.added"
    spawned = list_spawned(
        tenant_id=writing.tenant.pk, conversation_id=writing.conversation.pk
    )
    assert task.pk in {row.id for row in spawned if row.kind == "task"}


def test_a_mission_takes_only_so_many_tasks(writing: Scene) -> None:
    tasks = [{"title": f"Part {n}", "detail": ""} for n in range(MAX_TASKS)]
    mission = make_mission(writing, tasks=tasks)
    wanted = {"mission_id": str(mission.pk), "title": "One more"}
    assert call_tool(writing, "task_create", wanted).result["error"] == "too_many"
    assert mission.tasks.count() == MAX_TASKS


@pytest.mark.parametrize("status", ["running", "blocked", "todo"])
def test_a_task_moves_between_states_that_end_nothing(
    writing: Scene, status: str
) -> None:
    task = make_mission(writing, status=MissionStatus.RUNNING).tasks.get()
    MissionTask.objects.filter(pk=task.pk).update(
        status="blocked" if status == "todo" else "todo"
    )
    done = call_tool(
        writing, "task_update", {"id": str(task.pk), "status": status, "detail": "New."}
    )
    task.refresh_from_db()
    assert (done.state, task.status, task.detail) == ("done", status, "New.")
    assert set(last_act().before) == {"status", "detail"}


@pytest.mark.promise("D64")
@pytest.mark.parametrize("status", [*FINISHED_TASKS, "Completed", "done", "approved"])
def test_no_task_is_ended_by_a_conversation(writing: Scene, status: str) -> None:
    task = make_mission(writing, status=MissionStatus.RUNNING).tasks.get()
    wanted = {"id": str(task.pk), "title": "Other", "status": status}
    before = everything()
    assert call_tool(writing, "task_update", wanted).result["error"] == (
        "settling_refused"
    )
    assert everything() == before


@pytest.mark.parametrize("status", FINISHED_TASKS)
def test_a_task_that_is_over_stays(writing: Scene, status: TaskStatus) -> None:
    task = make_mission(writing, status=MissionStatus.RUNNING).tasks.get()
    MissionTask.objects.filter(pk=task.pk).update(status=status)
    wanted = {"id": str(task.pk), "status": "todo"}
    assert call_tool(writing, "task_update", wanted).result["error"] == "task_finished"
    task.refresh_from_db()
    assert task.status == status


def test_tasks_of_a_pending_mission_do_not_move(writing: Scene) -> None:
    task = make_mission(writing, status=MissionStatus.PENDING).tasks.get()
    wanted = {"id": str(task.pk), "status": "running"}
    assert call_tool(writing, "task_update", wanted).result["error"] == (
        "mission_not_under_way"
    )


@pytest.mark.parametrize("name", ["mission_update", "task_update"])
def test_a_change_that_names_nothing_is_told(writing: Scene, name: str) -> None:
    wanted = {"id": sound(writing, name)["id"]}
    assert call_tool(writing, name, wanted).result["error"] == "nothing_given"


# --- at most once, and no more than so many ----------


@pytest.mark.promise("D60")
def test_the_same_call_of_one_message_runs_once(writing: Scene) -> None:
    mission = make_mission(writing)
    wanted = {"mission_id": str(mission.pk), "title": "Alert"}
    first = call_tool(writing, "task_create", wanted)
    second = call_tool(writing, "task_create", wanted)
    assert second.result == {**first.result, "repeated": True}
    assert mission.tasks.filter(title="Alert").count() == 1


@pytest.mark.promise("D60")
def test_a_turn_writes_only_so_often(writing: Scene, settings: LazySettings) -> None:
    settings.WRITES_PER_TURN = 1
    call_tool(writing, "suggestion_create", {"title": "One"})
    refused = call_tool(writing, "suggestion_create", {"title": "Two"})
    assert (refused.state, refused.gate) == ("refused", "cap_per_turn")
    assert ToolCall.objects.filter(state="done").count() == 1
