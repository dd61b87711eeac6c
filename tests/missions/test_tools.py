from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from pydantic import ValidationError

from decisions.models import AttentionRequest
from dialogue.turns.hooks import call_blocked
from missions.makers import Maker
from missions.models import Mission, MissionSuggestionRecord, MissionTask, WorkflowDraft
from missions.services.creating import create_mission
from missions.services.suggestions import record_turn_suggestion
from missions.specification import MissionSpec
from tests.missions.support import (
    NOW,
    SOUND_PLAN,
    Scene,
    build_scene,
    key_of,
    proposal,
    propose,
    settle,
)
from tooling.errors import NotFound
from tooling.gate.execute import Executed, execute_call
from tooling.llm.types import ToolRequest
from tooling.models import Features, ToolCall
from tooling.registry import Tool, all_tools, find_tool
from tooling.settling import SettlingRefused
from tooling.tiers import Tier, is_dispose_name

if TYPE_CHECKING:
    from django.conf import LazySettings

pytestmark = pytest.mark.django_db
READS = (
    "mission_list",
    "mission_get",
    "task_list",
    "workflow_list",
    "workflow_get",
    "suggestion_list",
)


def tool(name: str) -> Tool:
    found = find_tool(name)
    assert found is not None
    return found


def run(scene: Scene, name: str, **arguments: Any) -> dict[str, Any]:
    """Run a tool as the executor does, and return what the model gets."""
    called = tool(name)
    parsed = called.arguments.model_validate(arguments)
    data = called.run(context=scene.context, arguments=parsed).data
    assert json.loads(json.dumps(data)) == data, "plain JSON"
    return data


def call(
    scene: Scene, name: str, arguments: dict[str, Any], *, attempt: int = 1
) -> Executed:
    """Run a call the whole way, through the gate."""
    return execute_call(
        request=ToolRequest(id="call_1", name=name, arguments=json.dumps(arguments)),
        context=scene.context,
        intent_tools=frozenset(),
        attempt=attempt,
        cut_off=False,
        on_blocked=call_blocked,
    )


def make_mission(scene: Scene, title: str = "Nightly export") -> Mission:
    return create_mission(
        maker=Maker.of(scene.model),
        origin=scene.origin,
        spec=MissionSpec.check(
            title=title,
            objective="It runs.",
            tasks=[{"title": "Write it", "detail": ""}],
            acceptance_criteria=["It ran."],
        ),
        now=NOW,
    )


@pytest.mark.promise("D13", "D70")
def test_tiers_follow_the_effect() -> None:
    assert tool("mission_propose").tier is Tier.PROPOSE
    assert tool("mission_create").tier is Tier.WRITE
    assert {tool(name).tier for name in READS} == {Tier.READ}
    assert not any(is_dispose_name(each.name) for each in all_tools())


@pytest.mark.promise("D14")
def test_the_model_is_told_to_propose_instead_of_writing_prose() -> None:
    description = tool("mission_propose").description
    assert "whenever the person asks for a feature or a change" in description
    assert "instead of describing the work in prose" in description


