"""Tokens and sessions: who comes in, and who no longer does."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from tests.support.api import Someone, api, make_member, make_token
from tooling.models import Membership, PersonalToken
from tooling.policy import Scope

ACME = api("acme", "conversations")


def bearer(secret: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


@pytest.mark.case("A16")
def test_a_revoked_token_is_refused_at_once(member: Someone) -> None:
    token, secret = make_token(member)
    client = bearer(secret)
    assert client.get(ACME).status_code == 200
    PersonalToken.objects.filter(pk=token.pk).update(revoked_at=timezone.now())
    answer = client.get(ACME)
    assert answer.status_code == 401
    assert answer.json()["errors"][0]["code"] == "token_revoked"
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_expired_unknown_empty_and_barred(member: Someone) -> None:
    past = timezone.now() - dt.timedelta(seconds=1)
    _token, expired = make_token(member, expires_at=past)
    assert bearer(expired).get(ACME).json()["errors"][0]["code"] == "token_expired"
    for secret in ("dlg_" + "0" * 40, "", "x" * 5000, "é"):
        answer = bearer(secret).get(ACME)
        assert answer.status_code == 401
        assert answer.json()["errors"][0]["code"] == "invalid_token"
    _token, secret = make_token(member)
    member.user.is_active = False
    member.user.save()
    assert bearer(secret).get(ACME).status_code == 401


def test_nobody_is_told_to_authenticate(db: None) -> None:
    answer = APIClient().get(ACME)
    assert answer.status_code == 401
    assert answer.json() == {
        "type": "client_error",
        "errors": [
            {
                "code": "not_authenticated",
                "detail": "Authentication credentials were not provided.",
                "attr": None,
            }
        ],
    }


@pytest.mark.case("A15")
def test_a_token_opens_its_own_team_alone(member: Someone) -> None:
    other = make_member("globex", "admin")
    Membership.objects.create(tenant=other.tenant, user=member.user, role="admin")
    client = bearer(make_token(member)[1])
    foreign = client.get(api("globex", "conversations"))
    unknown = client.get(api("nowhere", "conversations"))
    assert foreign.status_code == unknown.status_code == 404
    assert foreign.content == unknown.content


def test_a_token_ends_with_the_membership(member: Someone) -> None:
    client = bearer(make_token(member)[1])
    Membership.objects.filter(user=member.user).delete()
    assert client.get(ACME).status_code == 404


def test_scopes_bound_what_a_role_may(member: Someone) -> None:
    client = bearer(make_token(member, scopes=[Scope.READ])[1])
    assert client.get(ACME).status_code == 200
    answer = client.post(ACME, {"track": "Build"}, format="json")
    assert answer.status_code == 403
    assert answer.json()["errors"][0]["code"] == "scope_missing"
    nothing = bearer(make_token(member, scopes=[])[1])
    assert nothing.get(ACME).status_code == 403


def test_use_is_noted_once_a_minute(member: Someone) -> None:
    token, secret = make_token(member)
    client = bearer(secret)
    client.get(ACME)
    token.refresh_from_db()
    first = token.last_used_at
    assert first is not None
    client.get(ACME)
    token.refresh_from_db()
    assert token.last_used_at == first


def test_a_session_writes_with_the_csrf_token_alone(member: Someone) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(member.user)
    assert client.get(ACME).status_code == 200
    answer = client.post(ACME, {"track": "Build"}, format="json")
    assert answer.status_code == 403
    assert answer.json()["errors"][0]["code"] == "csrf_failed"
    client.cookies["csrftoken"] = "a" * 32
    allowed = client.post(
        ACME, {"track": "Build"}, format="json", headers={"X-CSRFToken": "a" * 32}
    )
    assert allowed.status_code == 201


def test_an_expired_session_is_nobody(member: Someone) -> None:
    client = APIClient()
    client.force_login(member.user)
    client.session.flush()
    assert client.get(ACME).status_code == 401


@pytest.mark.case("A15")
def test_a_session_in_a_foreign_team(member: Someone) -> None:
    make_member("globex", "admin")
    client = APIClient()
    client.force_login(member.user)
    foreign = client.get(api("globex", "conversations"))
    unknown = client.get(api("nowhere", "conversations"))
    assert foreign.status_code == unknown.status_code == 404
    assert foreign.content == unknown.content


def test_another_scheme_is_a_proxys_affair(member: Someone) -> None:
    client = APIClient()
    client.force_login(member.user)
    client.credentials(HTTP_AUTHORIZATION="Basic dTpw")
    assert client.get(ACME).status_code == 200


def test_me(member: Someone) -> None:
    other = make_member("globex", "admin")
    Membership.objects.create(tenant=other.tenant, user=member.user, role="admin")
    session = APIClient()
    session.force_login(member.user)
    by_session = session.get("/api/v1/me").json()
    assert by_session["via"] == "session"
    assert by_session["token"] is None
    assert [each["slug"] for each in by_session["tenants"]] == ["acme", "globex"]
    token, secret = make_token(member, scopes=[Scope.READ])
    by_token = bearer(secret).get("/api/v1/me").json()
    assert by_token["via"] == "token"
    assert by_token["token"]["scopes"] == ["read"]
    assert by_token["tenants"] == [
        {"slug": "acme", "name": "Acme", "role": "member", "acts": ["read"]}
    ]
    assert secret not in str(by_token)
    assert token.digest not in str(by_token)
    assert APIClient().get("/api/v1/me").status_code == 401
