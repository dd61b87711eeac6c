"""The screen on which staff open paid reads, without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.api import Someone
from tooling.llm.presets import forget_presets
from tooling.models import AuditEntry, PaidReadOptIn, Preset, User

pytestmark = pytest.mark.django_db
SignIn = Callable[[Someone], Client]
PAGE = "/settings/paid-reads/"
EVERY = ["decision_brief", "expert_ask", "mission_summarise"]


@pytest.fixture
def staff(member: Someone, signed_in: SignIn) -> Client:
    User.objects.filter(pk=member.user.pk).update(is_staff=True)
    forget_presets()
    return signed_in(member)


def ticked(page: str) -> list[str]:
    return re.findall(r'name="released" value="(\w+)" checked', page)


@pytest.mark.promise("D47", "A18")
def test_members_and_visitors_are_not_let_in(
    member: Someone, signed_in: SignIn, client: Client
) -> None:
    assert reverse("tooling:paid_reads") == PAGE
    answer = client.get(PAGE)
    assert answer.status_code == 302
    other = signed_in(member)
    sent = {"known": EVERY, "released": EVERY, "confirmed": "1"}
    assert other.get(PAGE).status_code == 403
    assert other.post(PAGE, sent).status_code == 403
    assert PAGE not in other.get("/t/acme/settings/features/").content.decode()
    assert not PaidReadOptIn.objects.exists()


@pytest.mark.promise("D47", "A18", "L2")
def test_staff_tick_all_confirm_and_take_one_back(staff: Client) -> None:
    page = staff.get(PAGE).content.decode()
    assert ticked(page) == []
    assert page.count("Held back") == 3
    assert "Asks a second model" in page
    assert page.count("not answered by the offline planner") == 3
    assert ticked(staff.get(PAGE, {"tick": "all"}).content.decode()) == EVERY
    first = staff.post(PAGE, {"known": EVERY, "released": EVERY})
    assert "Save this?" in first.content.decode()
    assert not PaidReadOptIn.objects.exists()
    sent: dict[str, Any] = {"known": EVERY, "released": EVERY, "confirmed": "1"}
    saved = staff.post(PAGE, sent, follow=True).content.decode()
    assert "Saved: 3 reads changed." in saved
    assert ticked(saved) == EVERY
    assert saved.count("Opened by") == 3
    sent["released"] = EVERY[1:]
    asked = staff.post(PAGE, {**sent, "confirmed": []}).content.decode()
    assert "No conversation may use any more:" in asked
    assert "Every conversation" not in asked
    staff.post(PAGE, sent)
    assert PaidReadOptIn.objects.count() == 2
    assert AuditEntry.objects.filter(action__startswith="paid_read.").count() == 4
    assert ticked(staff.get(PAGE, {"tick": "none"}).content.decode()) == []


def test_nothing_changed_needs_no_confirmation(staff: Client) -> None:
    answer = staff.post(PAGE, {"known": EVERY}, follow=True)
    assert "Nothing was changed." in answer.content.decode()
    assert not AuditEntry.objects.exists()


def test_a_name_that_is_no_paid_read_is_refused(staff: Client) -> None:
    sent = {"known": EVERY, "released": ["mission_create"], "confirmed": "1"}
    assert staff.post(PAGE, sent).status_code == 404
    assert not PaidReadOptIn.objects.exists()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            {"backend": "openai", "input_price": 2_000, "output_price": 10_000},
            r"at most \$0\.0\d+ a call \(m\)",
        ),
        (
            {"backend": "sidecar", "base_url": "http://127.0.0.1:9/v1"},
            r"unknown price \(m\)",
        ),
    ],
)
def test_the_estimate_follows_the_preset(
    staff: Client, values: dict[str, Any], words: str
) -> None:
    Preset.objects.create(name="p", model="m", is_default=True, **values)
    forget_presets()
    assert len(re.findall(words, staff.get(PAGE).content.decode())) == 3
    forget_presets()