@pytest.mark.parametrize(
    "extra",
    [
        {"approved": True},
        {"status": "ready"},
        {"origin_conversation": str(uuid.uuid4())},
        {"tenant_id": str(uuid.uuid4())},
        {"tasks": [{"title": "a", "status": "completed"}]},
        {"plan": {"steps": [], "placeholder": False}},
        {"plan": {"steps": [{"id": "a", "title": "A", "kind": "publish"}]}},
        {"title": 1},
        {"tasks": "all of it"},
    ],
    ids=lambda value: next(iter(value)),
)
def test_arguments_are_strict(extra: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        tool("mission_propose").arguments.model_validate({**proposal(), **extra})


@pytest.mark.parametrize("name", [each.name for each in all_tools()])
def test_no_tool_takes_a_field_that_it_does_not_name(name: str) -> None:
    schema = tool(name).schema
    nested = schema.get("$defs", {}).values()
    assert schema["additionalProperties"] is False
    assert all(each["additionalProperties"] is False for each in nested)
    with pytest.raises((ValidationError, SettlingRefused)):
        tool(name).arguments.model_validate({"approved": True})


@pytest.mark.promise("D13", "D15", "D16", "D33")
def test_proposing_tells_the_model_what_stands_and_shows_a_card(scene: Scene) -> None:
    called = tool("mission_propose")
    parsed = called.arguments.model_validate(proposal(plan=SOUND_PLAN))
    result = called.run(context=scene.context, arguments=parsed)
    request = AttentionRequest.objects.get()
    assert result.data == {
        "status": "awaiting_decision",
        "request_id": str(request.pk),
        "title": request.title,
        "revision": 1,
        "created": True,
        "workflow": "draft",
    }
    assert [(card.kind, card.id) for card in result.cards] == [("proposal", request.pk)]
    assert request.origin_conversation == scene.conversation.pk


@pytest.mark.case("A14")
def test_a_repeated_call_names_the_state_of_the_first(scene: Scene) -> None:
    first = run(scene, "mission_propose", **proposal())
    settle(AttentionRequest.objects.get(), "Reject", scene.operator)
    again = run(scene, "mission_propose", **proposal())
    assert again == {**first, "status": "rejected", "created": False}


@pytest.mark.case("A14")
def test_a_repeated_call_through_the_gate_names_it_too(
    scene: Scene, settings: LazySettings
) -> None:
    settings.WRITE_TOOLS_SERVED = True
    call(scene, "mission_propose", proposal())
    settle(AttentionRequest.objects.get(), "Reject", scene.operator)
    for attempt in range(2, 7):
        again = call(scene, "mission_propose", proposal(), attempt=attempt)
        assert (again.state, again.result["status"]) == ("done", "rejected")
    assert AttentionRequest.objects.count() == WorkflowDraft.objects.count() == 1
    assert ToolCall.objects.filter(name="mission_propose").count() == 6


@pytest.mark.promise("D70", "D71", "D72")
@pytest.mark.parametrize("switch", [True, False])
def test_proposing_asks_for_the_switch_alone(
    scene: Scene, settings: LazySettings, switch: bool
) -> None:
    settings.WRITE_TOOLS_SERVED = switch
    executed = call(scene, "mission_propose", proposal())
    assert executed.state == ("done" if switch else "refused")
    assert AttentionRequest.objects.count() == int(switch)


@pytest.mark.case("A22")
def test_cut_off_arguments_propose_nothing(
    scene: Scene, settings: LazySettings
) -> None:
    settings.WRITE_TOOLS_SERVED = True
    executed = execute_call(
        request=ToolRequest("c", "mission_propose", '{"title":"Remove old projects"'),
        context=scene.context,
        intent_tools=frozenset(),
        attempt=1,
        cut_off=False,
        on_blocked=call_blocked,
    )
    assert executed.incomplete
    assert not AttentionRequest.objects.exists()


def test_an_unknown_handle_is_a_tool_error(
    scene: Scene, settings: LazySettings
) -> None:
    settings.WRITE_TOOLS_SERVED = True
    for handle in ("not-a-key", str(uuid.uuid4())):
        executed = call(scene, "mission_propose", proposal(revises=handle))
        assert executed.result["error"] == "unknown_revision"
        assert executed.result["field"] == "revises"
    assert not AttentionRequest.objects.exists()


@pytest.mark.promise("D48", "D49", "D51", "D56", "D58", "N4")
@pytest.mark.parametrize(
    ("switch", "toggle", "gate", "suggestions"),
    [
        (False, True, "deployment_switch", 0),
        (True, False, "tenant_toggle", 1),
        (True, True, "no_explicit_request", 1),
    ],
)
def test_a_write_that_nobody_asked_for_is_held_back_and_kept(
    scene: Scene,
    settings: LazySettings,
    switch: bool,
    toggle: bool,
    gate: str,
    suggestions: int,
) -> None:
    settings.WRITE_TOOLS_SERVED = switch
    Features.objects.create(tenant=scene.tenant, write_tools=toggle)
    arguments = {k: v for k, v in proposal().items() if k != "plan"}
    executed = call(scene, "mission_create", arguments)
    assert executed.gate == gate
    assert not Mission.objects.exists()
    kept = MissionSuggestionRecord.objects.filter(tool="mission_create")
    assert kept.count() == suggestions


@pytest.mark.promise("D33", "D81", "A8")
def test_creating_makes_a_ready_mission_of_this_conversation(scene: Scene) -> None:
    arguments = {k: v for k, v in proposal().items() if k != "plan"}
    data = run(scene, "mission_create", **arguments)
    mission = Mission.objects.get()
    assert data["id"] == str(mission.pk)
    assert (mission.status, mission.maker_kind) == ("ready", "model")
    assert mission.origin_conversation == scene.conversation.pk
    assert mission.origin_message == scene.message.pk
    assert mission.source_request is None
    tasks = MissionTask.objects.filter(mission=mission).order_by("position")
    assert [(task.title, task.status) for task in tasks] == [
        ("Write the export", "todo"),
        ("Alert when it fails", "todo"),
    ]
    assert {task.origin_conversation for task in tasks} == {scene.conversation.pk}


@pytest.mark.promise("D2", "D44")
def test_reads_show_the_live_state(scene: Scene) -> None:
    mission = make_mission(scene)
    draft = propose(scene).draft
    record_turn_suggestion(turn=scene.turn, now=NOW)
    assert run(scene, "mission_list")["items"][0]["id"] == str(mission.pk)
    got = run(scene, "mission_get", id=str(mission.pk))
    assert (got["status"], got["acceptance_criteria"]) == ("ready", ["It ran."])
    assert [task["title"] for task in got["tasks"]] == ["Write it"]
    assert run(scene, "task_list")["items"][0]["mission"] == "Nightly export"
    assert run(scene, "task_list", status="completed")["items"] == []
    listed = run(scene, "workflow_list")["items"][0]
    assert (listed["id"], listed["status"]) == (str(draft.pk), "placeholder")
    workflow = run(scene, "workflow_get", id=str(draft.pk))
    assert [problem["code"] for problem in workflow["problems"]] == ["placeholder"]
    Mission.objects.filter(pk=mission.pk).update(status="running")
    assert run(scene, "mission_list", status="ready")["items"] == []
    assert run(scene, "mission_list", query="NIGHTLY")["total"] == 1


def test_suggestions_are_listed_but_for_private_ones_of_others(scene: Scene) -> None:
    record_turn_suggestion(turn=scene.turn, now=NOW)
    assert run(scene, "suggestion_list", status="open")["total"] == 1
    scene.conversation.is_private = True
    scene.conversation.created_by_id = key_of(scene.operator)
    scene.conversation.save()
    assert run(scene, "suggestion_list")["items"] == []


def test_drafts_of_private_conversations_of_others_show_once_approved(
    scene: Scene,
) -> None:
    proposed = propose(scene)
    scene.conversation.is_private = True
    scene.conversation.created_by_id = key_of(scene.operator)
    scene.conversation.save()
    assert run(scene, "workflow_list")["items"] == []
    with pytest.raises(NotFound):
        run(scene, "workflow_get", id=str(proposed.draft.pk))
    settle(proposed.request, "Approve and create", scene.operator)
    assert run(scene, "workflow_list")["total"] == 1


def test_lists_are_bounded_and_say_that_there_is_more(scene: Scene) -> None:
    for number in range(23):
        make_mission(scene, f"Mission {number}")
    listed = run(scene, "mission_list")
    assert (len(listed["items"]), listed["total"], listed["more"]) == (20, 23, True)


@pytest.mark.promise("D45")
def test_reads_change_no_row(scene: Scene) -> None:
    mission, draft = make_mission(scene), propose(scene).draft
    record_turn_suggestion(turn=scene.turn, now=NOW)

    def everything() -> dict[str, list[dict[str, Any]]]:
        return {
            model._meta.label: list(model._default_manager.order_by("pk").values())  # noqa: SLF001 -- public in Django
            for model in apps.get_models()
        }

    before = everything()
    for name in READS:
        keys = {"mission_get": mission.pk, "workflow_get": draft.pk}
        run(scene, name, **({"id": str(keys[name])} if name in keys else {}))
    assert everything() == before


@pytest.mark.lesson("H-16")
def test_nothing_of_another_team_is_found(scene: Scene) -> None:
    other = build_scene("globex")
    mission, draft = make_mission(other), propose(other).draft
    record_turn_suggestion(turn=other.turn, now=NOW)
    assert MissionSuggestionRecord.objects.count() == 0
    for name in ("mission_list", "task_list", "workflow_list", "suggestion_list"):
        assert run(scene, name) == {"items": [], "total": 0, "more": False}
    for name, key in (("mission_get", mission.pk), ("workflow_get", draft.pk)):
        for foreign in (str(key), str(uuid.uuid4()), "1"):
            with pytest.raises(NotFound):
                run(scene, name, id=foreign)
    with pytest.raises(NotFound):
        run(scene, "task_list", mission_id=str(mission.pk))


@pytest.mark.promise("D57")
def test_a_preview_says_what_would_be_made_and_makes_nothing(scene: Scene) -> None:
    called = tool("mission_create")
    assert called.preview is not None
    wanted = {key: value for key, value in proposal().items() if key != "plan"}
    changes = called.preview(
        context=scene.context, arguments=called.arguments.model_validate(wanted)
    )
    assert [(each.label, each.before, each.after) for each in changes] == [
        ("Title", "", "Nightly export of unpaid invoices"),
        ("Objective", "", "Unpaid invoices reach the finance share every night."),
        ("Task", "", "Write the export\nCSV, one file a night."),
        ("Task", "", "Alert when it fails"),
        ("Acceptance criterion", "", "The file is there at six in the morning."),
        ("Priority", "", "Normal"),
        ("Status", "", "Ready"),
    ]
    assert not Mission.objects.exists()
