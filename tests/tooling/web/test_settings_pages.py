"""The settings pages, as a person with a browser meets them."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.support.api import Someone, make_member, make_token
from tooling.models import Features, Membership, PersonalToken, Preset, User
from tooling.services.tokens import digest_of

pytestmark = pytest.mark.django_db
SignIn = Callable[[Someone], Client]
SETTINGS = "/t/acme/settings"


def token_form(page: str) -> dict[str, object]:
    found = re.search(r'name="token_id" value="([0-9a-f-]{36})"', page)
    assert found is not None
    return {"token_id": found[1], "name": "nightly", "days": 7, "scopes": ["read"]}


def test_a_secret_is_shown_once_with_a_command_that_fits(
    member: Someone, signed_in: SignIn
) -> None:
    client = signed_in(member)
    form = token_form(client.get(f"{SETTINGS}/tokens/").content.decode())
    page = client.post(f"{SETTINGS}/tokens/", form).content.decode()
    found = re.search(r"dlg_[a-z0-9]{8}_[\w-]{43}", page)
    assert found is not None
    secret = found[0]
    assert PersonalToken.objects.get().digest == digest_of(secret)
    assert f"Authorization: Bearer {secret}" in page
    assert "http://testserver/api/v1/t/acme/conversations" in page
    assert secret not in client.get(f"{SETTINGS}/tokens/").content.decode()
    repeated = client.post(f"{SETTINGS}/tokens/", form, follow=True)
    assert "dlg_" in repeated.content.decode()
    assert secret not in repeated.content.decode()
    assert PersonalToken.objects.count() == 1


def test_the_token_form_offers_what_the_role_has(
    member: Someone, signed_in: SignIn
) -> None:
    client = signed_in(member)
    page = client.get(f"{SETTINGS}/tokens/").content.decode()
    assert 'value="converse"' in page
    assert "decisions:decide" not in page
    form = {**token_form(page), "scopes": ["decisions:decide"]}
    assert client.post(f"{SETTINGS}/tokens/", form).status_code == HTTPStatus.OK
    assert not PersonalToken.objects.exists()


def test_one_sees_and_revokes_ones_own_tokens_alone(
    member: Someone, admin: Someone, signed_in: SignIn
) -> None:
    own, _secret = make_token(member, name="mine")
    other, _secret = make_token(admin, name="theirs")
    client = signed_in(member)
    page = client.get(f"{SETTINGS}/tokens/").content.decode()
    assert "mine" in page
    assert "theirs" not in page
    client.post(f"{SETTINGS}/tokens/{own.pk}/revoke/")
    answer = client.post(f"{SETTINGS}/tokens/{other.pk}/revoke/")
    assert answer.status_code == HTTPStatus.NOT_FOUND
    own.refresh_from_db()
    other.refresh_from_db()
    assert own.revoked_at is not None
    assert other.revoked_at is None


def test_an_admin_adds_somebody_who_then_chooses_a_password(
    admin: Someone, signed_in: SignIn
) -> None:
    page = signed_in(admin).post(
        f"{SETTINGS}/members/add/", {"email": "new@acme.test", "role": "operator"}
    )
    found = re.search(
        r"http://testserver(/accounts/password/reset/key/[^<\s]+)",
        page.content.decode(),
    )
    assert found is not None
    visitor = Client()
    form = visitor.get(found[1], follow=True)
    path = form.request["PATH_INFO"]
    words = "plum orchard gate 7"
    done = visitor.post(path, {"password1": words, "password2": words})
    assert done.status_code == HTTPStatus.FOUND
    assert User.objects.get(email="new@acme.test").check_password(words)
    assert visitor.get("/me/").status_code == HTTPStatus.OK
    again = Client().get(found[1], follow=True)
    assert "password1" not in again.content.decode()


def test_members_may_look_and_not_touch(
    member: Someone, admin: Someone, signed_in: SignIn
) -> None:
    client = signed_in(member)
    page = client.get(f"{SETTINGS}/members/").content.decode()
    assert admin.user.email in page
    assert "<select" not in page
    key = Membership.objects.get(user=admin.user).pk
    for path, data in (
        ("add", {"email": "x@acme.test", "role": "admin"}),
        (f"{key}/role", {"role": "viewer"}),
        (f"{key}/remove", {}),
        (f"{key}/link", {}),
    ):
        answer = client.post(f"{SETTINGS}/members/{path}/", data)
        assert answer.status_code == HTTPStatus.FORBIDDEN, path
    assert Membership.objects.count() == 2
    assert Membership.objects.get(user=admin.user).role == "admin"


def test_the_last_admin_hears_why(admin: Someone, signed_in: SignIn) -> None:
    client = signed_in(admin)
    key = Membership.objects.get(user=admin.user).pk
    answer = client.post(
        f"{SETTINGS}/members/{key}/role/", {"role": "viewer"}, follow=True
    )
    assert "needs an admin" in answer.content.decode()
    assert Membership.objects.get(pk=key).role == "admin"


@pytest.mark.promise("D52")
def test_only_an_admin_changes_the_features(
    admin: Someone, member: Someone, signed_in: SignIn
) -> None:
    path = f"{SETTINGS}/features/"
    shown = signed_in(member).get(path).content.decode()
    assert "DIALOGUE_INPROCESSTOOLS_WRITEENABLED" in shown
    assert "Only an admin" in shown
    refused = signed_in(member).post(path, {"write_tools": "on"})
    assert refused.status_code == HTTPStatus.FORBIDDEN
    assert not Features.objects.exists()
    signed_in(admin).post(path, {"write_tools": "on"})
    assert Features.objects.get().write_tools
    signed_in(admin).post(path, {})
    assert not Features.objects.get().write_tools


@pytest.mark.promise("D49")
@pytest.mark.parametrize("switch", [True, False])
def test_the_features_screen_tells_the_switch_and_never_sets_it(
    admin: Someone, signed_in: SignIn, settings: Settings, switch: bool
) -> None:
    settings.WRITE_TOOLS_SERVED = switch
    page = signed_in(admin).get(f"{SETTINGS}/features/").content.decode()
    assert ("badge--warn" in page) is not switch
    assert 'name="switch' not in page


def test_the_model_page_is_for_staff_and_says_what_the_planner_is(
    staff: Someone, member: Someone, signed_in: SignIn
) -> None:
    page = signed_in(staff).get("/settings/model/").content.decode()
    assert "not a language model" in page
    assert "DIALOGUE_LLM_KIND=sidecar" in page
    refused = signed_in(member)
    for path in ("/settings/model/", f"/settings/model/{uuid.uuid4()}/"):
        assert refused.get(path).status_code == HTTPStatus.FORBIDDEN
        assert refused.post(path, {}).status_code == HTTPStatus.FORBIDDEN
    assert refused.post("/settings/model/test/").status_code == HTTPStatus.FORBIDDEN


def test_staff_keep_presets(staff: Someone, signed_in: SignIn) -> None:
    client = signed_in(staff)
    values = {
        "name": "main",
        "backend": "sidecar",
        "model": "local",
        "base_url": "http://127.0.0.1:9/v1",
        "key_env": "",
    }
    client.post("/settings/model/", values)
    preset = Preset.objects.get()
    assert (preset.model, preset.is_default) == ("local", False)
    refused = client.post("/settings/model/", {**values, "key_env": "sk-secretsecret"})
    assert "never the key" in refused.content.decode()
    client.post(f"/settings/model/{preset.pk}/", {**values, "is_default": "on"})
    assert Preset.objects.get().is_default
    client.post(f"/settings/model/{preset.pk}/delete/")
    assert not Preset.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_connection_test_names_the_step_that_failed(
    staff: Someone, signed_in: SignIn
) -> None:
    Preset.objects.create(
        name="down", backend="sidecar", model="m", base_url="http://127.0.0.1:9/v1"
    )
    page = signed_in(staff).post("/settings/model/test/", {"preset": "down"})
    text = page.content.decode()
    assert "It does not work" in text
    assert "connect: " in text


@pytest.mark.django_db(transaction=True)
def test_a_connection_test_of_the_planner_works(
    staff: Someone, signed_in: SignIn
) -> None:
    page = signed_in(staff).post("/settings/model/test/")
    assert "It works" in page.content.decode()


def test_home_leads_to_the_one_team_or_lets_choose(
    member: Someone, signed_in: SignIn
) -> None:
    client = signed_in(member)
    assert client.get("/").headers["Location"] == "/t/acme/"
    other = make_member("globex", "viewer")
    Membership.objects.create(tenant=other.tenant, user=member.user, role="viewer")
    page = client.get("/").content.decode()
    assert 'href="/t/acme/"' in page
    assert 'href="/t/globex/"' in page
    Membership.objects.filter(user=member.user).delete()
    assert "not in a team yet" in client.get("/").content.decode()
