"""The card of a held-back write, and what a click on it does."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from missions.models import Mission
from tests.dialogue.web.conftest import Chat
from tests.dialogue.web.held import PLAIN, card_of, hold, seen_on
from tests.support.api import Someone, make_member
from tooling.boundary import payload_hash
from tooling.models import Features, SessionGrant, ToolCall

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
def admin(member: Someone) -> Someone:
    return make_member("acme", "admin")


@pytest.fixture
def toggle(member: Someone) -> Features:
    return Features.objects.create(tenant=member.tenant, write_tools=True)


@pytest.fixture
def held(chat: Chat, toggle: Features) -> ToolCall:
    return hold(chat, chat.say("It would be lovely to have an export."))


# --- the card ----------


@pytest.mark.promise("D57", "D67")
def test_the_card_says_what_would_run_and_what_stopped_it(
    client: Client, chat: Chat, held: ToolCall
) -> None:
    page = client.get(chat.url()).content.decode()
    html = card_of(client, chat, held)
    assert f'id="action-{held.pk}"' in page
    for text in (
        "Create a Mission",
        "Held back",
        "Nobody asked for exactly this",
        "What it would change",
        "Exactly what would run",
        str(PLAIN["title"]),
        str(PLAIN["objective"]),
        "CSV, one file a night.",
        "Run once",
        "Dismiss",
    ):
        assert text in html, text
    assert "Allow for a time" not in html, "a member gives no grants"


@pytest.mark.promise("A4")
def test_an_operator_may_allow_it_for_a_time(
    signed_in: SignedIn, operator: Someone, chat: Chat, held: ToolCall
) -> None:
    html = card_of(signed_in(operator), chat, held)
    assert "Allow for a time" in html
    assert 'name="tools" value="mission_create"' in html


def test_a_viewer_reads_it_and_may_press_nothing(
    signed_in: SignedIn, viewer: Someone, chat: Chat, held: ToolCall
) -> None:
    html = card_of(signed_in(viewer), chat, held)
    assert "Create a Mission" in html
    assert "<form" not in html
    assert "What opens it:" in html


@pytest.mark.promise("D51", "D52")
@pytest.mark.parametrize(("role", "linked"), [("member", False), ("admin", True)])
def test_a_shut_toggle_is_named_and_linked_for_those_who_may_turn_it_on(
    signed_in: SignedIn, admin: Someone, chat: Chat, role: str, linked: bool
) -> None:
    held = hold(chat, chat.say("Go"), gate="tenant_toggle", verdict="refuse")
    someone = admin if role == "admin" else chat.owner
    html = card_of(signed_in(someone), chat, held)
    assert "Write tools are off for this team" in html
    assert "Run once" not in html
    assert ("/settings/features/" in html) == linked


@pytest.mark.promise("D59")
def test_a_gate_that_is_open_again_is_not_said_to_be_shut(
    client: Client, chat: Chat, toggle: Features
) -> None:
    held = hold(chat, chat.say("Go"), gate="tenant_toggle", verdict="refuse")
    html = card_of(client, chat, held)
    assert "Write tools are off" not in html
    assert "Nothing but a click stands in its way now." in html
    assert "Run once" in html


@pytest.mark.lesson("H-21")
def test_what_the_model_wrote_is_shown_plain(client: Client, chat: Chat) -> None:
    plain = {**PLAIN, "title": "<script>alert(1)</script>\u202e"}
    turn = chat.say("Go")
    held = hold(chat, turn, arguments=plain, arguments_hash=payload_hash(plain))
    html = card_of(client, chat, held)
    assert "<script>" not in html
    assert "\u202e" not in html
    assert "U+202E" in html


@pytest.mark.promise("A3", "D83")
def test_run_once_by_a_plain_form(client: Client, chat: Chat, held: ToolCall) -> None:
    seen = seen_on(card_of(client, chat, held))
    url = chat.url(f"calls/{held.pk}/run")
    for _click in range(2):
        response = client.post(url, {"seen": seen})
        assert response.status_code == 302
        assert response.headers["Location"] == f"{chat.url()}#action-{held.pk}"
    mission = Mission.objects.get()
    html = card_of(client, chat, held)
    assert "ran it once, at" in html
    assert f"/missions/{mission.pk}/" in html
    page = client.get(chat.url()).content.decode()
    assert "ran this once: Create a Mission." in page


def test_run_once_by_the_script(client: Client, chat: Chat, held: ToolCall) -> None:
    url = chat.url(f"calls/{held.pk}/run")
    headers = {"X-Requested-With": "fetch"}
    stale = client.post(url, {"seen": "0" * 64}, headers=headers)
    assert (stale.status_code, stale.json()["errors"][0]["code"]) == (
        409,
        "difference_changed",
    )
    seen = seen_on(card_of(client, chat, held))
    done = client.post(url, {"seen": seen}, headers=headers)
    assert (done.status_code, done.json()) == (200, {"state": "done"})


def test_what_refuses_a_click_stands_on_the_card(
    client: Client, chat: Chat, held: ToolCall, toggle: Features
) -> None:
    seen = seen_on(card_of(client, chat, held))
    Features.objects.update(write_tools=False)
    client.post(chat.url(f"calls/{held.pk}/run"), {"seen": seen})
    html = card_of(client, chat, held)
    assert "Last try: Write tools are off for this team" in html
    assert not Mission.objects.exists()
    Features.objects.update(write_tools=True)
    html = card_of(client, chat, held)
    client.post(chat.url(f"calls/{held.pk}/run"), {"seen": seen_on(html)})
    assert Mission.objects.count() == 1
    assert "Last try" not in card_of(client, chat, held)


@pytest.mark.lesson("H-24")
@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_runs_nothing(
    client: Client, chat: Chat, held: ToolCall, method: str
) -> None:
    seen = seen_on(card_of(client, chat, held))
    url = f"{chat.url(f'calls/{held.pk}/run')}?seen={seen}"
    assert getattr(client, method)(url).status_code == 405
    assert not Mission.objects.exists()


@pytest.mark.lesson("H-20")
def test_a_form_of_another_site_runs_nothing(
    member: Someone, chat: Chat, held: ToolCall
) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(member.user)
    seen = seen_on(card_of(strict, chat, held))
    for rest, fields in (
        (f"calls/{held.pk}/run", {"seen": seen}),
        ("grants", {"tools": "mission_create", "minutes": "5", "uses": "1"}),
    ):
        assert strict.post(chat.url(rest), fields).status_code == 403
    assert not Mission.objects.exists()
    assert not SessionGrant.objects.exists()


def test_a_dismissed_card_says_by_whom(
    client: Client, chat: Chat, held: ToolCall
) -> None:
    client.post(chat.url(f"calls/{held.pk}/dismiss"))
    html = card_of(client, chat, held)
    assert "put it aside" in html
    assert "<form" not in html


def test_many_cards_cost_few_statements(
    client: Client, chat: Chat, toggle: Features, count_statements: Any
) -> None:
    def fill(count: int) -> int:
        for number in range(count):
            plain = {**PLAIN, "title": f"Idea {number} of {count}"}
            more = {"arguments": plain, "arguments_hash": payload_hash(plain)}
            hold(chat, chat.say("Go"), **more)
        return len(count_statements(chat.url()))

    few = fill(2)
    assert fill(12) <= few + 2
