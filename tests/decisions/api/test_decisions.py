from __future__ import annotations

import copy
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from decisions.models import AttentionRequest, LateDecision, RequestState, Resolution
from tests.decisions.support import APPROVE, CHANGES, LATER, REJECT, choose, raised
from tests.missions.support import Scene, build_scene, propose
from tests.support.api import api
from tooling.models import Features
from tooling.policy import Principal, Scope

TokenOf = Callable[..., APIClient]


def at(request: AttentionRequest, verb: str = "") -> str:
    return api("acme", f"decisions/{request.pk}{verb and '/' + verb}")


def body(request: AttentionRequest, option: Any, **changes: Any) -> dict[str, Any]:
    return {
        "option": option,
        "revision": request.revision,
        "payload_hash": request.payload_hash,
        **changes,
    }


def code_of(response: Any) -> str:
    return str(response.json()["errors"][0]["code"])


@pytest.mark.promise("D76", "D77", "D78")
def test_a_request_is_read_whole_with_its_tag(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf
) -> None:
    response = token_of(scene.viewer).get(at(request_))
    assert response.status_code == 200
    assert response["ETag"] == f'"{request_.payload_hash}.1.open"'
    read = response.json()
    assert read["payload"] == request_.payload
    assert [option["value"] for option in read["options"]] == request_.options
    assert read["status"] == "awaiting_decision"
    assert read["effect"]
    assert {link["kind"] for link in read["links"]} == {"draft"}
    assert read["origin_conversation"] == str(scene.conversation.pk)
    assert read["resolution"] is None


def test_the_queue_lists_what_is_open(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf
) -> None:
    closed = raised(scene, title="Another")
    choose(closed, scene.operator, REJECT)
    client = token_of(scene.member)
    cases: list[tuple[dict[str, Any], list[AttentionRequest]]] = [
        ({}, [request_]),
        ({"state": "resolved"}, [closed]),
        ({"state": "all"}, [closed, request_]),
        ({"search": "nightly"}, [request_]),
        ({"kind": "Question"}, []),
        ({"state": "all", "limit": 1}, [closed]),
    ]
    for query, found in cases:
        response = client.get(api("acme", "decisions"), query)
        items = response.json()["items"]
        assert [item["id"] for item in items] == [str(row.pk) for row in found]
    refused = client.get(api("acme", "decisions"), {"state": "nonsense"})
    assert refused.status_code == 400


@pytest.mark.promise("D79", "D85", "D86", "D27")
@pytest.mark.parametrize("option", [APPROVE, CHANGES, REJECT])
def test_a_decision(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf, option: str
) -> None:
    client = token_of(scene.operator)
    response = client.post(at(request_, "decision"), body(request_, option, note="N."))
    assert response.status_code == 200
    answer = response.json()
    assert answer["outcome"] == "won"
    assert answer["request"]["resolution"]["option"] == option
    assert response["ETag"].endswith('.1.resolved"')
    again = client.post(at(request_, "decision"), body(request_, option, note="N."))
    assert again.json()["outcome"] == "same"
    resolution = Resolution.objects.get()
    assert (resolution.way, resolution.note) == ("token", "N.")


@pytest.mark.promise("A12")
@pytest.mark.lesson("H-10")
def test_if_match_says_what_was_read(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf
) -> None:
    client = token_of(scene.operator)
    address = at(request_, "decision")
    tag = client.get(at(request_))["ETag"]
    assert code_of(client.post(address, {"option": REJECT})) == "version_required"
    stale = tag.replace(request_.payload_hash, "0" * 64)
    response = client.post(address, {"option": REJECT}, HTTP_IF_MATCH=stale)
    assert (response.status_code, code_of(response)) == (409, "content_changed")
    for bad in ("*", "W/" + tag, '"x"', tag + ',"y"'):
        response = client.post(address, {"option": REJECT}, HTTP_IF_MATCH=bad)
        assert response.status_code == 400
    assert not Resolution.objects.exists()
    response = client.post(address, {"option": REJECT}, HTTP_IF_MATCH=tag)
    assert response.status_code == 200


