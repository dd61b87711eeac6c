from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape

from decisions.kinds import APPROVAL_OPTIONS, find_subject
from decisions.models import AttentionRequest, RequestKind
from decisions.services.editing import edit_request
from missions.models import WorkflowDraft
from missions.services.drafts import edit_draft
from missions.subject import SUBJECT
from tests.missions.support import NOW, SOUND_PLAN, Scene, propose

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db


def texts(value: Any) -> Iterator[str]:
    """Yield every text in plain JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def detail(request: AttentionRequest) -> str:
    subject = find_subject(SUBJECT)
    context = subject.detail_context(request)
    return render_to_string(
        subject.detail_template,
        {"request": request, "payload": request.payload, **context},
    )


@pytest.mark.promise("D78", "L5")
def test_a_mission_is_approved_by_one_of_three_options() -> None:
    subject = find_subject(SUBJECT)
    assert subject.kind == RequestKind.APPROVAL
    assert subject.options == APPROVAL_OPTIONS
    assert subject.options == ("Approve and create", "Request changes", "Reject")


@pytest.mark.promise("D76", "D77")
@pytest.mark.lesson("H-09", "H-21")
@pytest.mark.case("A17")
def test_the_page_shows_the_whole_payload_and_the_draft(scene: Scene) -> None:
    long = "x " * 1_900 + "budget: 999999"
    request = propose(
        scene, objective=long, tasks=[{"title": "<b>", "detail": long}], plan=SOUND_PLAN
    ).request
    html = detail(request)
    plain = re.sub(r"\s+", " ", html)
    kinds = {"task", "check", "wait", "normal", "export", "alert"}
    for text in texts(request.payload):
        if text not in kinds:
            assert escape(re.sub(r"\s+", " ", text)) in plain
    assert "<b>" not in html
    assert "<svg" in html
    draft = WorkflowDraft.objects.get(source_request=request)
    assert reverse("missions:draft", args=["acme", draft.pk]) in html


def test_a_draft_that_was_edited_since_is_said_to_be(scene: Scene) -> None:
    proposed = propose(scene)
    assert "was edited since" not in detail(proposed.request)
    edit_draft(
        principal=scene.operator,
        draft_id=proposed.draft.pk,
        edit_version=1,
        title="T",
        steps=SOUND_PLAN["steps"],
        now=NOW,
    )
    html = detail(proposed.request)
    assert "was edited since" in html
    assert "flow--placeholder" in html


@pytest.mark.lesson("H-12")
def test_an_operators_edit_gives_the_new_revision_a_draft_of_its_own(
    scene: Scene,
) -> None:
    old = propose(scene, plan=SOUND_PLAN).request
    mission = {**old.payload["mission"], "title": "Export, encrypted"}
    new = edit_request(
        principal=scene.operator,
        request_id=old.pk,
        payload={**old.payload, "mission": mission},
        revision=1,
        payload_hash=old.payload_hash,
        now=NOW,
    )
    draft = WorkflowDraft.objects.get(source_request=new)
    assert (draft.title, draft.graph) == (
        "Export, encrypted",
        old.payload["workflow"]["graph"],
    )
    assert draft.origin_conversation == scene.conversation.pk
    assert WorkflowDraft.objects.count() == 2


def test_a_proposal_in_short(scene: Scene) -> None:
    summary = find_subject(SUBJECT).summarise(propose(scene).request.payload)
    assert summary.text == "Unpaid invoices reach the finance share every night."
    assert summary.facts == ("2 tasks", "1 criterion", "2 steps")
