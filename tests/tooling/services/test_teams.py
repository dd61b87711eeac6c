"""Teams made from the command line."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.support.api import make_member
from tooling.errors import DomainError
from tooling.models import Membership, Tenant, User
from tooling.services.members import Added, BadAddress
from tooling.services.teams import BadSlug, TeamExists, create_team

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)


def create(
    slug: str = "globex", name: str = "Globex", email: str = "a@b.test"
) -> Added:
    return create_team(
        slug=slug, name=name, admin_email=email, language="fr", link_to=str, now=NOW
    )


def test_a_team_begins_with_an_admin() -> None:
    added = create()
    membership = Membership.objects.select_related("tenant", "user").get()
    assert (membership.tenant.slug, membership.role) == ("globex", "admin")
    assert membership.user.language == "fr"
    assert added.link.startswith("/accounts/password/reset/key/")


def test_somebody_known_becomes_its_admin_without_a_second_account() -> None:
    known = make_member("acme", "viewer").user
    create(email=known.email.upper())
    assert User.objects.count() == 1
    assert Membership.objects.get(tenant__slug="globex").user == known


def test_an_address_is_taken_once() -> None:
    create()
    with pytest.raises(TeamExists):
        create(email="second@b.test")
    assert Tenant.objects.count() == 1
    assert not User.objects.filter(email="second@b.test").exists()


@pytest.mark.parametrize(
    ("slug", "name", "email", "error"),
    [
        ("Upper", "X", "a@b.test", BadSlug),
        ("a b", "X", "a@b.test", BadSlug),
        ("../x", "X", "a@b.test", BadSlug),
        ("x" * 51, "X", "a@b.test", BadSlug),
        ("good", " ", "a@b.test", DomainError),
        ("good", "a\x00", "a@b.test", DomainError),
        ("good", "X", "nobody", BadAddress),
    ],
)
def test_bad_input_makes_no_team(
    slug: str, name: str, email: str, error: type[DomainError]
) -> None:
    with pytest.raises(error):
        create(slug, name, email)
    assert not Tenant.objects.exists()