@pytest.mark.parametrize("verb", ["decision", "revision"])
@pytest.mark.parametrize("bad", ["", "x", "0" * 63, "G" * 64, "A" * 64, " " + "0" * 63])
def test_what_is_no_hash_is_not_called_a_change(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf, verb: str, bad: str
) -> None:
    sent = body(request_, APPROVE) if verb == "decision" else _edit(request_)
    address, client = at(request_, verb), token_of(scene.operator)
    response = client.post(address, sent | {"payload_hash": bad})
    [error] = response.json()["errors"]
    assert (response.status_code, error["attr"]) == (400, "payload_hash")
    assert error["code"] == ("malformed_hash" if bad else "blank")
    response = client.post(address, sent | {"payload_hash": "0" * 64})
    assert (response.status_code, code_of(response)) == (409, "content_changed")


@pytest.mark.promise("D78")
@pytest.mark.lesson("H-14")
@pytest.mark.parametrize(
    "option",
    [None, "", "yes", 1, True, [APPROVE], {"approved": True}, APPROVE.upper(), 1.5],
)
def test_any_other_option_has_no_effect(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf, option: Any
) -> None:
    client = token_of(scene.operator)
    response = client.post(at(request_, "decision"), body(request_, option))
    assert response.status_code == 400
    assert response.json()["errors"][0]["attr"] == "option"
    request_.refresh_from_db()
    assert request_.state == RequestState.OPEN


@pytest.mark.parametrize(
    "changes",
    [
        {"approved": True},
        {"revision": "x"},
        {"payload_hash": "0" * 65},
        {"note": "\x00"},
        {"note": "x" * 5_001},
    ],
)
def test_bad_bodies(
    scene: Scene,
    request_: AttentionRequest,
    token_of: TokenOf,
    changes: dict[str, Any],
) -> None:
    client = token_of(scene.operator)
    response = client.post(at(request_, "decision"), body(request_, REJECT, **changes))
    assert response.status_code == 400
    assert not Resolution.objects.exists()


@pytest.mark.promise("A10")
@pytest.mark.lesson("H-02")
def test_the_loser_hears_who_what_and_when(
    scene: Scene, second: Principal, request_: AttentionRequest, token_of: TokenOf
) -> None:
    choose(request_, scene.operator, APPROVE)
    client = token_of(second)
    for headers in ({}, {"HTTP_IDEMPOTENCY_KEY": "k1"}):
        response = client.post(
            at(request_, "decision"),
            body(request_, REJECT, note="Mine."),
            **headers,  # type: ignore[arg-type]
        )
        assert (response.status_code, code_of(response)) == (409, "already_decided")
        extra = response.json()["extra"]
        assert extra["decided_by"] == "ola"
        assert extra["option"] == APPROVE
        assert extra["decided_at"] == LATER.isoformat()
    notes = LateDecision.objects.values_list("note", flat=True)
    assert list(notes) == ["Mine.", "Mine."]


def test_an_idempotency_key_gives_the_first_answer_again(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf
) -> None:
    client = token_of(scene.operator)
    sent = body(request_, REJECT)
    first = client.post(at(request_, "decision"), sent, HTTP_IDEMPOTENCY_KEY="k")
    again = client.post(at(request_, "decision"), sent, HTTP_IDEMPOTENCY_KEY="k")
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
    assert Resolution.objects.count() == 1


def test_an_expired_request_is_gone(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf
) -> None:
    AttentionRequest.objects.update(expires_at=LATER)
    client = token_of(scene.operator)
    response = client.post(at(request_, "decision"), body(request_, APPROVE))
    assert (response.status_code, code_of(response)) == (410, "expired")
    assert not Resolution.objects.exists()


