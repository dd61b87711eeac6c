"""What holds on every page: access, errors, headers, language."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from config.urls import urlpatterns as product_urls
from tests.support.api import Someone, make_member
from tooling.errors import Conflict, NotFound
from tooling.models import User
from tooling.policy import Act
from tooling.web.tenant import async_tenant_view, public_view, tenant_view

pytestmark = pytest.mark.django_db
SignIn = Callable[[Someone], Client]


@tenant_view()
def conflicting(request: HttpRequest) -> HttpResponse:
    raise Conflict(extra={"who": "Alice"})


@tenant_view()
def missing(request: HttpRequest) -> HttpResponse:
    raise NotFound


@tenant_view()
def broken(request: HttpRequest) -> HttpResponse:
    message = "a fault of ours"
    raise RuntimeError(message)


@async_tenant_view(act=Act.DECIDE)
async def waiting(request: HttpRequest) -> HttpResponse:
    return HttpResponse("decided")


handler404 = "tooling.web.errors.page_not_found"
handler500 = "tooling.web.errors.server_error"
urlpatterns = [
    path("t/<slug:tenant>/conflicting/", conflicting),
    path("t/<slug:tenant>/missing/", missing),
    path("t/<slug:tenant>/broken/", broken),
    path("t/<slug:tenant>/waiting/", waiting),
    *product_urls,
]
here = pytest.mark.urls(__name__)


@pytest.mark.lesson("H-05")
def test_a_foreign_team_answers_as_one_that_never_was(
    member: Someone, signed_in: SignIn
) -> None:
    make_member("globex", "admin")
    client = signed_in(member)
    foreign = client.get("/t/globex/settings/members/")
    unknown = client.get("/t/never-was/settings/members/")
    nowhere = client.get("/no/such/page")
    assert foreign.status_code == unknown.status_code == HTTPStatus.NOT_FOUND
    assert foreign.content == unknown.content == nowhere.content


@here
def test_a_missing_row_answers_as_a_missing_page(
    member: Someone, signed_in: SignIn
) -> None:
    client = signed_in(member)
    row = client.get("/t/acme/missing/")
    assert row.status_code == HTTPStatus.NOT_FOUND
    assert row.content == client.get("/t/never-was/missing/").content


def test_a_page_sends_to_sign_in_and_a_script_hears_where(client: Client) -> None:
    page = client.get("/t/acme/settings/members/?a=b")
    assert page.headers["Location"] == (
        "/accounts/login/?next=/t/acme/settings/members/%3Fa%3Db"
    )
    for headers in (
        {"HX-Request": "true"},
        {"X-Requested-With": "fetch"},
        {"Accept": "application/json"},
        {"Accept": "text/event-stream"},
    ):
        answer = client.get("/t/acme/settings/members/", headers=headers)
        assert answer.status_code == HTTPStatus.UNAUTHORIZED
        assert answer.headers["X-Sign-In"] == "/accounts/login/"
        [error] = answer.json()["errors"]
        assert error["code"] == "not_authenticated"


@here
def test_a_refusal_is_a_page_or_json(member: Someone, signed_in: SignIn) -> None:
    client = signed_in(member)
    page = client.get("/t/acme/conflicting/")
    assert page.status_code == HTTPStatus.CONFLICT
    assert "changed in the meantime" in page.content.decode()
    answer = client.get("/t/acme/conflicting/", headers={"HX-Request": "true"})
    assert answer.status_code == HTTPStatus.CONFLICT
    assert answer.json()["errors"][0]["code"] == "conflict"
    assert answer.json()["extra"] == {"who": "Alice"}


@here
def test_a_fault_of_ours_is_a_branded_page(member: Someone, signed_in: SignIn) -> None:
    client = signed_in(member)
    client.raise_request_exception = False
    page = client.get("/t/acme/broken/")
    assert page.status_code == HTTPStatus.INTERNAL_SERVER_ERROR
    assert "Something went wrong here" in page.content.decode()
    assert "a fault of ours" not in page.content.decode()


@here
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("role", "status"), [("operator", HTTPStatus.OK), ("member", HTTPStatus.FORBIDDEN)]
)
def test_an_async_view_has_the_same_rule(
    role: str, status: int, signed_in: SignIn
) -> None:
    client = signed_in(make_member("acme", role))
    assert client.get("/t/acme/waiting/").status_code == status
    assert client.get("/t/globex/waiting/").status_code == HTTPStatus.NOT_FOUND
    assert Client().get("/t/acme/waiting/").status_code == HTTPStatus.FOUND


def test_every_decorator_names_its_rule() -> None:
    assert conflicting.access_rule == "tenant:read"  # type: ignore[attr-defined]
    assert waiting.access_rule == "tenant:decide"  # type: ignore[attr-defined]
    shown = public_view(lambda request: HttpResponse())
    assert shown.access_rule == "public"  # type: ignore[attr-defined]


def test_a_form_without_its_token_is_explained(member: Someone) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(member.user)
    page = client.post("/me/", {})
    assert page.status_code == HTTPStatus.FORBIDDEN
    assert "This form was too old" in page.content.decode()
    answer = client.post("/me/", {}, headers={"X-Requested-With": "fetch"})
    assert answer.json()["errors"][0]["code"] == "csrf"


@pytest.mark.parametrize("where", ["/accounts/login/", "/me/", "/no/such/page"])
def test_the_policy_of_content_is_strict(
    member: Someone, signed_in: SignIn, where: str
) -> None:
    answer = signed_in(member).get(where)
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "no-store" in answer.headers["Cache-Control"]


PAGES = (
    "/accounts/login/",
    "/accounts/password/reset/",
    "/me/",
    "/t/acme/settings/tokens/",
    "/t/acme/settings/members/",
    "/t/acme/settings/features/",
    "/settings/model/",
    "/accounts/password/change/",
    "/accounts/2fa/",
    "/admin/",
    "/no/such/page",
)


@pytest.mark.parametrize("where", PAGES)
def test_no_page_needs_what_the_policy_forbids(
    staff: Someone, signed_in: SignIn, where: str
) -> None:
    client = Client() if "login" in where or "reset" in where else signed_in(staff)
    page = client.get(where).content.decode()
    assert not re.search(r"<[^>]+\s(?:style|on\w+)\s*=", page)
    assert "<style" not in page
    assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", page) == []
    assert re.findall(r'(?:src|href|action)="(?:https?:)?//', page) == []


@pytest.mark.parametrize("where", PAGES)
def test_every_page_names_its_language_and_title(
    staff: Someone, signed_in: SignIn, where: str
) -> None:
    client = Client() if "login" in where or "reset" in where else signed_in(staff)
    client.cookies["django_language"] = "fr"
    page = client.get(where).content.decode()
    assert '<html lang="fr"' in page
    title = re.search(r"<title>\s*([^<]+?)\s*</title>", page)
    assert title is not None
    assert not title[1].startswith("·")
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_the_language_switch_stays_with_browser_and_person(
    member: Someone, signed_in: SignIn
) -> None:
    client = signed_in(member)
    answer = client.post("/language/", {"language": "fr", "next": "/me/"})
    assert answer.headers["Location"] == "/me/"
    assert User.objects.get(pk=member.user.pk).language == "fr"
    page = client.get("/accounts/2fa/")
    assert page.headers["Content-Language"] == "fr"
    assert "deux facteurs" in page.content.decode()


@pytest.mark.parametrize(
    "wanted", ["//evil.test/", "https://evil.test/", "/\\evil.test", "javascript:x", ""]
)
def test_the_language_switch_leads_nowhere_else(client: Client, wanted: str) -> None:
    answer = client.post("/language/", {"language": "en", "next": wanted})
    assert answer.headers["Location"] == "/"


def test_an_unknown_language_changes_nothing(
    member: Someone, signed_in: SignIn
) -> None:
    answer = signed_in(member).post("/language/", {"language": "de", "next": "/"})
    assert "django_language" not in answer.cookies
    assert User.objects.get(pk=member.user.pk).language == ""


def test_foreign_ids_in_addresses_are_404_and_malformed_ones_too(
    admin: Someone, signed_in: SignIn
) -> None:
    client = signed_in(admin)
    for part in (str(uuid.uuid4()), "1", "x" * 300, "%00", "../.."):
        answer = client.post(f"/t/acme/settings/members/{part}/remove/")
        assert answer.status_code == HTTPStatus.NOT_FOUND, part


@pytest.mark.parametrize(
    ("cookie", "expected"),
    [("Europe/Paris", "Europe/Paris"), ("../../etc/passwd", "UTC"), ("", "UTC")],
)
def test_times_are_in_the_zone_of_the_cookie(
    member: Someone, signed_in: SignIn, cookie: str, expected: str
) -> None:
    client = signed_in(member)
    client.cookies["time_zone"] = cookie
    page = client.get("/me/").content.decode()
    assert f'<option value="{expected}" selected>' in page


def test_a_profile_reaches_browser_and_row(member: Someone, signed_in: SignIn) -> None:
    client = signed_in(member)
    form = {"full_name": "Zoé", "language": "fr", "time_zone": "Europe/Paris"}
    assert client.post("/me/", form).headers["Location"] == "/me/"
    assert client.cookies["django_language"].value == "fr"
    assert client.cookies["time_zone"].value == "Europe/Paris"
    user = User.objects.get(pk=member.user.pk)
    assert (user.full_name, user.time_zone) == ("Zoé", "Europe/Paris")
    refused = client.post("/me/", {**form, "time_zone": "Mars/Base"})
    assert refused.status_code == HTTPStatus.OK
    assert User.objects.get(pk=member.user.pk).time_zone == "Europe/Paris"
