"""The older bridge: pending Missions, where things stand, and what came of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from decisions.models import AttentionRequest
from decisions.services.closing import withdraw_request
from dialogue.models import ConversationMessage, MessageRole
from dialogue.spawned import list_spawned
from missions.models import (
    FINISHED_MISSIONS,
    Materialisation,
    Mission,
    MissionStatus,
    MissionSuggestionRecord,
    WorkflowDraft,
)
from missions.models.materialisation import MaterialisationState
from missions.services.materialising import materialise
from missions.services.pending import content_hash, settle_pending_mission
from missions.services.suggestions import record_turn_suggestion
from tests.decisions.support import APPROVE, CHANGES, LATER, REJECT, choose
from tests.missions.support import (
    NOW,
    Scene,
    build_scene,
    call_tool,
    key_of,
    make_mission,
    proposal,
    propose,
)
from tooling.models import Features, ToolCall

if TYPE_CHECKING:
    from django.conf import LazySettings

pytestmark = pytest.mark.django_db
WANTED = {name: value for name, value in proposal().items() if name != "plan"}
PROPOSE, CHECK, RESULTS = (
    "dialogue_propose_mission",
    "dialogue_check_mission",
    "dialogue_get_mission_results",
)


@pytest.fixture
def served(scene: Scene, settings: LazySettings) -> Scene:
    """The scene with the deployment's switch on, and nothing else."""
    settings.WRITE_TOOLS_SERVED = True
    return scene


@pytest.mark.promise("D20", "D21", "D22", "D23", "N7", "A5")
def test_it_makes_one_pending_mission_and_no_draft(served: Scene) -> None:
    done = call_tool(served, PROPOSE, WANTED, asked=False)
    mission = Mission.objects.get()
    assert done.cards == ({"kind": "mission", "id": str(mission.pk)},)
    assert done.result["status"] == "pending"
    assert (mission.status, mission.source_request_id) == (MissionStatus.PENDING, None)
    assert (mission.maker_kind, mission.origin_conversation) == (
        "model",
        served.conversation.pk,
    )
    assert (mission.origin_message, mission.tasks.count()) == (served.message.pk, 2)
    assert not WorkflowDraft.objects.exists()
    assert not AttentionRequest.objects.exists()
    spawned = list_spawned(
        tenant_id=served.tenant.pk, conversation_id=served.conversation.pk
    )
    assert {row.kind for row in spawned} == {"mission", "task"}


@pytest.mark.promise("A5", "D70")
def test_it_stands_behind_the_same_switch(scene: Scene, settings: LazySettings) -> None:
    settings.WRITE_TOOLS_SERVED = False
    Features.objects.create(tenant=scene.tenant, write_tools=True)
    done = call_tool(scene, PROPOSE, WANTED)
    assert (done.state, done.gate) == ("refused", "deployment_switch")
    assert not Mission.objects.exists()


@pytest.mark.promise("D21")
@pytest.mark.lesson("H-23")
def test_the_same_again_is_the_mission_that_stands(
    served: Scene, settings: LazySettings
) -> None:
    first = call_tool(served, PROPOSE, WANTED)
    again = call_tool(served, PROPOSE, WANTED)
    assert (again.result["id"], again.result["created"]) == (first.result["id"], False)
    assert ToolCall.objects.filter(state="done").count() == 2
    settings.PROPOSALS_PER_TURN = 1
    told = call_tool(served, PROPOSE, {**WANTED, "title": "Another"}).result
    assert told["error"] == "proposals_per_turn"
    assert Mission.objects.count() == 1


@pytest.mark.promise("D97")
def test_a_turn_that_made_it_leaves_no_suggestion(served: Scene) -> None:
    call_tool(served, PROPOSE, WANTED)
    record_turn_suggestion(turn=served.turn, now=NOW)
    assert not MissionSuggestionRecord.objects.exists()


@pytest.mark.promise("A6", "D22")
@pytest.mark.parametrize("approve", [True, False])
def test_a_person_settles_it_and_the_conversation_hears(
    served: Scene, approve: bool
) -> None:
    call_tool(served, PROPOSE, WANTED)
    mission = Mission.objects.get()
    settle_pending_mission(
        principal=served.operator,
        mission_id=mission.pk,
        approve=approve,
        shown=content_hash(mission),
        now=LATER,
    )
    mission.refresh_from_db()
    assert mission.status == ("ready" if approve else "cancelled")
    notice = ConversationMessage.objects.get(role=MessageRole.NOTICE)
    words = "approved" if approve else "refused"
    assert notice.text.startswith(f"ola {words} the pending Mission “{mission.title}”")


