from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from decisions.models import AttentionRequest
from tests.decisions.support import REJECT, choose, raised
from tests.missions.support import NOW, Scene, add_turn, build_scene, propose, user_of
from tooling.models import Membership, User
from tooling.policy import Principal

SignIn = Callable[[Principal], Client]


def queue_page() -> str:
    return reverse("admin:decisions_attentionrequest_changelist")


def titles(response: Any) -> list[str]:
    rows = re.findall(
        r'class="field-heading"><a[^>]*>([^<]*)</a>', response.content.decode()
    )
    return [row.strip() for row in rows]


def three(scene: Scene) -> list[AttentionRequest]:
    """Raise three requests, an hour apart, and reject the oldest."""
    rows = [raised(scene, title=title) for title in ("oldest", "middle", "newest")]
    for hour, row in enumerate(rows):
        AttentionRequest.objects.filter(pk=row.pk).update(
            created_at=NOW + dt.timedelta(hours=hour)
        )
    choose(rows[0], scene.operator, REJECT)
    return rows


def test_open_ones_come_first_by_age(scene: Scene, signed_in: SignIn) -> None:
    three(scene)
    response = signed_in(scene.operator).get(queue_page())
    assert titles(response) == ["middle", "newest", "oldest"]
    chat = reverse("dialogue:chat", args=["acme", scene.conversation.pk])
    assert chat in response.content.decode()


def test_filters_and_search(scene: Scene, signed_in: SignIn) -> None:
    three(scene)
    client = signed_in(scene.operator)
    for query, found in [
        ({"state": "resolved"}, ["oldest"]),
        ({"state__exact": "open"}, ["middle", "newest"]),
        ({"q": "mid"}, ["middle"]),
        ({"team": "acme"}, ["middle", "newest", "oldest"]),
        ({"kind__exact": "Question"}, []),
    ]:
        assert titles(client.get(queue_page(), query)) == found


@pytest.mark.lesson("H-16")
def test_other_teams_do_not_show(scene: Scene, signed_in: SignIn) -> None:
    raised(scene)
    other = build_scene("globex")
    propose(other, title="Their secret plan")
    html = signed_in(scene.operator).get(queue_page()).content.decode()
    assert "Their secret plan" not in html
    assert "Globex" not in html
    # Somebody of both teams sees both, and by team.
    user = user_of(scene.operator)
    Membership.objects.create(tenant=other.tenant, user=user, role="operator")
    client = signed_in(scene.operator)
    assert len(titles(client.get(queue_page()))) == 2
    assert titles(client.get(queue_page(), {"team": "globex"})) == ["Their secret plan"]
    # A role without the right opens nothing.
    Membership.objects.filter(tenant=other.tenant, user=user).update(role="member")
    assert len(titles(signed_in(scene.operator).get(queue_page()))) == 1


@pytest.mark.promise("D66")
def test_being_staff_opens_no_queue(
    scene: Scene, request_: AttentionRequest, db: None
) -> None:
    root = User.objects.create_superuser("root@deploy.test", "x")
    client = Client()
    client.force_login(root)
    assert client.get(queue_page()).status_code == 403


def test_the_navigation_says_how_many_wait(scene: Scene, signed_in: SignIn) -> None:
    three(scene)
    client = signed_in(scene.operator)
    html = client.get(reverse("admin:index")).content.decode()
    assert "queue (2)" in html
    html = signed_in(scene.stranger).get(reverse("admin:index")).content.decode()
    assert "queue (" not in html


def test_one_cannot_look_through_people(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    client = signed_in(scene.operator)
    query = {"requested_by__password__startswith": "a"}
    assert client.get(queue_page(), query).status_code in {302, 400}


def test_statements_do_not_grow_with_rows(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.operator)

    def statements() -> int:
        client.get(queue_page())
        with CaptureQueriesContext(connection) as captured:
            assert client.get(queue_page()).status_code == 200
        return len(captured)

    raised(scene, title="one")
    few = statements()
    for number in range(12):
        _message, turn = add_turn(scene.conversation, f"And {number}?")
        raised(dataclasses.replace(scene, turn=turn), title=f"more {number}")
    assert statements() == few
    assert few <= 10
