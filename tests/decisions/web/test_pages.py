from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from decisions.models import AttentionRequest, RequestState
from tests.decisions.support import REJECT, choose, raised
from tests.missions.support import Scene, user_of
from tooling.policy import Principal


def signed_in(principal: Principal) -> Client:
    client = Client()
    client.force_login(user_of(principal))
    return client


def queue(client: Client, **query: Any) -> str:
    response = client.get(reverse("decisions:queue", args=["acme"]), query)
    assert response.status_code == 200
    return response.content.decode()


def test_members_see_what_waits_and_what_was_decided(
    scene: Scene, request_: AttentionRequest
) -> None:
    choose(raised(scene, title="Long settled"), scene.operator, REJECT)
    client = signed_in(scene.viewer)
    assert request_.title in queue(client)
    assert "Long settled" not in queue(client)
    assert "Long settled" in queue(client, state="resolved")
    assert "Long settled" in queue(client, state="all")
    assert "Long settled" not in queue(client, state="all", q="nightly")
    assert request_.title in queue(client, state="nonsense")
    admin = reverse("admin:decisions_attentionrequest_changelist")
    assert f'class="btn btn--primary" href="{admin}"' not in queue(client)
    assert f'class="btn btn--primary" href="{admin}"' in queue(
        signed_in(scene.operator)
    )


def test_an_empty_queue_says_how_it_fills(scene: Scene) -> None:
    assert 'class="empty"' in queue(signed_in(scene.member))


def test_a_request_to_read(scene: Scene, request_: AttentionRequest) -> None:
    address = reverse("decisions:request", args=["acme", request_.pk])
    html = signed_in(scene.member).get(address).content.decode()
    assert request_.payload["mission"]["objective"] in html
    assert 'name="option"' not in html
    decide = reverse("admin:decisions_attentionrequest_change", args=[request_.pk])
    assert decide not in html
    assert decide in signed_in(scene.operator).get(address).content.decode()


@pytest.mark.lesson("H-16")
def test_foreign_requests_are_not_found(
    scene: Scene, request_: AttentionRequest
) -> None:
    stranger = signed_in(scene.stranger)
    for slug in ("acme", "acme-other"):
        for name in ("decisions:request", "decisions:withdraw"):
            address = reverse(name, args=[slug, request_.pk])
            call = stranger.post if name.endswith("withdraw") else stranger.get
            assert call(address).status_code == 404
    assert stranger.get(reverse("decisions:queue", args=["acme"])).status_code == 404
    request_.refresh_from_db()
    assert request_.state == RequestState.OPEN


@pytest.mark.promise("D75")
@pytest.mark.lesson("H-08", "H-24")
def test_the_requester_withdraws_by_post_alone(
    scene: Scene, request_: AttentionRequest
) -> None:
    address = reverse("decisions:withdraw", args=["acme", request_.pk])
    assert signed_in(scene.member).get(address).status_code == 405
    assert signed_in(scene.viewer).post(address).status_code == 403
    assert signed_in(scene.operator).post(address).status_code == 403
    request_.refresh_from_db()
    assert request_.state == RequestState.OPEN
    response = signed_in(scene.member).post(address, {"from_chat": "1"})
    chat = reverse("dialogue:chat", args=["acme", scene.conversation.pk])
    assert (response.status_code, response.headers["Location"]) == (302, chat)
    request_.refresh_from_db()
    assert request_.state == RequestState.WITHDRAWN
