"""Grants on pages and by REST."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.dialogue.web.conftest import Chat, begin
from tests.support.api import Someone, api, client_of, make_member, make_token
from tooling.models import AuditEntry, Features, SessionGrant

pytestmark = pytest.mark.django_db
SignedIn = Callable[[Someone], Client]
HOUR = dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def _switch(settings: Any) -> None:
    settings.WRITE_TOOLS_SERVED = True


@pytest.fixture
def operator(member: Someone) -> Someone:
    return make_member("acme", "operator")


@pytest.fixture
def toggle(member: Someone) -> Features:
    return Features.objects.create(tenant=member.tenant, write_tools=True)


# --- grants ----------


def give(client: Client, chat: Chat, **changes: Any) -> Any:
    fields = {"tools": ["mission_create"], "minutes": "15", "uses": "5", **changes}
    return client.post(chat.url("grants"), fields)


@pytest.mark.promise("A4", "D54")
@pytest.mark.lesson("H-22")
def test_a_grant_shows_with_what_is_left_and_goes_with_one_click(
    signed_in: SignedIn, operator: Someone, client: Client, chat: Chat, toggle: Features
) -> None:
    assert give(signed_in(operator), chat).status_code == 302
    grant = SessionGrant.objects.get()
    SessionGrant.objects.update(uses_left=4)
    page = client.get(chat.url()).content.decode()
    assert "4 of 5 uses left" in page
    assert "15 minutes left" in page
    assert f'data-countdown="{int(grant.expires_at.timestamp())}"' in page
    sync = client.get(chat.url("sync?after=0")).json()
    assert "4 of 5 uses left" in sync["grants"]
    assert client.post(chat.url(f"grants/{grant.pk}/revoke")).status_code == 302
    assert "uses left" not in client.get(chat.url()).content.decode()
    ended = client.get(chat.url("grants")).content.decode()
    assert "Revoked" in ended
    assert AuditEntry.objects.filter(target_id=grant.pk).count() == 2


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tools": []}, "Choose one or more"),
        ({"tools": ["mission_propose"]}, "Choose one or more"),
        ({"minutes": "9999"}, "from 1 minute to 8 hours"),
        ({"minutes": "x"}, "This value does not fit"),
        ({"uses": "51"}, "1 to 50 uses"),
        ({"uses": "-1"}, "This value does not fit"),
    ],
)
def test_a_bad_grant_comes_back_with_what_is_wrong(
    signed_in: SignedIn,
    operator: Someone,
    chat: Chat,
    changes: dict[str, Any],
    words: str,
) -> None:
    answer = give(signed_in(operator), chat, **changes)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert not SessionGrant.objects.exists()


def test_a_member_reads_grants_and_gives_none(client: Client, chat: Chat) -> None:
    assert "Give a grant" not in client.get(chat.url("grants")).content.decode()
    assert give(client, chat).status_code == 403
    assert not SessionGrant.objects.exists()


def test_the_page_says_what_stands_in_a_grant_s_way(
    signed_in: SignedIn, operator: Someone, chat: Chat, settings: Any
) -> None:
    client = signed_in(operator)
    assert "off for this team" in client.get(chat.url("grants")).content.decode()
    settings.WRITE_TOOLS_SERVED = False
    assert "off in this deployment" in client.get(chat.url("grants")).content.decode()


@pytest.mark.promise("A4")
def test_grants_by_rest_are_read_and_revoked_and_never_given(
    operator: Someone, chat: Chat
) -> None:
    grant = SessionGrant.objects.create(
        tenant=chat.owner.tenant,
        conversation_id=chat.conversation.pk,
        tools=["mission_create"],
        given_by=operator.user,
        expires_at=timezone.now() + HOUR,
        uses_max=2,
        uses_left=1,
    )
    client = client_of(operator)
    url = api("acme", f"conversations/{chat.conversation.pk}/grants")
    [item] = client.get(url).json()["items"]
    assert (item["id"], item["uses_left"], item["is_live"]) == (str(grant.pk), 1, True)
    assert client.post(url, {"tools": ["mission_create"]}).status_code == 405
    for _twice in range(2):
        answer = client.post(f"{url}/{grant.pk}/revoke")
        assert (answer.status_code, answer.json()["is_live"]) == (200, False)
    other = begin(chat.owner)
    wrong = api("acme", f"conversations/{other.conversation.pk}/grants")
    assert client.post(f"{wrong}/{grant.pk}/revoke").status_code == 404


def test_a_token_without_the_scope_revokes_nothing(
    operator: Someone, chat: Chat
) -> None:
    secret = make_token(operator, scopes=["read", "converse"])[1]
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    url = api("acme", f"conversations/{chat.conversation.pk}/grants")
    answer = client.post(f"{url}/{chat.conversation.pk}/revoke")
    assert answer.status_code == 403
    assert answer.json()["errors"][0]["code"] == "scope_missing"
