from __future__ import annotations

import functools

import pytest

from decisions.models import AttentionRequest, LateDecision, RequestState, Resolution
from decisions.services.closing import AlreadyClosed, expire_requests, withdraw_request
from decisions.services.deciding import (
    AlreadyDecided,
    Decided,
    RequestExpired,
    RequestWithdrawn,
)
from decisions.services.editing import NothingToEdit
from dialogue.models import ConversationMessage, MessageRole
from tests.decisions.support import APPROVE, LATER, REJECT, at_once, choose
from tests.decisions.test_editing import edit
from tests.missions.support import Scene, person
from tooling.policy import Principal

pytestmark = pytest.mark.django_db(transaction=True)


def decisions_told() -> int:
    return ConversationMessage.objects.filter(
        role=MessageRole.NOTICE, data__kind="decision"
    ).count()


@pytest.mark.promise("D83", "A10")
@pytest.mark.lesson("H-01")
def test_twenty_approvals_at_once_are_one(
    scene: Scene, request_: AttentionRequest
) -> None:
    people = [person(scene.tenant, f"op{n}", "operator") for n in range(5)]
    calls = [functools.partial(choose, request_, by) for by in people for _ in range(4)]
    results = at_once(*calls)
    won = [r for r in results if isinstance(r, Decided) and r.outcome == "won"]
    assert len(won) == 1
    winner = won[0].resolution.decided_by_id
    same = [r for r in results if isinstance(r, Decided) and r.outcome == "same"]
    assert len(same) == 3
    assert all(r.resolution.decided_by_id == winner for r in same)
    told = [r for r in results if isinstance(r, AlreadyDecided)]
    assert len(told) == 16
    assert {r.extra["decided_by_id"] for r in told} == {str(winner)}
    assert Resolution.objects.count() == 1
    assert LateDecision.objects.count() == 16
    assert decisions_told() == 1


@pytest.mark.promise("A10")
@pytest.mark.lesson("H-02")
@pytest.mark.parametrize("_round", range(5))
def test_opposite_choices_at_once_have_one_winner(
    scene: Scene, second: Principal, request_: AttentionRequest, _round: int
) -> None:
    results = at_once(
        functools.partial(choose, request_, scene.operator, APPROVE, note="yes"),
        functools.partial(choose, request_, second, REJECT, note="no"),
    )
    [won] = [r for r in results if isinstance(r, Decided)]
    [lost] = [r for r in results if isinstance(r, AlreadyDecided)]
    request_.refresh_from_db()
    assert request_.resolved_option == won.resolution.option == lost.extra["option"]
    late = LateDecision.objects.get()
    assert {won.resolution.note, late.note} == {"yes", "no"}
    assert late.option != won.resolution.option


@pytest.mark.lesson("H-05")
@pytest.mark.parametrize("_round", range(3))
def test_a_decision_races_the_expiry(
    scene: Scene, request_: AttentionRequest, _round: int
) -> None:
    over = request_.expires_at
    assert over is not None
    decided, expired = at_once(
        functools.partial(choose, request_, scene.operator),
        functools.partial(expire_requests, now=over),
    )
    request_.refresh_from_db()
    if isinstance(decided, Decided):
        assert (request_.state, expired) == (RequestState.RESOLVED, 0)
    else:
        assert isinstance(decided, RequestExpired)
        assert (request_.state, expired) == (RequestState.EXPIRED, 1)
    assert Resolution.objects.count() == int(isinstance(decided, Decided))


@pytest.mark.promise("D75")
@pytest.mark.parametrize("_round", range(3))
def test_a_decision_races_the_withdrawal(
    scene: Scene, request_: AttentionRequest, _round: int
) -> None:
    decided, withdrawn = at_once(
        functools.partial(choose, request_, scene.operator),
        functools.partial(
            withdraw_request,
            principal=scene.member,
            request_id=request_.pk,
            now=LATER,
        ),
    )
    assert isinstance(decided, Decided) is isinstance(withdrawn, AlreadyClosed)
    assert isinstance(decided, Decided | RequestWithdrawn)


@pytest.mark.lesson("H-13")
@pytest.mark.parametrize("_round", range(3))
def test_two_edits_at_once_leave_one_live_revision(
    scene: Scene, second: Principal, request_: AttentionRequest, _round: int
) -> None:
    results = at_once(
        functools.partial(edit, request_, scene.operator),
        functools.partial(edit, request_, second),
    )
    assert sum(isinstance(r, AttentionRequest) for r in results) == 1
    assert sum(isinstance(r, NothingToEdit) for r in results) == 1
    live = AttentionRequest.objects.filter(
        proposal_id=request_.proposal_id, state=RequestState.OPEN
    )
    assert live.count() == 1
