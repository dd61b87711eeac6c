from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from missions.makers import Maker, Origin
from missions.models import Mission, MissionTask
from missions.services.creating import create_mission
from missions.specification import MissionSpec, WrongShape
from missions.subject import check_payload, effect, make_payload
from missions.workflow.graph import build_graph, placeholder_graph
from tests.missions.support import NOW, SOUND_PLAN, Scene, plan, propose
from tooling.boundary import payload_hash
from tooling.errors import InvalidInput
from tooling.models import AuditEntry

pytestmark = pytest.mark.django_db
SPEC = MissionSpec.check(
    title="Export",
    objective="It runs.",
    tasks=[{"title": "Write it", "detail": "In Python."}, {"title": "Watch it"}],
    acceptance_criteria=["It ran."],
)


@pytest.mark.promise("D81", "A8")
def test_a_mission_is_ready_with_tasks_and_an_audit_entry(scene: Scene) -> None:
    mission = create_mission(
        maker=Maker.of(scene.model), origin=scene.origin, spec=SPEC, now=NOW
    )
    assert (mission.status, mission.priority) == ("ready", "normal")
    tasks = MissionTask.objects.filter(mission=mission).order_by("position")
    assert [(t.position, t.title, t.detail) for t in tasks] == [
        (1, "Write it", "In Python."),
        (2, "Watch it", ""),
    ]
    entry = AuditEntry.objects.get(action="mission.created")
    assert (entry.target_id, entry.actor_kind) == (mission.pk, "model")


@pytest.mark.promise("D83")
def test_the_database_refuses_a_second_mission_for_a_request(scene: Scene) -> None:
    request = propose(scene).request

    def create() -> Mission:
        return create_mission(
            maker=Maker.of(scene.model),
            origin=scene.origin,
            spec=SPEC,
            source_request=request,
            payload_hash=request.payload_hash,
            now=NOW,
        )

    create()
    with pytest.raises(IntegrityError), transaction.atomic():
        create()
    assert Mission.objects.count() == 1
    assert MissionTask.objects.count() == 2


@pytest.mark.promise("D33")
def test_a_model_makes_nothing_without_its_conversation(scene: Scene) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        create_mission(maker=Maker.of(scene.model), origin=None, spec=SPEC, now=NOW)
    created = create_mission(
        maker=Maker.of(scene.member), origin=None, spec=SPEC, now=NOW
    )
    assert created.origin_conversation is None
    linked = create_mission(
        maker=Maker.of(scene.model),
        origin=Origin(scene.conversation.pk),
        spec=SPEC,
        now=NOW,
    )
    assert linked.origin_conversation == scene.conversation.pk


@pytest.mark.promise("D81", "D82")
def test_what_is_proposed_reads_back_as_what_is_created(scene: Scene) -> None:
    payload = make_payload(SPEC, build_graph(SOUND_PLAN))
    assert check_payload(payload) == payload
    assert MissionSpec.from_payload(payload["mission"]) == SPEC


@pytest.mark.parametrize(
    "payload",
    [
        None,
        {},
        {"mission": SPEC.to_payload()},
        {"mission": SPEC.to_payload(), "workflow": {"graph": {}}},
        {
            "mission": {**SPEC.to_payload(), "status": "completed"},
            "workflow": {"graph": {**SOUND_PLAN, "placeholder": False}},
        },
        {
            "mission": {**SPEC.to_payload(), "tasks": "all"},
            "workflow": {"graph": {**SOUND_PLAN, "placeholder": False}},
        },
        {
            "mission": SPEC.to_payload(),
            "workflow": {"graph": {**plan(("a", ("a",))), "placeholder": False}},
        },
    ],
)
def test_another_payload_is_refused(payload: object) -> None:
    with pytest.raises(InvalidInput):
        check_payload(payload)


def test_an_unknown_field_names_no_value() -> None:
    with pytest.raises(WrongShape):
        MissionSpec.from_payload({**SPEC.to_payload(), "approved": True})


@pytest.mark.promise("D76", "D87", "D88")
def test_the_effect_is_computed_from_the_payload() -> None:
    lines = effect(make_payload(SPEC, build_graph(SOUND_PLAN)))
    assert [line.text for line in lines if not line.negative] == [
        "The Mission “Export” is created, with the status ready.",
        "2 tasks are created with it, to do.",
        "It is measured by 1 acceptance criterion.",
        "Its priority is normal.",
    ]
    assert [line.text for line in lines if line.negative] == [
        "No work starts by itself.",
        "The workflow draft (2 steps) is not published.",
        "The draft is not attached to the Mission.",
    ]


def test_the_effect_says_that_a_draft_is_a_placeholder() -> None:
    lines = effect(make_payload(SPEC, placeholder_graph(["Write it"])))
    assert any("placeholder" in line.text for line in lines if line.negative)


@pytest.mark.lesson("H-09")
def test_every_part_of_the_payload_moves_the_hash() -> None:
    base = make_payload(SPEC, build_graph(SOUND_PLAN))
    seen = {payload_hash(base)}
    for name, value in (
        ("title", "Other"),
        ("objective", "Other"),
        ("tasks", []),
        ("acceptance_criteria", []),
        ("priority", "high"),
    ):
        seen.add(payload_hash({**base, "mission": {**base["mission"], name: value}}))
    seen.add(payload_hash(make_payload(SPEC, placeholder_graph(["Write it"]))))
    assert len(seen) == 7
