from __future__ import annotations

import copy
from typing import Any

import pytest

from decisions.models import AttentionRequest, LateDecision, RequestState, Resolution
from decisions.services.deciding import ContentChanged, FourEyes, RequestSuperseded
from decisions.services.editing import NothingChanged, NothingToEdit, edit_request
from dialogue.models import ConversationMessage, MessageRole
from missions.models import WorkflowDraft
from tests.decisions.support import LATER, choose
from tests.missions.support import Scene
from tooling.errors import InvalidInput, NotAllowed, NotFound
from tooling.models import Features
from tooling.policy import Principal


def smaller(request: AttentionRequest, **mission: Any) -> dict[str, Any]:
    payload: dict[str, Any] = copy.deepcopy(request.payload)
    payload["mission"] |= {"title": "A smaller export", **mission}
    return payload


def edit(
    request: AttentionRequest, by: Principal, payload: Any = None, **changes: Any
) -> AttentionRequest:
    shown = {
        "revision": request.revision,
        "payload_hash": request.payload_hash,
        "now": LATER,
        **changes,
    }
    return edit_request(
        principal=by,
        request_id=request.pk,
        payload=smaller(request) if payload is None else payload,
        **shown,
    )


@pytest.mark.lesson("H-12", "H-13")
@pytest.mark.promise("D78", "A12")
def test_an_edit_is_a_new_revision_with_the_same_options(
    scene: Scene, request_: AttentionRequest
) -> None:
    new = edit(request_, scene.operator)
    request_.refresh_from_db()
    assert request_.state == RequestState.SUPERSEDED
    assert (new.state, new.revision, new.revises_id) == ("open", 2, request_.pk)
    assert new.options == request_.options
    assert new.title == "A smaller export"
    assert new.requested_by_id == scene.operator.user_id
    assert new.origin_conversation == scene.conversation.pk
    assert new.payload_hash != request_.payload_hash
    draft = WorkflowDraft.objects.get(source_request=new)
    assert draft.graph == new.payload["workflow"]["graph"]
    notice = ConversationMessage.objects.get(role=MessageRole.NOTICE)
    assert notice.data["cards"] == [{"kind": "proposal", "id": str(new.pk)}]


@pytest.mark.lesson("H-10", "H-13")
def test_the_old_page_decides_nothing(scene: Scene, request_: AttentionRequest) -> None:
    new = edit(request_, scene.operator)
    with pytest.raises(RequestSuperseded) as refusal:
        choose(request_, scene.operator, note="Fine.")
    assert refusal.value.status == 409
    assert refusal.value.extra["request_id"] == str(new.pk)
    assert LateDecision.objects.get().note == "Fine."
    assert not Resolution.objects.exists()


@pytest.mark.lesson("H-12")
def test_an_edit_passes_the_same_check_as_a_proposal(
    scene: Scene, request_: AttentionRequest
) -> None:
    bad = [
        smaller(request_, title=""),
        smaller(request_, priority="urgent"),
        smaller(request_, tasks=[{"title": "x", "status": "completed"}]),
        smaller(request_, status="running"),
        {**request_.payload, "approved": True},
        {"mission": None},
        "Approve and create",
        [],
    ]
    for payload in bad:
        with pytest.raises(InvalidInput):
            edit(request_, scene.operator, payload)
    request_.refresh_from_db()
    assert request_.state == RequestState.OPEN
    assert AttentionRequest.objects.count() == 1


def test_an_edit_of_what_was_not_shown_is_refused(
    scene: Scene, request_: AttentionRequest
) -> None:
    with pytest.raises(ContentChanged):
        edit(request_, scene.operator, payload_hash="0" * 64)
    with pytest.raises(NothingChanged):
        edit(request_, scene.operator, copy.deepcopy(request_.payload))
    choose(request_, scene.operator)
    with pytest.raises(NothingToEdit):
        edit(request_, scene.operator)
    assert AttentionRequest.objects.count() == 1


def test_who_may_edit(scene: Scene, request_: AttentionRequest) -> None:
    for principal in (scene.viewer, scene.member, scene.model):
        with pytest.raises(NotAllowed):
            edit(request_, principal)
    with pytest.raises(NotFound):
        edit(request_, scene.stranger)
    assert AttentionRequest.objects.count() == 1


@pytest.mark.lesson("H-12", "H-15")
def test_with_four_eyes_the_editor_cannot_approve(
    scene: Scene, request_: AttentionRequest, second: Principal
) -> None:
    Features.objects.create(tenant=scene.tenant, four_eyes=True)
    new = edit(request_, scene.operator)
    with pytest.raises(FourEyes):
        choose(new, scene.operator)
    assert choose(new, second).outcome == "won"
