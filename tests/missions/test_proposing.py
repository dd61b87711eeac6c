from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps

from decisions.models import AttentionRequest
from dialogue.models import ConversationMessage
from missions.makers import Maker, Origin
from missions.models import (
    Mission,
    MissionSuggestionRecord,
    WorkflowDraft,
    WorkflowVersion,
)
from missions.services.proposing import (
    TooManyOpen,
    TooManyProposals,
    UnknownRevision,
    propose_mission,
    raise_proposal,
)
from missions.services.suggestions import record_turn_suggestion
from tests.missions.support import (
    NOW,
    SOUND_PLAN,
    Scene,
    add_turn,
    make_conversation,
    plan,
    proposal,
    propose,
    settle,
)
from tooling.boundary import payload_hash
from tooling.errors import InvalidInput, NotAllowed, NotFound
from tooling.models import AuditEntry

if TYPE_CHECKING:
    from django.conf import LazySettings

pytestmark = pytest.mark.django_db
ALWAYS_MOVING = {"tooling.AuditEntry", "sessions.Session"}


def row_counts() -> dict[str, int]:
    """Count the rows of every table of the product but the audit log."""
    names = {"missions", "decisions", "dialogue", "tooling"}
    return {
        model._meta.label: model._default_manager.count()  # noqa: SLF001 -- public in Django
        for model in apps.get_models()
        if model._meta.app_label in names  # noqa: SLF001 -- public in Django
        and model._meta.label not in ALWAYS_MOVING  # noqa: SLF001 -- public in Django
    }


@pytest.mark.promise("D15", "D16", "D17", "D18", "D74", "N1")
def test_a_proposal_is_one_request_and_one_draft_and_no_other_row(scene: Scene) -> None:
    before = row_counts()
    proposed = propose(scene, plan=SOUND_PLAN)
    after = row_counts()
    changed = {name: after[name] - before[name] for name in after}
    assert {name: count for name, count in changed.items() if count} == {
        "decisions.AttentionRequest": 1,
        "missions.WorkflowDraft": 1,
    }
    assert proposed.created
    assert proposed.draft.source_request == proposed.request


@pytest.mark.promise("D16", "D33", "D35", "D78")
def test_the_request_carries_origin_payload_and_options(scene: Scene) -> None:
    request = propose(scene, plan=SOUND_PLAN).request
    request.refresh_from_db()
    assert (request.kind, request.state, request.maker_kind) == (
        "Approval",
        "open",
        "model",
    )
    assert request.options == ["Approve and create", "Request changes", "Reject"]
    assert request.origin_conversation == scene.conversation.pk
    assert request.origin_message == scene.message.pk
    assert request.origin_turn == scene.turn.pk
    assert request.payload == {
        "mission": {
            **{k: v for k, v in proposal().items() if k != "plan"},
            "priority": "normal",
        },
        "workflow": {"graph": {**SOUND_PLAN, "placeholder": False}},
    }
    assert request.payload_hash == payload_hash(request.payload)


@pytest.mark.promise("D33", "D91", "L1")
def test_the_draft_stays_a_draft_with_a_sound_plan_too(scene: Scene) -> None:
    draft = propose(scene, plan=SOUND_PLAN).draft
    draft.refresh_from_db()
    assert draft.graph == {**SOUND_PLAN, "placeholder": False}
    assert not draft.is_placeholder
    assert draft.content_hash == payload_hash(draft.graph)
    assert draft.origin_conversation == scene.conversation.pk
    assert not WorkflowVersion.objects.exists()


@pytest.mark.promise("D89")
@pytest.mark.parametrize("value", [None, plan(("a", ("a",))), {"steps": []}, {}])
def test_without_a_usable_plan_the_draft_is_a_placeholder(
    scene: Scene, value: dict[str, Any] | None
) -> None:
    draft = propose(scene, plan=value).draft
    assert draft.is_placeholder
    assert draft.graph["placeholder"] is True
    assert [step["title"] for step in draft.graph["steps"]] == [
        "Write the export",
        "Alert when it fails",
    ]


