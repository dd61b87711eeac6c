from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from decisions.models import AttentionRequest, RequestState
from decisions.selectors import waiting_count
from dialogue.cards import find_card, load_cards
from dialogue.spawned import list_spawned
from missions.models import Mission
from missions.services.materialising import materialise
from tests.decisions.support import APPROVE, CHANGES, LATER, REJECT, choose, raised
from tests.missions.support import NOW, Scene, build_scene, propose, settle
from tooling.policy import Principal


def card(request: AttentionRequest, by: Principal) -> dict[str, Any]:
    ref = {"kind": "proposal", "id": str(request.pk)}
    return load_cards(refs=[ref], principal=by)[("proposal", str(request.pk))]


def html(context: dict[str, Any]) -> str:
    kind = find_card("proposal")
    assert kind is not None
    return render_to_string(kind.template, {"card": context})


@pytest.mark.lesson("H-07")
def test_an_open_proposal(scene: Scene, request_: AttentionRequest) -> None:
    shown = card(request_, scene.operator)
    assert shown["state"] == "awaiting_decision"
    assert shown["excerpt"] == request_.payload["mission"]["objective"]
    assert shown["facts"][0].startswith("2 ")
    decide = reverse("admin:decisions_attentionrequest_change", args=[request_.pk])
    assert shown["decide_url"] == decide
    assert shown["withdraw_url"] == ""
    assert decide in html(shown)
    theirs = card(request_, scene.member)
    assert theirs["decide_url"] == ""
    assert theirs["withdraw_url"]
    assert card(request_, scene.viewer)["withdraw_url"] == ""
    # Plain values alone: the same card goes out by REST.
    json.dumps(shown, cls=DjangoJSONEncoder)


@pytest.mark.promise("D24", "D85", "D86")
@pytest.mark.lesson("H-07")
@pytest.mark.parametrize(
    ("option", "state"), [(CHANGES, "changes_requested"), (REJECT, "rejected")]
)
def test_a_choice_with_its_note(
    scene: Scene, request_: AttentionRequest, option: str, state: str
) -> None:
    choose(request_, scene.operator, option, note="Use <b>\nless")
    shown = card(request_, scene.member)
    assert (shown["state"], shown["note"]) == (state, "Use <b>\nless")
    assert shown["decided_by"] == "ola"
    assert shown["withdraw_url"] == ""
    assert "Use &lt;b&gt;<br>less" in html(shown)


@pytest.mark.promise("D19", "D24")
def test_an_approval_links_its_mission(
    scene: Scene, request_: AttentionRequest
) -> None:
    choose(request_, scene.operator, APPROVE)
    assert card(request_, scene.member)["state"] == "approved"
    assert card(request_, scene.member)["links"] == []
    materialise(request_id=request_.pk, now=LATER)
    address = reverse("missions:mission", args=["acme", Mission.objects.get().pk])
    shown = card(request_, scene.member)
    assert [link["url"] for link in shown["links"]] == [address]
    assert f'href="{address}"' in html(shown)


@pytest.mark.promise("A11")
def test_a_blocked_one_says_what_to_do(scene: Scene) -> None:
    request = propose(scene).request
    settle(request, APPROVE, scene.operator)
    materialise(request_id=request.pk, now=LATER)
    shown = card(request, scene.member)
    assert shown["state"] == "blocked"
    assert escape(shown["advice"]) in html(shown)


@pytest.mark.parametrize(
    "state", [RequestState.EXPIRED, RequestState.WITHDRAWN, RequestState.SUPERSEDED]
)
def test_every_end_has_words(
    scene: Scene, request_: AttentionRequest, state: str
) -> None:
    AttentionRequest.objects.update(state=state, closed_at=NOW)
    shown = card(request_, scene.operator)
    assert shown["state"] == state
    assert shown["state_label"] in html(shown)
    assert shown["decide_url"] == ""


def test_a_long_objective_is_cut_with_a_mark(scene: Scene) -> None:
    shown = card(raised(scene, objective="word " * 400), scene.member)
    assert len(shown["excerpt"]) <= 280
    assert shown["excerpt"].endswith("…")


@pytest.mark.lesson("H-16")
def test_a_foreign_card_is_not_there(scene: Scene, request_: AttentionRequest) -> None:
    other = build_scene("globex")
    refs = [{"kind": "proposal", "id": str(request_.pk)}]
    assert load_cards(refs=refs, principal=other.operator) == {}


@pytest.mark.promise("D34", "D42")
def test_a_conversation_lists_its_requests(
    scene: Scene, request_: AttentionRequest
) -> None:
    rows = list_spawned(
        tenant_id=scene.tenant.pk, conversation_id=scene.conversation.pk
    )
    [row] = [row for row in rows if row.kind == "request"]
    assert (row.id, row.status, row.is_open) == (request_.pk, "awaiting_decision", True)
    assert row.origin_message == scene.message.pk
    assert row.url == reverse("decisions:request", args=["acme", request_.pk])


def test_statements_do_not_grow_with_cards(scene: Scene) -> None:
    rows = [raised(scene, title=title) for title in ("a", "b", "c")]
    for row in rows:
        choose(row, scene.operator, now=LATER + dt.timedelta(minutes=1))
    refs = [{"kind": "proposal", "id": str(row.pk)} for row in rows]

    def statements(count: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            load_cards(refs=refs[:count], principal=scene.member)
        return len(captured)

    assert statements(3) == statements(1) <= 3


def test_the_badge_counts_what_waits_for_one(
    scene: Scene, request_: AttentionRequest
) -> None:
    choose(raised(scene, title="Done"), scene.operator, REJECT)
    assert waiting_count(scene.operator) == 1
    assert waiting_count(scene.member) == waiting_count(scene.model) == 0
    assert waiting_count(scene.stranger) == 0