@pytest.mark.promise("D66", "A13")
@pytest.mark.lesson("H-16")
def test_roles_scopes_and_foreign_ids(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf
) -> None:
    sent = body(request_, APPROVE)
    for principal in (scene.viewer, scene.member):
        response = token_of(principal).post(at(request_, "decision"), sent)
        assert response.status_code == 403
    narrow = token_of(scene.operator, [Scope.READ, Scope.CONVERSE, Scope.MANAGE])
    assert narrow.post(at(request_, "decision"), sent).status_code == 403
    other = build_scene("globex")
    theirs = propose(other).request
    operator = token_of(scene.operator)
    bodies: dict[str, dict[str, Any]] = {
        "decision": body(theirs, APPROVE),
        "withdraw": {},
        "revision": _edit(theirs),
        "retry": {},
    }
    assert operator.get(at(theirs)).status_code == 404
    for verb, data in bodies.items():
        assert operator.post(at(theirs, verb), data).status_code == 404
    ghost = AttentionRequest(pk=uuid.uuid4(), revision=1, payload_hash="0" * 64)
    response = operator.post(at(ghost, "decision"), body(ghost, APPROVE))
    assert response.status_code == 404
    assert token_of(scene.stranger).get(at(request_)).status_code == 404
    assert APIClient().post(at(request_, "decision"), sent).status_code == 401
    assert not Resolution.objects.exists()


@pytest.mark.lesson("H-15")
def test_four_eyes(scene: Scene, request_: AttentionRequest, token_of: TokenOf) -> None:
    Features.objects.create(tenant=scene.tenant, four_eyes=True)
    edited = token_of(scene.operator).post(at(request_, "revision"), _edit(request_))
    new = AttentionRequest.objects.get(pk=edited.json()["id"])
    response = token_of(scene.operator).post(at(new, "decision"), body(new, APPROVE))
    assert (response.status_code, code_of(response)) == (403, "four_eyes")


def _edit(request: AttentionRequest) -> dict[str, Any]:
    payload = copy.deepcopy(request.payload)
    payload["mission"]["title"] = "Smaller"
    sent = body(request, APPROVE, payload=payload)
    sent.pop("option")
    return sent


@pytest.mark.lesson("H-12")
def test_an_operator_edits(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf
) -> None:
    address = at(request_, "revision")
    sent = _edit(request_)
    assert token_of(scene.member).post(address, sent).status_code == 403
    response = token_of(scene.operator).post(address, sent)
    assert response.status_code == 201
    new = response.json()
    assert (new["revision"], new["title"], new["state"]) == (2, "Smaller", "open")
    assert [row["state"] for row in new["revisions"]] == ["superseded", "open"]
    old = token_of(scene.operator).post(
        at(request_, "decision"), body(request_, APPROVE)
    )
    assert (old.status_code, code_of(old)) == (409, "superseded")
    assert old.json()["extra"]["request_id"] == new["id"]
    bad = {**sent, "payload": {"mission": {}}}
    refused = token_of(scene.operator).post(address, bad)
    assert refused.status_code in {400, 409}


@pytest.mark.promise("D75")
def test_the_requester_withdraws(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf
) -> None:
    address = at(request_, "withdraw")
    assert token_of(scene.operator).post(address, {}).status_code == 403
    response = token_of(scene.member).post(address, {})
    assert response.json()["status"] == "withdrawn"
    gone = token_of(scene.operator).post(
        at(request_, "decision"), body(request_, APPROVE)
    )
    assert (gone.status_code, code_of(gone)) == (409, "withdrawn")


@pytest.mark.promise("A11")
def test_a_retry_needs_no_second_decision(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf
) -> None:
    client = token_of(scene.operator)
    early = client.post(at(request_, "retry"), {})
    assert (early.status_code, code_of(early)) == (409, "not_approved")
    choose(request_, scene.operator)
    response = client.post(at(request_, "retry"), {})
    assert response.status_code == 200
    assert response.json()["aftermath"]["state"] == "created"


def test_somebody_elses_private_conversation_stays_private(
    scene: Scene, request_: AttentionRequest, token_of: TokenOf
) -> None:
    type(scene.conversation).objects.update(is_private=True)
    assert token_of(scene.viewer).get(at(request_)).status_code == 404
    listed = token_of(scene.viewer).get(api("acme", "decisions")).json()
    assert listed["items"] == []
    assert token_of(scene.member).get(at(request_)).status_code == 200
    assert token_of(scene.operator).get(at(request_)).status_code == 200
