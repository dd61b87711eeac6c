from __future__ import annotations

import functools
import uuid
from typing import TYPE_CHECKING, Any

import pytest

from decisions.models import AttentionRequest, Resolution
from dialogue.models import ConversationMessage
from missions.models import (
    Materialisation,
    MaterialisationState,
    Mission,
    MissionTask,
)
from missions.services.materialising import (
    retry_materialisation,
    sweep_materialisations,
)
from missions.tasks import RETRIES, RETRY_SECONDS, materialise_approved
from tests.decisions.support import APPROVE, LATER, REJECT, at_once, choose
from tests.missions.support import Scene, propose
from tests.missions.test_materialising import broken, run
from tooling.errors import NotAllowed, NotFound
from tooling.models import AuditEntry

if TYPE_CHECKING:
    from collections.abc import Callable


# --- a person's retry ----------


@pytest.mark.promise("A11")
@pytest.mark.lesson("H-05")
def test_a_person_retries_before_the_time(
    scene: Scene, approved: AttentionRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        broken(patch, RuntimeError())
        run(approved)
    row = retry_materialisation(
        principal=scene.operator, request_id=approved.pk, now=LATER
    )
    assert row.state == MaterialisationState.CREATED
    entry = AuditEntry.objects.get(action="materialisation.retried")
    assert entry.actor_id == scene.operator.user_id


@pytest.mark.promise("D66")
def test_who_may_retry(scene: Scene, approved: AttentionRequest) -> None:
    refusals = [
        (scene.viewer, NotAllowed),
        (scene.member, NotAllowed),
        (scene.model, NotAllowed),
        (scene.stranger, NotFound),
    ]
    for principal, refusal in refusals:
        with pytest.raises(refusal):
            retry_materialisation(
                principal=principal, request_id=approved.pk, now=LATER
            )
    assert not Mission.objects.exists()


# --- the task and the hint ----------


@pytest.mark.promise("D80")
@pytest.mark.parametrize("option", [APPROVE, REJECT])
def test_a_saved_resolution_hints_on_commit(
    scene: Scene,
    option: str,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    hints: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(
        "tooling.hints.send_hint",
        lambda name, **kwargs: hints.append((name, kwargs)),
    )
    request = propose(scene).request
    with django_capture_on_commit_callbacks(execute=True):
        choose(request, scene.operator, option)
        assert hints == []
    wanted = [("missions.materialise", {"request_id": str(request.pk)})]
    assert hints == (wanted if option == APPROVE else [])


@pytest.mark.promise("D80")
def test_the_task_does_what_the_service_does(
    scene: Scene, approved: AttentionRequest
) -> None:
    for _delivery in range(3):
        materialise_approved.apply(
            kwargs={"request_id": str(approved.pk), "from_the_future": 1}
        )
    assert Mission.objects.count() == 1


def test_the_task_waits_a_minute_for_a_row(db: None) -> None:
    assert RETRIES * RETRY_SECONDS == 60
    assert materialise_approved.acks_late
    result = materialise_approved.apply(
        kwargs={"request_id": str(uuid.uuid4())}, retries=RETRIES
    )
    assert result.successful()


def test_the_task_leaves_what_is_not_approved_alone(scene: Scene) -> None:
    request = propose(scene).request
    result = materialise_approved.apply(kwargs={"request_id": str(request.pk)})
    assert result.successful()
    assert not Mission.objects.exists()


# --- races ----------


@pytest.mark.django_db(transaction=True)
@pytest.mark.promise("D83")
@pytest.mark.lesson("H-03")
@pytest.mark.parametrize("_round", range(3))
def test_ten_at_once_make_one_mission(
    scene: Scene, approved: AttentionRequest, _round: int
) -> None:
    rows = at_once(*([functools.partial(run, approved)] * 10))
    mission = Mission.objects.get()
    assert {row.mission_id for row in rows} == {mission.pk}
    assert Materialisation.objects.get().state == MaterialisationState.CREATED
    assert MissionTask.objects.count() == 2
    notices = ConversationMessage.objects.filter(data__kind="mission")
    assert notices.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.promise("D83")
def test_task_sweep_and_person_at_once_make_one_mission(
    scene: Scene, approved: AttentionRequest
) -> None:
    sweep = functools.partial(sweep_materialisations, now=LATER)
    person = functools.partial(
        retry_materialisation,
        principal=scene.operator,
        request_id=approved.pk,
        now=LATER,
    )
    calls: list[Callable[[], Any]] = [functools.partial(run, approved), sweep, person]
    at_once(*calls, *calls, *calls)
    assert Mission.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.promise("D83", "A10")
def test_approving_and_materialising_at_once(scene: Scene) -> None:
    request = propose(scene).request
    sweep = functools.partial(sweep_materialisations, now=LATER)
    approve = functools.partial(choose, request, scene.operator)
    calls: list[Callable[[], Any]] = [approve, sweep] * 5
    at_once(*calls)
    sweep()
    assert Resolution.objects.count() == 1
    assert Mission.objects.count() == 1
