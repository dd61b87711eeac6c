from __future__ import annotations

import dataclasses
import datetime as dt
import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decisions.kinds import APPROVAL_OPTIONS
from decisions.models import AttentionRequest, LateDecision, RequestState, Resolution
from decisions.services.deciding import (
    AlreadyDecided,
    ContentChanged,
    FourEyes,
    InvalidOption,
    NoteRequired,
    RequestExpired,
    RequestWithdrawn,
)
from dialogue.models import ConversationMessage, Event, MessageRole
from missions.models import Mission, WorkflowVersion
from tests.decisions.support import APPROVE, CHANGES, LATER, REJECT, choose
from tests.missions.support import NOW, Scene
from tooling.boundary import TextTooLong, UnsafeText
from tooling.errors import InvalidInput, NotAllowed, NotFound
from tooling.models import AuditEntry, Features
from tooling.policy import Principal, PrincipalKind, Scope

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
NEAR_MISSES = [
    *("", "approve", "Approve", "APPROVE AND CREATE", "approve and create", "yes"),
    *("Approve and create ", " Reject", "reject", "Reject\x00", "Request changes\n"),
    *("Approve\u00a0and create", "\uff21pprove and create", "\u0410pprove and create"),
]


def untouched(request: AttentionRequest) -> None:
    request.refresh_from_db()
    assert request.state == RequestState.OPEN
    assert not Resolution.objects.exists()
    assert not LateDecision.objects.exists()
    assert not ConversationMessage.objects.filter(role=MessageRole.NOTICE).exists()


@pytest.mark.promise("D78")
def test_an_approval_has_exactly_three_options(request_: AttentionRequest) -> None:
    assert request_.options == [APPROVE, CHANGES, REJECT]
    assert APPROVAL_OPTIONS == (APPROVE, CHANGES, REJECT)


@pytest.mark.promise("D78")
@pytest.mark.lesson("H-14")
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(option=ANY_JSON | st.sampled_from(NEAR_MISSES))
def test_any_other_value_has_no_effect(
    scene: Scene, request_: AttentionRequest, option: Any
) -> None:
    if option in APPROVAL_OPTIONS:
        return
    with pytest.raises(InvalidOption) as refusal:
        choose(request_, scene.operator, option)
    assert refusal.value.status == 400
    untouched(request_)


@pytest.mark.promise("D79", "D85", "D86", "A9")
@pytest.mark.parametrize("option", APPROVAL_OPTIONS)
def test_a_choice_settles_the_request(
    scene: Scene, request_: AttentionRequest, option: str
) -> None:
    decided = choose(request_, scene.operator, option, note="Because.")
    assert decided.outcome == "won"
    row = AttentionRequest.objects.get(pk=request_.pk)
    assert (row.state, row.resolved_option) == ("resolved", option)
    assert (row.resolved_by_id, row.resolved_at) == (scene.operator.user_id, LATER)
    resolution = Resolution.objects.get()
    assert (resolution.option, resolution.note) == (option, "Because.")
    assert (resolution.revision, resolution.payload_hash) == (1, request_.payload_hash)
    assert resolution.way == "session"
    entry = AuditEntry.objects.get(action="request.decided")
    assert entry.actor_id == scene.operator.user_id
    assert entry.after["option"] == option
    # Deciding itself creates and publishes nothing.
    assert not Mission.objects.exists()
    assert not WorkflowVersion.objects.exists()


@pytest.mark.promise("D85", "D86")
@pytest.mark.case("A10")
@pytest.mark.parametrize("option", [CHANGES, REJECT])
def test_the_note_reaches_the_conversation_as_it_was_written(
    scene: Scene, request_: AttentionRequest, option: str
) -> None:
    note = 'no "budget" line; use <b>'
    choose(request_, scene.operator, option, note=note)
    notice = ConversationMessage.objects.get(role=MessageRole.NOTICE)
    assert notice.conversation_id == scene.conversation.pk
    assert note in notice.text
    assert option in notice.text
    assert notice.data["kind"] == "decision"
    assert notice.data["facts"]["note"] == note
    assert notice.data["facts"]["option"] == option
    assert notice.data["facts"]["request"] == str(request_.pk)
    cards = Event.objects.filter(kind="card", data__id=str(request_.pk))
    assert cards.exists()


