from __future__ import annotations

import pytest

from decisions.models import AttentionRequest, RequestState, Resolution
from decisions.services.closing import (
    AlreadyClosed,
    NotYours,
    expire_requests,
    withdraw_request,
)
from dialogue.models import ConversationMessage, MessageRole
from tests.decisions.support import LATER, choose
from tests.missions.support import Scene
from tooling.errors import NotAllowed, NotFound
from tooling.policy import Principal


def withdraw(request: AttentionRequest, by: Principal) -> AttentionRequest:
    return withdraw_request(principal=by, request_id=request.pk, now=LATER)


@pytest.mark.promise("D75")
def test_the_requester_withdraws_and_twice_is_harmless(
    scene: Scene, request_: AttentionRequest
) -> None:
    for _repetition in range(2):
        assert withdraw(request_, scene.member).state == RequestState.WITHDRAWN
    notice = ConversationMessage.objects.get(role=MessageRole.NOTICE)
    assert notice.data["kind"] == "withdrawn"
    assert not Resolution.objects.exists()


@pytest.mark.promise("D75")
@pytest.mark.lesson("H-08")
def test_nobody_else_withdraws(scene: Scene, request_: AttentionRequest) -> None:
    with pytest.raises(NotYours):
        withdraw(request_, scene.operator)
    with pytest.raises(NotAllowed):
        withdraw(request_, scene.viewer)
    with pytest.raises(NotAllowed):
        withdraw(request_, scene.model)
    with pytest.raises(NotFound):
        withdraw(request_, scene.stranger)
    request_.refresh_from_db()
    assert request_.state == RequestState.OPEN


def test_a_decided_request_cannot_be_withdrawn(
    scene: Scene, request_: AttentionRequest
) -> None:
    choose(request_, scene.operator)
    with pytest.raises(AlreadyClosed):
        withdraw(request_, scene.member)
    request_.refresh_from_db()
    assert request_.state == RequestState.RESOLVED


@pytest.mark.promise("D75")
@pytest.mark.lesson("H-05", "H-24")
def test_expiry_touches_open_requests_alone(
    scene: Scene, request_: AttentionRequest
) -> None:
    over = request_.expires_at
    assert over is not None
    assert expire_requests(now=LATER) == 0
    choose(request_, scene.operator)
    assert expire_requests(now=over) == 0
    request_.refresh_from_db()
    assert request_.state == RequestState.RESOLVED


@pytest.mark.lesson("H-24")
def test_the_conversation_hears_of_an_expiry_once(
    scene: Scene, request_: AttentionRequest
) -> None:
    over = request_.expires_at
    assert over is not None
    assert [expire_requests(now=over), expire_requests(now=over)] == [1, 0]
    request_.refresh_from_db()
    assert (request_.state, request_.closed_at) == (RequestState.EXPIRED, over)
    notice = ConversationMessage.objects.get(role=MessageRole.NOTICE)
    assert notice.data["kind"] == "expired"