@pytest.mark.promise("D16", "D83")
@pytest.mark.lesson("H-23")
def test_the_same_call_a_thousand_times_leaves_one_row(scene: Scene) -> None:
    first = propose(scene)
    again = [propose(scene) for _ in range(40)]
    assert {each.request.pk for each in again} == {first.request.pk}
    assert {each.draft.pk for each in again} == {first.draft.pk}
    assert not any(each.created for each in again)
    assert AttentionRequest.objects.count() == WorkflowDraft.objects.count() == 1


@pytest.mark.case("A14")
@pytest.mark.lesson("H-23")
def test_after_a_rejection_only_a_new_message_of_a_person_proposes_again(
    scene: Scene,
) -> None:
    first = propose(scene)
    settle(first.request, "Reject", scene.operator)
    for _ in range(5):
        again = propose(scene)
        assert (again.request.pk, again.created) == (first.request.pk, False)
        assert again.request.resolved_option == "Reject"
    assert AuditEntry.objects.filter(action="proposal.repeated").count() == 5
    assert not AttentionRequest.objects.filter(state="open").exists()

    message, turn = add_turn(scene.conversation, "propose it again")
    anew = propose_mission(
        maker=Maker.of(scene.model),
        origin=Origin(scene.conversation.pk, message.pk, turn.pk),
        now=NOW,
        **proposal(),
    )
    assert anew.created
    assert AttentionRequest.objects.filter(state="open").count() == 1


def test_an_equal_proposal_that_is_still_open_is_found_from_a_later_message(
    scene: Scene,
) -> None:
    first = propose(scene)
    message, turn = add_turn(scene.conversation, "and now?")
    again = propose_mission(
        maker=Maker.of(scene.model),
        origin=Origin(scene.conversation.pk, message.pk, turn.pk),
        now=NOW,
        **proposal(),
    )
    assert (again.request.pk, again.created) == (first.request.pk, False)


@pytest.mark.promise("A14")
def test_a_turn_has_a_cap(scene: Scene, settings: LazySettings) -> None:
    settings.PROPOSALS_PER_TURN = 2
    propose(scene, title="One")
    propose(scene, title="Two")
    with pytest.raises(TooManyProposals) as refused:
        propose(scene, title="Three")
    assert not propose(scene, title="One").created
    assert refused.value.code == "proposals_per_turn"
    assert AttentionRequest.objects.count() == WorkflowDraft.objects.count() == 2


@pytest.mark.lesson("H-23")
def test_a_conversation_has_a_cap_of_open_ones(
    scene: Scene, settings: LazySettings
) -> None:
    settings.OPEN_PROPOSALS_PER_CONVERSATION = 1
    first = propose(scene, title="One")
    with pytest.raises(TooManyOpen):
        propose(scene, title="Two")
    settle(first.request, "Reject", scene.operator)
    assert propose(scene, title="Two").created


@pytest.mark.promise("A9")
@pytest.mark.lesson("H-13")
def test_the_only_one_that_asked_for_changes_is_revised_by_default(
    scene: Scene,
) -> None:
    first = settle(propose(scene).request, "Request changes", scene.operator)
    second = propose(scene, title="Nightly export, encrypted").request
    assert second.revises_id == first.pk
    assert second.proposal_id == first.proposal_id
    assert second.revision == 2
    assert propose(scene, title="Another thing").request.revises_id is None


def test_two_that_asked_for_changes_are_revised_by_name_alone(
    scene: Scene, settings: LazySettings
) -> None:
    settings.PROPOSALS_PER_TURN = 9
    one = settle(propose(scene, title="One").request, "Request changes", scene.operator)
    two = settle(
        propose(scene, title="Two", revises=None, new_proposal=True).request,
        "Request changes",
        scene.operator,
    )
    assert two.revises_id is None
    assert propose(scene, title="Unnamed").request.revises_id is None
    named = propose(scene, title="One, better", revises=one.pk).request
    assert named.revises_id == one.pk