@pytest.mark.promise("D85", "L5")
def test_the_notice_is_in_the_language_of_the_conversation(
    scene: Scene, request_: AttentionRequest
) -> None:
    type(scene.conversation).objects.update(language="fr")
    choose(request_, scene.operator, REJECT)
    notice = ConversationMessage.objects.get(role=MessageRole.NOTICE)
    # Stored as an identifier whatever the page's language is.
    assert notice.data["facts"]["option"] == REJECT


@pytest.mark.promise("D85")
@pytest.mark.parametrize("note", ["", "   ", "\n\t", "\u200b", "\u202e \u2066"])
def test_a_wish_for_changes_says_which(
    scene: Scene, request_: AttentionRequest, note: str
) -> None:
    with pytest.raises(NoteRequired):
        choose(request_, scene.operator, CHANGES, note=note)
    untouched(request_)


@pytest.mark.parametrize(
    ("note", "error"),
    [
        ("a\x00b", UnsafeText),
        ("\ud800", UnsafeText),
        ("x" * 5_001, TextTooLong),
        (7, InvalidInput),
        (None, InvalidInput),
    ],
)
def test_a_note_passes_the_boundary(
    scene: Scene, request_: AttentionRequest, note: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        choose(request_, scene.operator, REJECT, note=note)
    untouched(request_)


@pytest.mark.promise("A12")
@pytest.mark.lesson("H-10")
@pytest.mark.parametrize(
    "stale",
    [
        {"revision": 2},
        {"revision": 0},
        {"revision": True},
        {"revision": "1"},
        {"payload_hash": "0" * 64},
        {"payload_hash": ""},
    ],
)
def test_what_was_not_shown_is_not_decided(
    scene: Scene, request_: AttentionRequest, stale: dict[str, Any]
) -> None:
    with pytest.raises(ContentChanged) as refusal:
        choose(request_, scene.operator, note="Read it twice.", **stale)
    assert refusal.value.status == 409
    assert refusal.value.extra["payload_hash"] == request_.payload_hash
    request_.refresh_from_db()
    assert request_.state == RequestState.OPEN
    assert not Resolution.objects.exists()
    late = LateDecision.objects.get()
    assert (late.option, late.note) == (APPROVE, "Read it twice.")


@pytest.mark.promise("A10")
@pytest.mark.lesson("H-01")
@pytest.mark.case("A20")
def test_the_same_again_is_harmless(scene: Scene, request_: AttentionRequest) -> None:
    first = choose(request_, scene.operator)
    for _repetition in range(3):
        again = choose(request_, scene.operator, now=LATER + dt.timedelta(hours=1))
        assert again.outcome == "same"
        assert again.resolution.pk == first.resolution.pk
    assert Resolution.objects.count() == 1
    assert not LateDecision.objects.exists()
    notices = ConversationMessage.objects.filter(role=MessageRole.NOTICE)
    assert notices.count() == 1


@pytest.mark.promise("A10")
@pytest.mark.lesson("H-02")
@pytest.mark.parametrize("option", APPROVAL_OPTIONS)
def test_another_choice_hears_who_was_faster_and_is_kept(
    scene: Scene, request_: AttentionRequest, second: Principal, option: str
) -> None:
    choose(request_, scene.operator, REJECT)
    with pytest.raises(AlreadyDecided) as refusal:
        choose(request_, second, option, note="But I like it.")
    error = refusal.value
    assert error.status == 409
    assert error.extra["decided_by"] == "ola"
    assert error.extra["option"] == REJECT
    assert error.extra["decided_at"] == LATER.isoformat()
    assert "ola" in str(error)
    late = LateDecision.objects.get()
    assert (late.option, late.note) == (option, "But I like it.")
    assert late.decided_by_id == second.user_id
    assert Resolution.objects.get().option == REJECT


@pytest.mark.promise("A10")
def test_a_change_of_mind_comes_too_late(
    scene: Scene, request_: AttentionRequest
) -> None:
    choose(request_, scene.operator, REJECT)
    with pytest.raises(AlreadyDecided):
        choose(request_, scene.operator, APPROVE)
    assert Resolution.objects.get().option == REJECT


@pytest.mark.lesson("H-24", "H-11")
@pytest.mark.parametrize("swept", [True, False])
def test_an_expired_request_is_gone_and_the_answer_kept(
    scene: Scene, request_: AttentionRequest, swept: bool
) -> None:
    over = request_.expires_at
    assert over is not None
    if swept:
        from decisions.services.closing import expire_requests

        assert expire_requests(now=over) == 1
    with pytest.raises(RequestExpired) as refusal:
        choose(request_, scene.operator, REJECT, note="Too late?", now=over)
    assert refusal.value.status == 410
    assert LateDecision.objects.get().note == "Too late?"
    assert not Resolution.objects.exists()


def test_a_withdrawn_request_cannot_be_decided(
    scene: Scene, request_: AttentionRequest
) -> None:
    AttentionRequest.objects.filter(pk=request_.pk).update(
        state=RequestState.WITHDRAWN, closed_at=NOW
    )
    with pytest.raises(RequestWithdrawn) as refusal:
        choose(request_, scene.operator)
    assert refusal.value.status == 409
    assert not Resolution.objects.exists()


@pytest.mark.promise("A13", "D66")
@pytest.mark.lesson("H-16")
def test_who_may_decide(scene: Scene, request_: AttentionRequest) -> None:
    for principal in (scene.viewer, scene.member):
        with pytest.raises(NotAllowed):
            choose(request_, principal)
    with pytest.raises(NotFound):
        choose(request_, scene.stranger)
    untouched(request_)


@pytest.mark.promise("D66", "D65", "N3")
@pytest.mark.lesson("H-17")
@pytest.mark.parametrize("kind", [PrincipalKind.MODEL, PrincipalKind.SYSTEM])
def test_neither_model_nor_system_decides(
    scene: Scene, request_: AttentionRequest, kind: PrincipalKind
) -> None:
    # Not even with an operator's id and role.
    pretender = dataclasses.replace(scene.operator, kind=kind)
    with pytest.raises(NotAllowed):
        choose(request_, pretender)
    untouched(request_)


@pytest.mark.promise("D66")
def test_a_token_needs_its_scope(scene: Scene, request_: AttentionRequest) -> None:
    narrow = dataclasses.replace(
        scene.operator,
        kind=PrincipalKind.TOKEN,
        scopes=frozenset({Scope.READ, Scope.CONVERSE, Scope.MANAGE}),
    )
    with pytest.raises(NotAllowed):
        choose(request_, narrow)
    untouched(request_)
    wide = dataclasses.replace(narrow, scopes=frozenset({Scope.DECIDE}))
    choose(request_, wide)
    assert Resolution.objects.get().way == "token"


def test_an_unknown_request_is_not_found(scene: Scene, db: None) -> None:
    ghost = AttentionRequest(pk=uuid.uuid4(), revision=1, payload_hash="0" * 64)
    with pytest.raises(NotFound):
        choose(ghost, scene.operator)


@pytest.mark.promise("A13")
def test_the_asker_may_decide_in_a_team_of_one(scene: Scene) -> None:
    from tests.decisions.support import raised

    request = raised(scene)
    asker = dataclasses.replace(scene.operator, user_id=scene.member.user_id)
    assert choose(request, asker).outcome == "won"


@pytest.mark.promise("A13")
@pytest.mark.lesson("H-15", "H-12")
def test_four_eyes_keeps_the_asker_out(
    scene: Scene, request_: AttentionRequest
) -> None:
    Features.objects.create(tenant=scene.tenant, four_eyes=True)
    asker = dataclasses.replace(scene.operator, user_id=scene.member.user_id)
    with pytest.raises(FourEyes) as refusal:
        choose(request_, asker)
    assert refusal.value.status == 403
    untouched(request_)
    assert choose(request_, scene.operator).outcome == "won"
