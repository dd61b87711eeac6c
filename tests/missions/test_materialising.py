from __future__ import annotations

import datetime as dt
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from decisions.models import AttentionRequest, Resolution
from dialogue.models import ConversationMessage, Event, MessageRole
from missions.models import (
    Materialisation,
    MaterialisationState,
    Mission,
    MissionTask,
    WorkflowDraft,
    WorkflowVersion,
)
from missions.services import creating, materialising
from missions.services.aftermath import aftermaths_of
from missions.services.materialising import (
    NotApproved,
    materialise,
    sweep_materialisations,
    wait_seconds,
)
from tests.decisions.support import APPROVE, CHANGES, LATER, REJECT, choose
from tests.missions.support import Scene, build_scene, propose, settle, user_of
from tooling.append_only import maintenance
from tooling.models import AuditEntry, Features

if TYPE_CHECKING:
    from collections.abc import Callable


def run(request: AttentionRequest, now: dt.datetime = LATER) -> Materialisation:
    return materialise(request_id=request.pk, now=now)


def broken(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Have the creation of Missions fail."""

    def fail(**_arguments: Any) -> Mission:
        raise error

    monkeypatch.setattr(materialising, "create_mission", fail)


@pytest.mark.promise("D19", "D79", "D82", "D36", "D33", "A8")
def test_an_approval_becomes_the_mission_that_was_shown(
    scene: Scene, approved: AttentionRequest
) -> None:
    row = run(approved)
    assert row.state == MaterialisationState.CREATED
    mission = Mission.objects.get()
    assert row.mission_id == mission.pk
    shown = approved.payload["mission"]
    assert mission.title == shown["title"]
    assert mission.objective == shown["objective"]
    assert mission.acceptance_criteria == shown["acceptance_criteria"]
    assert mission.priority == shown["priority"]
    tasks = MissionTask.objects.order_by("position").values("title", "detail")
    assert list(tasks) == shown["tasks"]
    assert mission.status == "ready"
    assert mission.source_request_id == approved.pk
    assert mission.payload_hash == approved.payload_hash
    assert mission.origin_conversation == scene.conversation.pk
    assert mission.origin_message == scene.message.pk
    assert set(MissionTask.objects.values_list("origin_conversation", flat=True)) == {
        scene.conversation.pk
    }


@pytest.mark.promise("D87", "D88", "D91", "N2")
def test_nothing_is_published_or_attached(
    scene: Scene, approved: AttentionRequest
) -> None:
    before = WorkflowDraft.objects.values().get()
    run(approved)
    assert WorkflowDraft.objects.values().get() == before
    assert not WorkflowVersion.objects.exists()


@pytest.mark.promise("D19", "D36")
def test_the_conversation_is_told_with_the_missions_card(
    scene: Scene, approved: AttentionRequest
) -> None:
    run(approved)
    mission = Mission.objects.get()
    notice = ConversationMessage.objects.filter(role=MessageRole.NOTICE).last()
    assert notice is not None
    assert notice.conversation_id == scene.conversation.pk
    assert notice.data["kind"] == "mission"
    assert notice.data["cards"] == [{"kind": "mission", "id": str(mission.pk)}]
    assert Event.objects.filter(
        kind="card", data={"card": "proposal", "id": str(approved.pk)}
    ).exists()


@pytest.mark.promise("D83")
@pytest.mark.lesson("H-01", "H-03")
def test_again_and_again_is_one_mission(
    scene: Scene, approved: AttentionRequest
) -> None:
    first = run(approved)
    told = ConversationMessage.objects.count()
    for _repetition in range(5):
        again = run(approved)
        assert again.mission_id == first.mission_id
        assert again.attempts == 1
    assert sweep_materialisations(now=LATER) == 0
    assert Mission.objects.count() == 1
    assert ConversationMessage.objects.count() == told


@pytest.mark.promise("D80", "D83")
def test_the_sweep_finds_what_a_hint_missed(
    scene: Scene, approved: AttentionRequest
) -> None:
    assert sweep_materialisations(now=LATER) == 1
    assert Mission.objects.get().source_request_id == approved.pk


@pytest.mark.promise("D85", "D86", "D75", "N1")
@pytest.mark.parametrize("option", [CHANGES, REJECT, None])
def test_nothing_follows_from_anything_else(scene: Scene, option: str | None) -> None:
    request = propose(scene).request
    if option is not None:
        choose(request, scene.operator, option, note="No.")
    with pytest.raises(NotApproved):
        run(request)
    assert sweep_materialisations(now=LATER) == 0
    assert not Mission.objects.exists()
    assert not Materialisation.objects.exists()


@pytest.mark.promise("D84")
def test_the_gates_of_the_chat_do_not_matter(
    scene: Scene, approved: AttentionRequest, settings: Any
) -> None:
    settings.WRITE_TOOLS_SERVED = False
    Features.objects.update_or_create(
        tenant=scene.tenant, defaults={"write_tools": False}
    )
    assert run(approved).state == MaterialisationState.CREATED


# --- what does not pass the re-check is blocked ------------------------------------


def blocked_with(request: AttentionRequest, code: str) -> Materialisation:
    row = run(request)
    assert (row.state, row.error_code) == (MaterialisationState.BLOCKED, code)
    assert row.next_try_at is None
    assert not Mission.objects.filter(source_request=request).exists()
    # Neither the sweep nor time opens it again; a person is told what to do.
    assert sweep_materialisations(now=LATER + dt.timedelta(days=1)) == 0
    after = aftermaths_of([request])[request.pk]
    assert after.state == "blocked"
    assert after.advice
    assert code not in after.advice
    return row


@pytest.mark.promise("D83")
@pytest.mark.lesson("H-04")
def test_a_hand_edited_row_is_found_and_blocked(scene: Scene) -> None:
    request = propose(scene).request
    settle(request, APPROVE, scene.operator)
    assert sweep_materialisations(now=LATER) == 1
    blocked_with(request, "no_resolution")


@pytest.mark.promise("A12")
@pytest.mark.lesson("H-09")
@pytest.mark.parametrize(
    "change",
    [
        lambda payload: payload["mission"].update(title="Something else"),
        lambda payload: payload["mission"]["tasks"].pop(),
        lambda payload: payload["workflow"]["graph"].update(placeholder=False),
    ],
)
def test_one_byte_behind_the_page_blocks(
    scene: Scene, approved: AttentionRequest, change: Callable[[Any], None]
) -> None:
    change(approved.payload)
    with maintenance():
        AttentionRequest.objects.filter(pk=approved.pk).update(payload=approved.payload)
    blocked_with(approved, "content_changed")


@pytest.mark.promise("A12")
@pytest.mark.lesson("H-09")
@pytest.mark.parametrize(
    "change", [{"payload_hash": "0" * 64}, {"revision": 2}, {"option": REJECT}]
)
def test_a_resolution_of_something_else_blocks(
    scene: Scene, approved: AttentionRequest, change: dict[str, Any]
) -> None:
    with maintenance():
        Resolution.objects.update(**change)
    code = "no_resolution" if "option" in change else "content_changed"
    blocked_with(approved, code)


@pytest.mark.lesson("H-11")
def test_a_draft_that_is_gone_blocks(scene: Scene, approved: AttentionRequest) -> None:
    WorkflowDraft.objects.update(source_request=None)
    blocked_with(approved, "draft_missing")


@pytest.mark.lesson("H-16")
def test_parts_of_another_team_block(scene: Scene, approved: AttentionRequest) -> None:
    other = build_scene("globex")
    WorkflowDraft.objects.update(tenant_id=other.tenant.pk)
    blocked_with(approved, "tenant_differs")


def test_a_draft_that_was_edited_since_blocks_nothing(
    scene: Scene, approved: AttentionRequest
) -> None:
    WorkflowDraft.objects.update(content_hash="1" * 64, graph={"steps": []})
    assert run(approved).state == MaterialisationState.CREATED


# --- what merely errs is tried again ----------


@pytest.mark.promise("A11", "D83")
@pytest.mark.lesson("H-05")
def test_an_error_is_shown_and_tried_again_without_a_new_decision(
    scene: Scene, approved: AttentionRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        broken(patch, RuntimeError("disk full\x00"))
        row = run(approved)
        assert (row.state, row.attempts) == (MaterialisationState.ERRING, 1)
        assert row.error_code == "RuntimeError"
        assert row.next_try_at == LATER + dt.timedelta(seconds=5)
        # Not before its time.
        assert sweep_materialisations(now=LATER) == 0
        assert Materialisation.objects.get().attempts == 1
        assert sweep_materialisations(now=LATER + dt.timedelta(seconds=5)) == 0
        assert Materialisation.objects.get().attempts == 2
    assert not Mission.objects.exists()
    assert Resolution.objects.count() == 1
    assert sweep_materialisations(now=LATER + dt.timedelta(minutes=1)) == 1
    row = Materialisation.objects.get()
    assert (row.state, row.error_code, row.attempts) == ("created", "", 3)
    assert Mission.objects.count() == 1
    assert Resolution.objects.count() == 1


@pytest.mark.promise("D83")
def test_nothing_is_half_done_when_a_late_step_fails(
    scene: Scene, approved: AttentionRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_arguments: Any) -> None:
        raise DatabaseError

    with monkeypatch.context() as patch:
        patch.setattr(materialising, "tell_conversation", fail)
        assert run(approved).state == MaterialisationState.ERRING
    assert not Mission.objects.exists()
    assert not MissionTask.objects.exists()
    assert not AuditEntry.objects.filter(action="mission.created").exists()
    assert run(approved).state == MaterialisationState.CREATED


@pytest.mark.promise("D83")
def test_one_that_errs_keeps_no_other_waiting(
    scene: Scene, approved: AttentionRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = build_scene("globex")
    request = propose(other).request
    choose(request, other.operator, now=LATER + dt.timedelta(minutes=1))
    create = creating.create_mission

    def fail_first(**arguments: Any) -> Mission:
        if arguments["source_request"].pk == approved.pk:
            raise RuntimeError
        return create(**arguments)

    monkeypatch.setattr(materialising, "create_mission", fail_first)
    assert sweep_materialisations(now=LATER + dt.timedelta(minutes=2)) == 1
    assert Mission.objects.get().source_request_id == request.pk


@pytest.mark.promise("D83")
def test_who_finds_it_done_by_somebody_else_is_content(
    scene: Scene, approved: AttentionRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(approved)
    mission = Mission.objects.get()
    # As a process sees it that looked just before the other one committed.
    Materialisation.objects.all().delete()
    monkeypatch.setattr(materialising, "_attempt", _blind_attempt)
    row = run(approved)
    assert (row.state, row.mission_id) == ("created", mission.pk)
    assert Mission.objects.count() == 1


def _blind_attempt(*, request_id: uuid.UUID, now: dt.datetime) -> Materialisation:
    raise IntegrityError


@pytest.mark.promise("D83")
def test_the_database_holds_one_mission_for_each_request(
    scene: Scene, approved: AttentionRequest
) -> None:
    run(approved)
    with pytest.raises(IntegrityError), transaction.atomic():
        Mission.objects.create(
            tenant=scene.tenant,
            title="Twin",
            objective="Twin",
            source_request=approved,
            maker_kind="human",
            created_by=user_of(scene.member),
        )


def test_waiting_grows_and_stays_below_the_promise() -> None:
    waits = [wait_seconds(attempts) for attempts in range(1, 200)]
    assert waits[:4] == [5, 10, 20, 30]
    assert waits == sorted(waits)
    # With a sweep every 15 s that is a Mission within 60 s of recovery.
    assert max(waits) + 15 < 60


def test_a_materialisation_says_created_with_a_mission_alone(
    scene: Scene, approved: AttentionRequest
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Materialisation.objects.create(request=approved, state="created")
