"""The form of a proposal, sent twice: two clicks, or a page taken back and sent."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from decisions.models import AttentionRequest
from tests.missions.support import Scene, propose, settle, user_of

pytestmark = pytest.mark.django_db
FORM = "/t/acme/proposals/new"
PROPOSAL = {
    "title": "Nightly export",
    "objective": "It runs.",
    "tasks": "Write it",
    "acceptance_criteria": "The file is there.",
    "priority": "high",
}


def client_of(scene: Scene) -> Client:
    """Return a browser in which the member has signed in."""
    client = Client()
    client.force_login(user_of(scene.member))
    return client


def test_the_form_sent_twice_raises_one_proposal(scene: Scene) -> None:
    client = client_of(scene)
    html = client.get(FORM).content.decode()
    key = html.split('name="form_key" value="')[1].split('"')[0]
    sent = {**PROPOSAL, "form_key": key}
    first, second = (client.post(FORM, sent) for _twice in range(2))
    request = AttentionRequest.objects.get()
    page_of_it = reverse("decisions:request", args=["acme", request.pk])
    assert first.headers["Location"] == second.headers["Location"] == page_of_it
    changed = client.post(FORM, {**sent, "title": "Another"})
    assert changed.status_code == 200
    html = changed.content.decode()
    assert "sent before with other content" in html
    assert key not in html
    assert AttentionRequest.objects.count() == 1


def test_a_revision_sent_twice_is_one_and_no_error(scene: Scene) -> None:
    request = settle(propose(scene).request, "Request changes", scene.operator)
    query = f"?conversation={scene.conversation.pk}"
    sent = {**PROPOSAL, "revises": str(request.pk), "form_key": "k" * 32}
    client = client_of(scene)
    answers = [client.post(FORM + query, sent) for _twice in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert AttentionRequest.objects.filter(revises=request).count() == 1
