"""Signing in, the second factor, and the one way into the admin."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from tests.support.api import Someone, make_member, make_token
from tests.tooling.web.conftest import PASSWORD

pytestmark = pytest.mark.django_db
SignIn = Callable[[Someone], Client]
LOGIN = "/accounts/login/"
SET_UP = "/accounts/2fa/totp/activate/"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture(autouse=True)
def no_limits_left_over() -> None:
    cache.clear()


@pytest.fixture
def operator(db: None) -> Someone:
    someone = make_member("acme", "operator")
    someone.user.set_password(PASSWORD)
    someone.user.save()
    return someone


def code(secret: str = SECRET) -> str:
    counter = next(iter(yield_hotp_counters_from_time()))
    return format_hotp_value(hotp_value(secret, counter))


def sign_in(client: Client, someone: Someone, **data: str) -> int:
    form = {"login": someone.user.email, "password": PASSWORD, **data}
    return client.post(LOGIN, form).status_code


def test_a_session_begins_anew_at_sign_in(client: Client, operator: Someone) -> None:
    client.get("/accounts/password/reset/")
    session = client.session
    session["planted"] = "yes"
    session.save()
    before = session.session_key
    assert sign_in(client, operator) == HTTPStatus.FOUND
    assert client.session.session_key != before
    old = Client()
    old.cookies["sessionid"] = str(before)
    assert old.get("/me/").status_code == HTTPStatus.FOUND


def test_language_and_time_zone_come_along(client: Client, operator: Someone) -> None:
    operator.user.language, operator.user.time_zone = "fr", "Europe/Paris"
    operator.user.save()
    sign_in(client, operator)
    assert client.cookies["django_language"].value == "fr"
    assert client.cookies["time_zone"].value == "Europe/Paris"


@pytest.mark.parametrize(
    "wanted", ["https://evil.test/", "//evil.test", "/\\evil.test"]
)
def test_sign_in_leads_nowhere_else(
    client: Client, operator: Someone, wanted: str
) -> None:
    form = {"login": operator.user.email, "password": PASSWORD, "next": wanted}
    assert client.post(LOGIN, form).headers["Location"] == "/"


def test_a_wrong_password_and_an_unknown_person_look_the_same(
    client: Client, operator: Someone
) -> None:
    texts = []
    for email in (operator.user.email, "nobody@acme.test"):
        page = client.post(LOGIN, {"login": email, "password": "wrong password"})
        assert page.status_code == HTTPStatus.OK
        [found] = re.findall(r'errorlist[^>]*"><li>([^<]+)', page.content.decode())
        texts.append(found)
    assert texts[0] == texts[1]


@pytest.mark.lesson("H-05")
def test_guessing_is_slowed_down(client: Client, operator: Someone) -> None:
    for _ in range(10):
        sign_in(client, operator, password="wrong password")
    assert sign_in(client, operator) != HTTPStatus.FOUND
    assert client.get("/me/").status_code == HTTPStatus.FOUND


def test_nobody_signs_up(client: Client) -> None:
    page = client.get("/accounts/signup/")
    assert "made by an admin" in page.content.decode()
    words = {"email": "x@acme.test", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", words)
    assert client.get("/me/").status_code == HTTPStatus.FOUND


def test_the_admin_has_no_sign_in_of_its_own(client: Client, operator: Someone) -> None:
    form = {"username": operator.user.email, "password": PASSWORD}
    answer = client.post("/admin/login/", form)
    assert answer.status_code == HTTPStatus.FOUND
    assert answer.headers["Location"].startswith(LOGIN)
    assert client.get("/me/").status_code == HTTPStatus.FOUND
    sign_in(client, operator)
    assert client.get("/admin/login/").headers["Location"] == "/admin/"
    assert client.get("/admin/").status_code == HTTPStatus.OK


class TestRequiredSecondFactor:
    """Where the deployment asks for one."""

    @pytest.fixture(autouse=True)
    def _required(self, settings: Settings) -> None:
        settings.MFA_REQUIRED = True

    @pytest.mark.parametrize("where", ["/", "/me/", "/admin/", "/settings/model/"])
    def test_who_has_none_is_sent_to_set_one_up(
        self, operator: Someone, where: str
    ) -> None:
        client = Client()
        sign_in(client, operator)
        answer = client.get(where)
        assert answer.headers["Location"].startswith(SET_UP)

    def test_scripts_hear_it_as_json(self, operator: Someone) -> None:
        client = Client()
        sign_in(client, operator)
        for path in ("/me/", "/api/v1/me"):
            answer = client.get(path, headers={"X-Requested-With": "fetch"})
            assert answer.status_code == HTTPStatus.FORBIDDEN
            [error] = answer.json()["errors"]
            assert error["code"] == "second_factor_required"

    def test_a_token_is_a_factor_of_its_own(self, operator: Someone) -> None:
        _token, secret = make_token(operator)
        answer = Client().get(
            "/api/v1/me", headers={"Authorization": f"Bearer {secret}"}
        )
        assert answer.status_code == HTTPStatus.OK

    def test_sign_out_and_language_stay_open(self, operator: Someone) -> None:
        client = Client()
        sign_in(client, operator)
        client.post("/language/", {"language": "fr"})
        assert client.cookies["django_language"].value == "fr"
        client.post("/accounts/logout/")
        assert client.get("/me/").headers["Location"].startswith(LOGIN)

    @pytest.mark.django_db(transaction=True)
    def test_setting_one_up_opens_the_door(self, operator: Someone) -> None:
        client = Client()
        sign_in(client, operator)
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        client.get(SET_UP)
        secret = client.session["mfa.totp.secret"]
        done = client.post(SET_UP, {"code": code(secret)})
        assert done.status_code == HTTPStatus.FOUND
        assert Authenticator.objects.filter(user=operator.user, type="totp").exists()
        assert client.get("/me/").status_code == HTTPStatus.OK

    def test_a_session_without_it_is_asked_for_it(self, operator: Someone) -> None:
        client = Client()
        sign_in(client, operator)
        TOTP.activate(operator.user, SECRET)
        assert get_adapter().is_mfa_enabled(operator.user)
        answer = client.get("/admin/")
        assert answer.headers["Location"].startswith("/accounts/2fa/reauthenticate/")
        client.post("/accounts/2fa/reauthenticate/", {"code": code()})
        assert client.get("/admin/").status_code == HTTPStatus.OK

    def test_sign_in_asks_for_the_code(self, operator: Someone) -> None:
        TOTP.activate(operator.user, SECRET)
        client = Client()
        sign_in(client, operator)
        assert client.get("/me/").headers["Location"].startswith(LOGIN)
        client.post("/accounts/2fa/authenticate/", {"code": "000000"})
        assert client.get("/me/").headers["Location"].startswith(LOGIN)
        client.post("/accounts/2fa/authenticate/", {"code": code()})
        assert client.get("/me/").status_code == HTTPStatus.OK