@pytest.mark.parametrize("kind", ["unknown", "open", "rejected", "elsewhere", "taken"])
def test_revises_must_name_what_asked_for_changes_here(scene: Scene, kind: str) -> None:
    request = propose(scene).request
    target = request.pk
    if kind == "unknown":
        target = uuid.uuid4()
    if kind == "rejected":
        settle(request, "Reject", scene.operator)
    if kind == "taken":
        settle(request, "Request changes", scene.operator)
        propose(scene, title="The revision", revises=request.pk)
    origin = scene.origin
    if kind == "elsewhere":
        settle(request, "Request changes", scene.operator)
        conversation = make_conversation(scene.member)
        message, turn = add_turn(conversation, "Revise that one.")
        origin = Origin(conversation.pk, message.pk, turn.pk)
    before = AttentionRequest.objects.count()
    with pytest.raises(UnknownRevision):
        propose_mission(
            maker=Maker.of(scene.model),
            origin=origin,
            now=NOW,
            **proposal(title="New", revises=target),
        )
    assert AttentionRequest.objects.count() == before


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"title": "  "}, "title", "blank"),
        ({"title": "x" * 201}, "title", "too_long"),
        ({"objective": ""}, "objective", "blank"),
        ({"objective": "a\x00b"}, "objective", "unsafe_text"),
        ({"tasks": [{"title": ""}]}, "tasks", "blank"),
        ({"tasks": [{"title": "a", "status": "completed"}]}, "tasks", "wrong_shape"),
        ({"tasks": [{"title": "a"}] * 31}, "tasks", "too_many"),
        ({"acceptance_criteria": ["\ud800"]}, "acceptance_criteria", "unsafe_text"),
        ({"priority": "urgent"}, "priority", "unknown_priority"),
    ],
)
def test_what_does_not_fit_is_refused_by_field_and_leaves_nothing(
    scene: Scene, changes: dict[str, Any], field: str, code: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        propose(scene, **changes)
    assert (refused.value.field, refused.value.code) == (field, code)
    assert not AttentionRequest.objects.exists()
    assert not WorkflowDraft.objects.exists()


@pytest.mark.promise("D13", "D27")
def test_a_person_raises_the_same_proposal_with_the_switch_off(
    scene: Scene, settings: LazySettings
) -> None:
    settings.WRITE_TOOLS_SERVED = False
    raised = raise_proposal(
        principal=scene.member,
        conversation_id=scene.conversation.pk,
        now=NOW,
        **proposal(),
    )
    request = raised.request
    assert (request.maker_kind, request.requested_by_id) == (
        "human",
        scene.member.user_id,
    )
    assert request.payload == propose(scene).request.payload
    notice = ConversationMessage.objects.get(role="notice")
    assert notice.data["cards"] == [{"kind": "proposal", "id": str(request.pk)}]


def test_a_person_raises_one_outside_a_conversation_once(scene: Scene) -> None:
    raised = [
        raise_proposal(principal=scene.member, now=NOW, **proposal()) for _ in range(2)
    ]
    assert [each.created for each in raised] == [True, False]
    assert raised[0].request.origin_conversation is None


@pytest.mark.parametrize("who", ["viewer", "stranger", "model"])
def test_who_may_not_raise_a_proposal_leaves_nothing(scene: Scene, who: str) -> None:
    with pytest.raises((NotAllowed, NotFound)):
        raise_proposal(
            principal=getattr(scene, who),
            conversation_id=scene.conversation.pk,
            now=NOW,
            **proposal(),
        )
    assert not AttentionRequest.objects.exists()


@pytest.mark.promise("D98")
def test_a_person_turns_a_suggestion_into_a_proposal(scene: Scene) -> None:
    record_turn_suggestion(turn=scene.turn, now=NOW)
    suggestion = MissionSuggestionRecord.objects.get()
    raised = raise_proposal(
        principal=scene.member, suggestion_id=suggestion.pk, now=NOW, **proposal()
    )
    suggestion.refresh_from_db()
    assert suggestion.status == "converted"
    assert raised.request.origin_conversation == scene.conversation.pk
    assert raised.request.origin_message == scene.message.pk


@pytest.mark.promise("D97")
def test_a_retried_turn_that_proposes_closes_what_it_had_left(scene: Scene) -> None:
    record_turn_suggestion(turn=scene.turn, now=NOW)
    propose(scene)
    assert MissionSuggestionRecord.objects.get().status == "converted"


@pytest.mark.promise("N1")
def test_nothing_at_propose_time_is_a_mission(scene: Scene) -> None:
    propose(scene, plan=SOUND_PLAN)
    assert not Mission.objects.exists()
    assert not WorkflowVersion.objects.exists()
