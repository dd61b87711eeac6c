"""Members: who may add whom, and never a team without an admin."""

from __future__ import annotations

import datetime as dt
import smtplib
import threading
import uuid
from typing import Any

import pytest
from django.core import mail
from django.db import connection, connections

from tests.support.api import Someone, make_member, make_token
from tooling.errors import DomainError, NotAllowed, NotFound
from tooling.models import AuditEntry, Membership, PersonalToken, User
from tooling.services import members
from tooling.services.members import (
    Added,
    AlreadyMember,
    BadAddress,
    LastAdmin,
    UnknownRole,
    add_member,
    change_role,
    new_password_link,
    remove_member,
)

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)


@pytest.fixture
def admin() -> Someone:
    return make_member("acme", "admin")


def add(someone: Someone, email: str = "new@acme.test", **changes: Any) -> Added:
    values: dict[str, Any] = {
        "role": "member",
        "language": "fr",
        "link_to": lambda path: f"https://dialogue.test{path}",
        "now": NOW,
        **changes,
    }
    return add_member(principal=someone.principal, email=email, **values)


def membership_of(someone: Someone) -> Membership:
    return Membership.objects.get(user=someone.user, tenant=someone.tenant)


def test_somebody_new_gets_an_account_a_link_and_a_mail(admin: Someone) -> None:
    added = add(admin, " New@ACME.test ")
    user = User.objects.get(email="new@acme.test")
    assert (added.membership.user, added.membership.role) == (user, "member")
    assert not user.has_usable_password()
    assert user.language == "fr"
    assert added.link.startswith("https://dialogue.test/accounts/password/reset/key/")
    assert added.mailed
    [letter] = mail.outbox
    assert letter.to == ["new@acme.test"]
    assert added.link in letter.body
    assert "\n" not in letter.subject
    entry = AuditEntry.objects.get(action="member.added")
    assert (entry.actor_id, entry.target_id) == (admin.user.pk, user.pk)


def test_somebody_known_joins_without_a_link(admin: Someone) -> None:
    known = make_member("globex", "member").user
    known.set_password("a long enough password")
    known.save()
    added = add(admin, known.email.upper(), role="operator")
    assert added.membership.user == known
    assert added.link == ""
    assert Membership.objects.filter(user=known).count() == 2


def test_a_mail_server_that_is_down_is_only_told(
    admin: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_kwargs: object) -> int:
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr(members, "send_mail", fail)
    added = add(admin)
    assert not added.mailed
    assert added.link
    assert Membership.objects.filter(user__email="new@acme.test").exists()


def test_nobody_is_added_twice(admin: Someone) -> None:
    add(admin)
    with pytest.raises(AlreadyMember):
        add(admin, "NEW@acme.test", role="admin")
    assert Membership.objects.get(user__email="new@acme.test").role == "member"
    assert AuditEntry.objects.filter(action="member.added").count() == 1


@pytest.mark.parametrize(
    ("email", "role", "error"),
    [
        ("nobody", "member", BadAddress),
        ("a@b\x00.test", "member", DomainError),
        ("x" * 300 + "@acme.test", "member", DomainError),
        ("new@acme.test", "owner", UnknownRole),
        ("new@acme.test", "", UnknownRole),
    ],
)
def test_bad_input_adds_nobody(
    admin: Someone, email: str, role: str, error: type[DomainError]
) -> None:
    with pytest.raises(error):
        add(admin, email, role=role)
    assert User.objects.count() == 1
    assert mail.outbox == []


@pytest.mark.parametrize("role", ["viewer", "member", "operator"])
def test_only_admins_manage(admin: Someone, role: str) -> None:
    someone = make_member("acme", role)
    target = membership_of(admin).pk
    with pytest.raises(NotAllowed):
        add(someone)
    with pytest.raises(NotAllowed):
        change_role(principal=someone.principal, membership_id=target, role="viewer")
    with pytest.raises(NotAllowed):
        remove_member(principal=someone.principal, membership_id=target, now=NOW)
    assert Membership.objects.count() == 2
    assert membership_of(admin).role == "admin"


