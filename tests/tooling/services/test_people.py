"""Profiles, passwords from the command line, and the first run."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.password_validation import validate_password

from tests.support.api import make_member
from tooling.errors import DomainError
from tooling.models import AuditEntry, Membership, Tenant, User
from tooling.policy import PrincipalKind
from tooling.services.first_run import create_first_team
from tooling.services.passwords import generate_password
from tooling.services.people import (
    NoAdmin,
    UnknownLanguage,
    UnknownPerson,
    UnknownTimeZone,
    WeakPassword,
    choose_language,
    command_principal,
    save_profile,
    set_password,
)

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)


def test_a_profile_is_kept() -> None:
    user = make_member("acme", "member").user
    save_profile(
        user_id=user.pk, full_name=" Zoé ", language="fr", time_zone="Europe/Paris"
    )
    user.refresh_from_db()
    assert (user.full_name, user.language) == ("Zoé", "fr")
    assert user.time_zone == "Europe/Paris"


@pytest.mark.parametrize(
    ("name", "language", "zone", "error"),
    [
        ("a\x00", "en", "UTC", DomainError),
        ("x" * 151, "en", "UTC", DomainError),
        ("a", "de", "UTC", UnknownLanguage),
        ("a", "en", "Mars/Base", UnknownTimeZone),
        ("a", "en", "../etc/passwd", UnknownTimeZone),
    ],
)
def test_a_bad_profile_changes_nothing(
    name: str, language: str, zone: str, error: type[DomainError]
) -> None:
    user = make_member("acme", "member").user
    with pytest.raises(error):
        save_profile(user_id=user.pk, full_name=name, language=language, time_zone=zone)
    user.refresh_from_db()
    assert (user.full_name, user.language, user.time_zone) == ("", "", "UTC")


def test_only_our_languages() -> None:
    user = make_member("acme", "member").user
    choose_language(user_id=user.pk, language="fr")
    with pytest.raises(UnknownLanguage):
        choose_language(user_id=user.pk, language="xx")
    user.refresh_from_db()
    assert user.language == "fr"


def test_generated_passwords_are_good_and_differ() -> None:
    made = {generate_password() for _ in range(50)}
    assert len(made) == 50
    for password in made:
        validate_password(password)


def test_a_password_is_set_by_e_mail_in_any_case() -> None:
    user = make_member("acme", "member").user
    done = set_password(email=user.email.upper(), password=None)
    user.refresh_from_db()
    assert done.generated is not None
    assert user.check_password(done.generated)
    given = set_password(email=user.email, password="plum orchard gate 7")
    user.refresh_from_db()
    assert given.generated is None
    assert user.check_password("plum orchard gate 7")
    assert AuditEntry.objects.filter(action="person.password_set").count() == 2


def test_a_weak_password_and_an_unknown_person_are_refused() -> None:
    user = make_member("acme", "member").user
    with pytest.raises(WeakPassword):
        set_password(email=user.email, password="12345")
    with pytest.raises(UnknownPerson):
        set_password(email="nobody@acme.test", password=None)
    assert not AuditEntry.objects.exists()


def test_the_first_run_makes_one_team_with_one_operator() -> None:
    made = create_first_team(language="en", now=NOW)
    user = User.objects.get()
    assert made.password is not None
    assert user.check_password(made.password)
    assert user.is_staff
    membership = Membership.objects.select_related("tenant").get()
    assert (membership.role, membership.tenant.slug) == ("admin", "team")


@pytest.mark.parametrize(
    ("language", "team", "person"),
    [("en", "My team", "Operator"), ("fr", "Mon équipe", "Opérateur")],
)
def test_the_first_team_has_a_name_in_the_language_of_the_place(
    language: str, team: str, person: str
) -> None:
    create_first_team(language=language, now=NOW)
    assert Tenant.objects.get().name == team
    assert User.objects.get().full_name == person


def test_the_first_run_changes_nothing_the_second_time() -> None:
    first = create_first_team(language="en", now=NOW)
    before = User.objects.get().password
    again = create_first_team(language="en", now=NOW)
    assert (again.email, again.password) == (first.email, None)
    assert User.objects.get().password == before
    assert (Tenant.objects.count(), Membership.objects.count()) == (1, 1)


def test_the_first_run_leaves_a_peopled_server_alone() -> None:
    someone = make_member("acme", "member")
    made = create_first_team(language="en", now=NOW)
    assert (made.email, made.password) == (someone.user.email, None)
    assert User.objects.count() == 1


def test_a_command_acts_as_the_first_admin_of_its_team() -> None:
    make_member("acme", "operator")
    admin = make_member("acme", "admin")
    principal = command_principal(slug="acme")
    assert principal.user_id == admin.user.pk
    assert principal.kind is PrincipalKind.COMMAND
    make_member("globex", "operator")
    for slug in ("globex", "never-was"):
        with pytest.raises(NoAdmin):
            command_principal(slug=slug)
