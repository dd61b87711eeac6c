from __future__ import annotations

import dataclasses
import datetime as dt

import pytest
from django.db import transaction

from decisions.models import AttentionRequest, MakerKind, RequestState
from decisions.services.raising import NotRevisable, Raised, raise_request
from dialogue.models import ConversationMessage, MessageRole
from tests.decisions.support import CHANGES, LATER, REJECT, choose, raised
from tests.missions.support import NOW, Scene, add_turn, build_scene, propose
from tooling.errors import NotFound


def again(
    scene: Scene,
    like: AttentionRequest,
    maker: MakerKind = MakerKind.MODEL,
    revises: AttentionRequest | None = None,
) -> Raised:
    with transaction.atomic():
        return raise_request(
            tenant_id=scene.tenant.pk,
            maker_kind=maker,
            requested_by_id=like.requested_by_id,
            subject="mission",
            title=like.title,
            payload=like.payload,
            origin_conversation=scene.conversation.pk,
            origin_message=scene.message.pk,
            origin_turn=scene.turn.pk,
            revises=revises,
            now=LATER,
        )


@pytest.mark.promise("D16", "L4")
@pytest.mark.lesson("H-23")
def test_a_repeated_proposal_is_found_not_made(
    scene: Scene, request_: AttentionRequest
) -> None:
    for _repetition in range(20):
        repeated = again(scene, request_)
        assert (repeated.request.pk, repeated.created) == (request_.pk, False)
    assert AttentionRequest.objects.count() == 1


@pytest.mark.lesson("H-23")
def test_an_equal_one_after_a_reject_needs_new_words(
    scene: Scene, request_: AttentionRequest
) -> None:
    choose(request_, scene.operator, REJECT)
    assert not again(scene, request_).created
    message, turn = add_turn(scene.conversation, "Please do propose it again.")
    fresh = raised(dataclasses.replace(scene, message=message, turn=turn))
    assert fresh.pk != request_.pk
    assert fresh.proposal_id != request_.proposal_id


def test_a_request_is_whole(scene: Scene, request_: AttentionRequest) -> None:
    assert request_.origin_conversation == scene.conversation.pk
    assert request_.origin_message == scene.message.pk
    assert request_.origin_turn == scene.turn.pk
    assert request_.tenant_id == scene.tenant.pk
    assert request_.revision == 1
    assert request_.expires_at == NOW + dt.timedelta(days=90)
    assert len(request_.payload_hash) == 64
    # The tool's result carries the card of a model's proposal, no notice does.
    assert not ConversationMessage.objects.filter(role=MessageRole.NOTICE).exists()


@pytest.mark.promise("D13")
def test_the_conversation_hears_of_a_persons_proposal(
    scene: Scene, request_: AttentionRequest
) -> None:
    made = again(scene, request_, MakerKind.HUMAN)
    assert made.created
    notice = ConversationMessage.objects.get(role=MessageRole.NOTICE)
    assert notice.data["kind"] == "proposal"
    assert notice.data["cards"] == [{"kind": "proposal", "id": str(made.request.pk)}]


@pytest.mark.promise("A9")
def test_a_revision_follows_a_wish_for_changes(
    scene: Scene, request_: AttentionRequest
) -> None:
    choose(request_, scene.operator, CHANGES, note="Smaller.")
    request_.refresh_from_db()
    new = again(scene, request_, MakerKind.HUMAN, revises=request_).request
    assert new.proposal_id == request_.proposal_id
    assert (new.revision, new.revises_id) == (2, request_.pk)
    with pytest.raises(NotRevisable):
        again(scene, request_, MakerKind.HUMAN, revises=request_)


@pytest.mark.promise("A9")
@pytest.mark.lesson("H-13")
@pytest.mark.parametrize("state", ["open", "rejected", "approved", "withdrawn"])
def test_nothing_else_can_be_revised(
    scene: Scene, request_: AttentionRequest, state: str
) -> None:
    if state == "withdrawn":
        AttentionRequest.objects.update(state=RequestState.WITHDRAWN, closed_at=NOW)
    elif state != "open":
        option = {"rejected": REJECT, "approved": "Approve and create"}[state]
        choose(request_, scene.operator, option)
    request_.refresh_from_db()
    with pytest.raises(NotRevisable):
        again(scene, request_, MakerKind.HUMAN, revises=request_)
    assert AttentionRequest.objects.count() == 1


def test_a_foreign_request_cannot_be_revised(scene: Scene) -> None:
    foreign = build_scene("globex")
    theirs = propose(foreign).request
    with pytest.raises(NotFound):
        again(scene, theirs, MakerKind.HUMAN, revises=theirs)
