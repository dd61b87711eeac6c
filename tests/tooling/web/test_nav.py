"""The frame's sections and badges."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.test import Client

from tests.support.api import Someone, make_member
from tooling.policy import Principal
from tooling.web import nav

pytestmark = pytest.mark.django_db
SignIn = Callable[[Someone], Client]
PAGE = "/t/acme/settings/members/"


@pytest.fixture
def badge() -> Iterator[list[Principal]]:
    """Register a count of 7 for decisions; the list holds who was asked for."""
    asked: list[Principal] = []
    before = nav._BADGES.get("decisions")  # noqa: SLF001 -- put back afterwards

    def count(principal: Principal) -> int:
        asked.append(principal)
        return 7

    nav.register_badge("decisions", count)
    yield asked
    nav._BADGES.pop("decisions")  # noqa: SLF001 -- put back afterwards
    if before is not None:
        nav.register_badge("decisions", before)


def test_a_badge_counts_for_the_reader_once_a_page(
    badge: list[Principal], signed_in: SignIn
) -> None:
    operator = make_member("acme", "operator")
    page = signed_in(operator).get(PAGE).content.decode()
    assert '<span class="count">7' in page
    assert [each.user_id for each in badge] == [operator.user.pk]


def test_who_may_not_decide_is_led_to_the_page_for_reading(
    badge: list[Principal], signed_in: SignIn
) -> None:
    member = signed_in(make_member("acme", "member")).get(PAGE).content.decode()
    assert "/admin/decisions/" not in member
    assert 'href="/t/acme/decisions/"' in member
    operator = signed_in(make_member("acme", "operator")).get(PAGE).content.decode()
    assert 'href="/admin/decisions/attentionrequest/"' in operator


def test_the_open_section_is_marked(signed_in: SignIn) -> None:
    client = signed_in(make_member("acme", "viewer"))
    page = client.get("/t/acme/missions/").content.decode()
    assert 'href="/t/acme/missions/" aria-current="page"' in page
    assert 'href="/t/acme/workflows/" aria-current' not in page


def test_no_sections_outside_a_team(badge: list[Principal], signed_in: SignIn) -> None:
    page = signed_in(make_member("acme", "operator")).get("/me/").content.decode()
    assert "topnav__item" not in page
    assert 'class="topbar__team" href="/t/acme/"' in page
    assert badge == []


def test_the_footer_says_what_answers(signed_in: SignIn) -> None:
    page = signed_in(make_member("acme", "viewer")).get(PAGE).content.decode()
    assert "offline planner" in page
    assert "/settings/model/" not in page
    assert "offline planner" not in Client().get("/accounts/login/").content.decode()