def test_a_role_changes_and_leaves_a_trace(admin: Someone) -> None:
    member = membership_of(make_member("acme", "member"))
    for _twice in range(2):
        change_role(principal=admin.principal, membership_id=member.pk, role="operator")
    member.refresh_from_db()
    assert member.role == "operator"
    entry = AuditEntry.objects.get(action="member.role_changed")
    assert (entry.before, entry.after) == ({"role": "member"}, {"role": "operator"})


def test_removing_ends_tokens_and_keeps_the_person(admin: Someone) -> None:
    someone = make_member("acme", "member")
    token, _secret = make_token(someone)
    remove_member(
        principal=admin.principal, membership_id=membership_of(someone).pk, now=NOW
    )
    assert not Membership.objects.filter(user=someone.user).exists()
    assert User.objects.filter(pk=someone.user.pk).exists()
    assert PersonalToken.objects.get(pk=token.pk).revoked_at == NOW


def test_the_last_admin_stays(admin: Someone) -> None:
    own = membership_of(admin).pk
    with pytest.raises(LastAdmin):
        change_role(principal=admin.principal, membership_id=own, role="operator")
    with pytest.raises(LastAdmin):
        remove_member(principal=admin.principal, membership_id=own, now=NOW)
    assert membership_of(admin).role == "admin"
    make_member("acme", "admin", email="second@acme.test")
    change_role(principal=admin.principal, membership_id=own, role="operator")
    assert membership_of(admin).role == "operator"


def test_an_admin_who_may_not_sign_in_does_not_count(admin: Someone) -> None:
    gone = make_member("acme", "admin", email="gone@acme.test")
    User.objects.filter(pk=gone.user.pk).update(is_active=False)
    with pytest.raises(LastAdmin):
        change_role(
            principal=admin.principal,
            membership_id=membership_of(admin).pk,
            role="viewer",
        )


@pytest.mark.django_db(transaction=True)
def test_two_admins_who_remove_each_other_leave_one() -> None:
    pair = [make_member("acme", "admin", email=f"{n}@acme.test") for n in "ab"]
    keys = [membership_of(each).pk for each in pair]
    together = threading.Barrier(2, timeout=10)

    def remove(actor: Someone, target: uuid.UUID) -> None:
        together.wait()
        try:
            remove_member(principal=actor.principal, membership_id=target, now=NOW)
        except LastAdmin:
            pass
        finally:
            connections.close_all()

    threads = [
        threading.Thread(target=remove, args=(pair[0], keys[1])),
        threading.Thread(target=remove, args=(pair[1], keys[0])),
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    connection.close()
    assert Membership.objects.filter(role="admin").count() == 1


@pytest.mark.case("A15")
def test_a_foreign_membership_is_not_there(admin: Someone) -> None:
    foreign = membership_of(make_member("globex", "member"))
    with pytest.raises(NotFound):
        change_role(principal=admin.principal, membership_id=foreign.pk, role="viewer")
    with pytest.raises(NotFound):
        remove_member(principal=admin.principal, membership_id=foreign.pk, now=NOW)
    with pytest.raises(NotFound):
        new_password_link(
            principal=admin.principal, membership_id=foreign.pk, link_to=str
        )
    foreign.refresh_from_db()
    assert foreign.role == "member"


def test_a_fresh_link_only_for_whoever_has_no_password(admin: Someone) -> None:
    added = add(admin)
    again = new_password_link(
        principal=admin.principal, membership_id=added.membership.pk, link_to=str
    )
    assert again.link.startswith("/accounts/password/reset/key/")
    user = added.membership.user
    user.set_password("a long enough password")
    user.save()
    with pytest.raises(AlreadyMember):
        new_password_link(
            principal=admin.principal, membership_id=added.membership.pk, link_to=str
        )
