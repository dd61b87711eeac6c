"""Personal tokens: issued once, stored as a hash, bounded, revocable."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import uuid
from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import make_member
from tooling.errors import DomainError, NotAllowed, NotFound
from tooling.models import AuditEntry, PersonalToken
from tooling.policy import Principal, PrincipalKind
from tooling.services.tokens import (
    AlreadyIssued,
    BadExpiry,
    BadScopes,
    Issued,
    TokenExpired,
    TokenRefused,
    TokenRevoked,
    find_token,
    issue_token,
    record_token_use,
    revoke_token,
)

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
SECRET = re.compile(r"^dlg_[a-z2-9]{8}_[\w-]{43}$")


def issue(principal: Principal, **changes: Any) -> Issued:
    values: dict[str, Any] = {
        "token_id": uuid.uuid4(),
        "name": "nightly",
        "scopes": ["read"],
        "days": 30,
        "now": NOW,
        **changes,
    }
    return issue_token(principal=principal, **values)


@pytest.fixture
def operator() -> Principal:
    return make_member("acme", "operator").principal


def test_a_secret_is_given_once_and_stored_as_its_hash(operator: Principal) -> None:
    issued = issue(operator, scopes=["decisions:decide", "read"])
    assert SECRET.match(issued.secret)
    row = PersonalToken.objects.get()
    assert row.digest == hashlib.sha256(issued.secret.encode()).hexdigest()
    assert issued.secret.startswith(f"{row.prefix}_")
    assert row.scopes == ["read", "decisions:decide"]
    assert row.expires_at == NOW + dt.timedelta(days=30)
    assert issued.secret not in str(list(PersonalToken.objects.values()))
    assert issued.secret not in str(list(AuditEntry.objects.values()))


def test_two_secrets_differ(operator: Principal) -> None:
    assert issue(operator).secret != issue(operator).secret


def test_the_secret_finds_its_token_until_it_expires(operator: Principal) -> None:
    issued = issue(operator, days=1)
    almost = NOW + dt.timedelta(days=1) - dt.timedelta(seconds=1)
    assert find_token(secret=issued.secret, now=almost) == issued.token
    with pytest.raises(TokenExpired):
        find_token(secret=issued.secret, now=NOW + dt.timedelta(days=1))


@pytest.mark.parametrize("secret", ["", "dlg_", "dlg_x_y", "\ud800", "x" * 5000])
def test_what_is_no_secret_finds_nothing(operator: Principal, secret: str) -> None:
    issue(operator)
    with pytest.raises(TokenRefused):
        find_token(secret=secret, now=NOW)


def test_a_form_sent_twice_makes_one_token(operator: Principal) -> None:
    token_id = uuid.uuid4()
    issue(operator, token_id=token_id)
    with pytest.raises(AlreadyIssued):
        issue(operator, token_id=token_id)
    assert PersonalToken.objects.count() == 1
    assert AuditEntry.objects.filter(action="token.issued").count() == 1


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"scopes": []}, BadScopes),
        ({"scopes": ["everything"]}, BadScopes),
        ({"days": 0}, BadExpiry),
        ({"days": 366}, BadExpiry),
        ({"name": "  "}, DomainError),
        ({"name": "a\x00b"}, DomainError),
        ({"name": "x" * 81}, DomainError),
    ],
)
def test_bad_input_leaves_nothing(
    operator: Principal, changes: dict[str, Any], error: type[DomainError]
) -> None:
    with pytest.raises(error):
        issue(operator, **changes)
    assert not PersonalToken.objects.exists()
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("role", "scope"),
    [
        ("viewer", "converse"),
        ("viewer", "decisions:decide"),
        ("member", "decisions:decide"),
        ("member", "manage"),
    ],
)
def test_no_scope_beyond_the_role(role: str, scope: str) -> None:
    principal = make_member("acme", role).principal
    with pytest.raises(BadScopes):
        issue(principal, scopes=["read", scope])
    assert not PersonalToken.objects.exists()


@pytest.mark.parametrize("kind", [PrincipalKind.TOKEN, PrincipalKind.MODEL])
def test_a_token_cannot_make_or_end_tokens(
    operator: Principal, kind: PrincipalKind
) -> None:
    issued = issue(operator)
    by_token = replace(operator, kind=kind, scopes=frozenset({"read", "manage"}))
    with pytest.raises(NotAllowed):
        issue(by_token)
    with pytest.raises(NotAllowed):
        revoke_token(principal=by_token, token_id=issued.token.pk, now=NOW)
    assert PersonalToken.objects.filter(revoked_at__isnull=True).count() == 1


def test_revoking_ends_it_at_once_and_twice_is_harmless(operator: Principal) -> None:
    issued = issue(operator)
    for later in (NOW, NOW + dt.timedelta(hours=1)):
        revoke_token(principal=operator, token_id=issued.token.pk, now=later)
    with pytest.raises(TokenRevoked):
        find_token(secret=issued.secret, now=NOW)
    assert PersonalToken.objects.get().revoked_at == NOW
    assert AuditEntry.objects.filter(action="token.revoked").count() == 1


@pytest.mark.parametrize("slug", ["acme", "globex"])
def test_nobody_revokes_a_token_of_somebody_else(
    operator: Principal, slug: str
) -> None:
    issued = issue(operator)
    other = make_member(slug, "admin").principal
    with pytest.raises(NotFound):
        revoke_token(principal=other, token_id=issued.token.pk, now=NOW)
    assert PersonalToken.objects.get().revoked_at is None


def test_use_is_noted_once_a_minute(operator: Principal) -> None:
    issued = issue(operator)
    for seconds in (0, 59, 61):
        token = PersonalToken.objects.get()
        record_token_use(token=token, now=NOW + dt.timedelta(seconds=seconds))
    assert PersonalToken.objects.get().last_used_at == NOW + dt.timedelta(seconds=61)
    stale = PersonalToken.objects.get()
    record_token_use(token=stale, now=NOW + dt.timedelta(seconds=100))
    assert PersonalToken.objects.get().last_used_at == NOW + dt.timedelta(seconds=61)
    assert issued.token.last_used_at is None