# --- where things stand ----------


def bring(scene: Scene, end: str) -> AttentionRequest:
    """Bring the scene's proposal to where this word says it stands."""
    request = propose(scene).request
    if end == "withdrawn":
        withdraw_request(principal=scene.member, request_id=request.pk, now=NOW)
    elif end == "expired":
        AttentionRequest.objects.filter(pk=request.pk).update(
            state="expired", closed_at=NOW
        )
    elif end != "awaiting_decision":
        option = {"changes_requested": CHANGES, "rejected": REJECT}.get(end, APPROVE)
        choose(request, scene.operator, option, note="Because.")
    if end == "approved":
        materialise(request_id=request.pk, now=LATER)
    if end == "blocked":
        Materialisation.objects.create(
            request=request,
            state=MaterialisationState.BLOCKED,
            error_code="content_changed",
            attempts=1,
        )
    return request


@pytest.mark.promise("D24")
@pytest.mark.parametrize(
    "end",
    [
        *("awaiting_decision", "changes_requested", "rejected", "expired"),
        *("withdrawn", "approved", "blocked"),
    ],
)
def test_a_proposal_s_standing_is_told(scene: Scene, end: str) -> None:
    request = bring(scene, end)
    told = call_tool(scene, CHECK, {"id": str(request.pk)}).result
    assert (told["status"], told["kind"]) == (end, "Approval")
    mission = Mission.objects.first()
    if end == "approved":
        assert mission is not None
        assert told["mission"]["id"] == str(mission.pk)
        assert told["mission"]["status"] == "ready"
    else:
        assert told["mission"] is None
    assert bool(told["advice"]) == (end == "blocked")


@pytest.mark.promise("D24")
@pytest.mark.parametrize("status", MissionStatus.values)
def test_a_mission_s_status_is_told(scene: Scene, status: str) -> None:
    mission = make_mission(scene, status=status)
    told = call_tool(scene, CHECK, {"id": str(mission.pk)}).result
    assert (told["id"], told["status"]) == (str(mission.pk), status)
    listed = call_tool(scene, CHECK, {}).result["items"]
    assert [item["id"] for item in listed] == [str(mission.pk)]


@pytest.mark.promise("D24")
def test_all_of_the_conversation_is_listed_once(scene: Scene) -> None:
    request = bring(scene, "approved")
    listed = call_tool(scene, CHECK, {}).result["items"]
    assert [item["id"] for item in listed] == [str(request.pk)]


@pytest.mark.promise("D24", "D26")
@pytest.mark.lesson("H-16")
def test_another_conversation_s_rows_are_not_found(scene: Scene) -> None:
    other = build_scene("globex")
    for key in (
        propose(other).request.pk,
        make_mission(other).pk,
        key_of(scene.member),
        "nonsense",
    ):
        for name in (CHECK, RESULTS):
            told = call_tool(scene, name, {"id": str(key)}).result
            assert told["error"] == "not_found", (name, key)


# --- results ----------


def finish(scene: Scene, status: str) -> Mission:
    mission = make_mission(
        scene,
        status=status,
        tasks=[{"title": "Write it"}, {"title": "Watch it"}],
    )
    first, second = mission.tasks.order_by("position")
    for task, ended, outcome in (
        (first, "completed", "It is written."),
        (second, "failed", ""),
    ):
        task.status, task.outcome = ended, outcome
        task.save()
    return mission


@pytest.mark.promise("D25", "L3")
@pytest.mark.parametrize("status", FINISHED_MISSIONS)
def test_a_finished_mission_s_outcomes_are_stored_with_the_call(
    scene: Scene, status: str
) -> None:
    mission = finish(scene, status)
    done = call_tool(scene, RESULTS, {"id": str(mission.pk)})
    assert (done.result["finished"], done.result["status"]) == (True, status)
    assert [
        (each["task"], each["label"], each["outcome"])
        for each in done.result["results"]
    ] == [("Write it", "Completed", "It is written."), ("Watch it", "Failed", "")]
    stored: Any = ToolCall.objects.get().result
    assert stored["data"] == done.result


@pytest.mark.promise("D26")
@pytest.mark.parametrize("status", ["pending", "ready", "running"])
def test_an_unfinished_one_says_so_and_nothing_else(scene: Scene, status: str) -> None:
    mission = finish(scene, status)
    told = call_tool(scene, RESULTS, {"id": str(mission.pk)}).result
    assert (told["finished"], told["results"]) == (False, [])
    assert "not over" in told["message"]
    assert "It is written." not in str(told)
