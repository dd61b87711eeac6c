from __future__ import annotations

import uuid

import pytest
from django.db import DatabaseError, transaction

from decisions.models import AttentionRequest, RequestState
from missions.models import Mission, WorkflowDraft, WorkflowVersion
from missions.services.drafts import edit_draft
from missions.services.publishing import (
    NotPublishable,
    RequestNotApproved,
    RequestStillOpen,
    publish_draft,
)
from missions.services.redrafting import DraftChanged
from tests.missions.support import NOW, SOUND_PLAN, Scene, propose, settle
from tooling.boundary import payload_hash
from tooling.errors import InvalidInput, NotAllowed, NotFound
from tooling.models import AuditEntry

pytestmark = pytest.mark.django_db
APPROVE = "Approve and create"
STEPS = SOUND_PLAN["steps"]


def approved(scene: Scene, *, sound: bool = True) -> WorkflowDraft:
    """Return the draft of an approved proposal."""
    proposed = propose(scene, plan=SOUND_PLAN if sound else None)
    settle(proposed.request, APPROVE, scene.operator)
    return proposed.draft


def publish(scene: Scene, draft: WorkflowDraft, version: int = 1) -> WorkflowVersion:
    return publish_draft(
        principal=scene.operator, draft_id=draft.pk, edit_version=version, now=NOW
    ).version


@pytest.mark.promise("D92")
def test_publishing_makes_a_version_and_keeps_the_draft(scene: Scene) -> None:
    draft = approved(scene)
    version = publish(scene, draft)
    assert (version.number, version.graph) == (1, draft.graph)
    assert version.content_hash == payload_hash(version.graph)
    assert version.published_by_id == scene.operator.user_id
    draft.refresh_from_db()
    assert draft.edit_version == 1
    assert AuditEntry.objects.filter(action="workflow.published").count() == 1


def test_publishing_twice_makes_one_version(scene: Scene) -> None:
    draft = approved(scene)
    assert publish(scene, draft) == publish(scene, draft)
    assert WorkflowVersion.objects.count() == 1
    assert AuditEntry.objects.filter(action="workflow.published").count() == 1


def test_an_edit_published_again_is_the_next_version(scene: Scene) -> None:
    draft = approved(scene)
    first = publish(scene, draft)
    edit_draft(
        principal=scene.operator,
        draft_id=draft.pk,
        edit_version=1,
        title="Export, better",
        steps=STEPS[:1],
        now=NOW,
    )
    second = publish(scene, draft, version=2)
    assert second.number == 2
    first.refresh_from_db()
    assert first.graph["steps"] == STEPS


@pytest.mark.promise("D90")
def test_a_placeholder_is_refused_with_reasons(scene: Scene) -> None:
    draft = approved(scene, sound=False)
    with pytest.raises(NotPublishable) as refused:
        publish(scene, draft)
    problems = refused.value.extra["problems"]
    assert [problem["code"] for problem in problems] == ["placeholder"]
    assert problems[0]["message"]
    assert not WorkflowVersion.objects.exists()


@pytest.mark.promise("D92")
def test_a_person_completes_a_placeholder_and_publishes_it(scene: Scene) -> None:
    draft = approved(scene, sound=False)
    edit_draft(
        principal=scene.operator,
        draft_id=draft.pk,
        edit_version=1,
        title=draft.title,
        steps=draft.graph["steps"],
        now=NOW,
    )
    assert publish(scene, draft, version=2).number == 1


@pytest.mark.lesson("H-13")
def test_while_the_request_is_open_publishing_is_refused(scene: Scene) -> None:
    draft = propose(scene, plan=SOUND_PLAN).draft
    with pytest.raises(RequestStillOpen):
        publish(scene, draft)
    assert not WorkflowVersion.objects.exists()


@pytest.mark.lesson("H-13")
@pytest.mark.parametrize("option", ["Reject", "Request changes"])
def test_what_was_not_approved_is_not_published(scene: Scene, option: str) -> None:
    proposed = propose(scene, plan=SOUND_PLAN)
    settle(proposed.request, option, scene.operator)
    with pytest.raises(RequestNotApproved):
        publish(scene, proposed.draft)
    assert not WorkflowVersion.objects.exists()


@pytest.mark.lesson("H-13")
@pytest.mark.parametrize("state", ["expired", "withdrawn", "superseded"])
def test_a_draft_of_an_ended_request_is_not_published(scene: Scene, state: str) -> None:
    proposed = propose(scene, plan=SOUND_PLAN)
    AttentionRequest.objects.filter(pk=proposed.request.pk).update(
        state=RequestState(state), closed_at=NOW
    )
    with pytest.raises(RequestNotApproved):
        publish(scene, proposed.draft)


@pytest.mark.parametrize(
    ("who", "error"),
    [
        ("viewer", NotAllowed),
        ("member", NotAllowed),
        ("model", NotAllowed),
        ("stranger", NotFound),
    ],
)
def test_who_may_not_publish_or_edit_changes_nothing(
    scene: Scene, who: str, error: type[Exception]
) -> None:
    draft = approved(scene)
    principal = getattr(scene, who)
    with pytest.raises(error):
        publish_draft(principal=principal, draft_id=draft.pk, edit_version=1, now=NOW)
    with pytest.raises(error):
        edit_draft(
            principal=principal,
            draft_id=draft.pk,
            edit_version=1,
            title="Mine",
            steps=[],
            now=NOW,
        )
    assert not WorkflowVersion.objects.exists()
    draft.refresh_from_db()
    assert draft.edit_version == 1


def test_a_stale_version_is_a_conflict(scene: Scene) -> None:
    draft = approved(scene)
    for version in (0, 2):
        with pytest.raises(DraftChanged):
            publish(scene, draft, version=version)
    with pytest.raises(NotFound):
        publish_draft(
            principal=scene.operator, draft_id=uuid.uuid4(), edit_version=1, now=NOW
        )


def test_two_editors_cannot_overwrite_each_other(scene: Scene) -> None:
    draft = approved(scene)

    def edit(title: str) -> WorkflowDraft:
        return edit_draft(
            principal=scene.operator,
            draft_id=draft.pk,
            edit_version=1,
            title=title,
            steps=STEPS,
            now=NOW,
        )

    assert edit("First").edit_version == 2
    with pytest.raises(DraftChanged) as refused:
        edit("Second")
    assert refused.value.status == 409
    assert refused.value.extra == {"edit_version": 2}
    draft.refresh_from_db()
    assert draft.title == "First"


def test_an_edit_may_be_unfinished_and_keeps_the_mark_if_asked(scene: Scene) -> None:
    draft = approved(scene, sound=False)
    edited = edit_draft(
        principal=scene.operator,
        draft_id=draft.pk,
        edit_version=1,
        title=draft.title,
        steps=[{"id": "a", "title": "", "kind": "task", "after": ["a"]}],
        placeholder=True,
        now=NOW,
    )
    assert edited.is_placeholder
    assert edited.content_hash == payload_hash(edited.graph)
    with pytest.raises(NotPublishable):
        publish(scene, edited, version=2)


def test_an_edit_of_another_form_is_refused(scene: Scene) -> None:
    draft = approved(scene)
    forms: list[list[object]] = [["a"], [{"id": "a", "title": "b\x00"}], [{}] * 51]
    for steps in forms:
        with pytest.raises(InvalidInput):
            edit_draft(
                principal=scene.operator,
                draft_id=draft.pk,
                edit_version=1,
                title="T",
                steps=steps,
                now=NOW,
            )
    draft.refresh_from_db()
    assert draft.edit_version == 1


@pytest.mark.promise("D92")
def test_a_published_version_never_changes(scene: Scene) -> None:
    version = publish(scene, approved(scene))
    rows = WorkflowVersion.objects.filter(pk=version.pk)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(title="Another")
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.delete()
    assert rows.get().title == version.title


@pytest.mark.promise("D88", "N2")
def test_publishing_touches_no_mission(scene: Scene) -> None:
    publish(scene, approved(scene))
    assert not Mission.objects.exists()
