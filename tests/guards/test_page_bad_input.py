"""Nothing that a browser sends to a page is a fault of ours, or leaves half a row."""

from __future__ import annotations

import inspect
import re
import sys
import uuid
from functools import cache
from typing import Any
from urllib.parse import quote

import pytest
from django.apps import apps
from django.test import Client

from tests.support.addresses import Address, all_addresses
from tests.support.api import make_member
from tests.support.rows import Ids, parts_of, team_with_every_row

pytestmark = pytest.mark.django_db(transaction=True)

FORM = "application/x-www-form-urlencoded"
# As they stand on the wire: NUL, a lone surrogate, half a character, numbers that
# are none, what reads as nothing, keys of no row, and far too much.
BAD = {
    "nul": "a%00b",
    "surrogate": "a%ED%A0%BDb",
    "half": "%C3",
    "empty": "",
    "blank": "%E2%80%AE%E2%80%8B",
    "minus": "-1",
    "digits": "9" * 5000,
    "arabic": "%D9%A3",
    "json": quote('{"a": [1], "a": 2}'),
    "deep": quote("[" * 5000),
    "key": str(uuid.uuid4()),
    "markup": quote("<script>alert(1)</script>' OR 1=1 --"),
    "long": "x" * 200_000,
}
IN_ADDRESS = [name for name in BAD if name != "long"]
_READ = re.compile(r"(?:POST|GET|QUERY|fields|data)(?:\.get(?:list)?\(|\[)\s*\"(\w+)\"")
_FIELD = re.compile(r"^\s{4}(\w+) = forms\.\w+Field", re.MULTILINE)
# What pages leave of themselves whatever is sent: sessions, messages, leases.
TRACES = {"Session", "Lease", "PersonalToken", "IdempotencyRecord", "AuditEntry"}
DISTINCT = 8


def pages() -> list[Address]:
    """Return the addresses of a team's pages."""
    return [
        address
        for address in all_addresses()
        if "tenant" in address.names
        and not address.route.startswith("api/")
        and not address.route.endswith("events")
    ]


def route_of(address: Address) -> str:
    """Return what a test of this address is called."""
    return address.route


@cache
def field_names(address: Address) -> tuple[str, ...]:
    """Return the names that a view's module, and the forms it uses, read."""
    view = inspect.unwrap(address.view)
    module = inspect.getmodule(view)
    assert module is not None
    sources = [inspect.getsource(module)]
    for part in ("forms", "queries"):
        beside = sys.modules.get(f"{module.__name__.rpartition('.')[0]}.{part}")
        if beside is not None:
            sources.append(inspect.getsource(beside))
    text = "\n".join(sources)
    names = {*_READ.findall(text), *_FIELD.findall(text), "text", "cursor"}
    return tuple(sorted(names))


@pytest.fixture
def ids() -> Ids:
    return team_with_every_row("acme")


@pytest.fixture
def client(ids: Ids) -> Client:
    admin = make_member("acme", "admin")
    admin.user.is_staff = True
    admin.user.save()
    client = Client(raise_request_exception=False)
    client.force_login(admin.user)
    return client


def rows() -> dict[str, int]:
    """Return how many rows each table has, traces apart."""
    return {
        model.__name__: model._default_manager.count()  # noqa: SLF001 -- public in Django
        for model in apps.get_models()
        if model.__name__ not in TRACES
    }


def check(answer: Any, sent: str) -> None:
    assert answer.status_code < 500, f"{sent}: {answer.status_code}"
    if not answer.streaming:
        assert b"<script>alert(1)" not in answer.content, f"{sent} came back raw"


@pytest.mark.case("A19")
@pytest.mark.lesson("chat-R30")
@pytest.mark.parametrize("address", pages(), ids=route_of)
def test_addresses_with_bad_queries(address: Address, client: Client, ids: Ids) -> None:
    path = address.path(parts_of(address, "acme", ids))
    before = rows()
    for name in IN_ADDRESS:
        query = "&".join(f"{field}={BAD[name]}" for field in field_names(address))
        check(client.get(f"{path}?{query[:60_000]}"), f"GET {address.route} {name}")
    assert rows() == before, "a GET made or removed rows"


@pytest.mark.case("A19")
@pytest.mark.lesson("chat-R30")
@pytest.mark.parametrize("address", pages(), ids=route_of)
def test_forms_with_bad_fields(address: Address, client: Client, ids: Ids) -> None:
    path = address.path(parts_of(address, "acme", ids))
    fields = field_names(address)
    for name, value in BAD.items():
        body = "&".join(f"{field}={value}" for field in fields[:DISTINCT])
        answer = client.generic("POST", path, body, FORM)
        check(answer, f"POST {address.route} {name}")
    # One bad field among sound ones gets past the first check that there is.
    for field in fields:
        for name in ("nul", "digits"):
            sound = "&".join(f"{each}=Planning" for each in fields if each != field)
            body = f"{field}={BAD[name]}&{sound}"
            answer = client.generic("POST", path, body, FORM)
            check(answer, f"POST {address.route} {field}={name}")


@pytest.mark.parametrize("body", [b"\xff\xfe", b"%", b"=&=&", b"a" * 100_000])
def test_bodies_that_are_no_form(client: Client, ids: Ids, body: bytes) -> None:
    for address in pages():
        path = address.path(parts_of(address, "acme", ids))
        for kind in (FORM, "application/json", "multipart/form-data; boundary=x"):
            answer = client.generic("POST", path, body, kind)
            check(answer, f"{address.route} {kind}")


@pytest.mark.lesson("chat-R30")
@pytest.mark.parametrize("key", ["1", "%00", "x" * 300, "%ED%A0%BD", "..%2f..%2f"])
def test_keys_that_are_none(client: Client, ids: Ids, key: str) -> None:
    for address in pages():
        names = [n for n in address.names if n.endswith("_id")]
        if names:
            mark = uuid.uuid4()
            values = {**parts_of(address, "acme", ids), **dict.fromkeys(names, mark)}
            path = address.path(values).replace(str(mark), key)
            for method in ("GET", "POST"):
                answer = client.generic(method, path, b"", FORM)
                assert answer.status_code in (400, 404), f"{method} {path}"


ADMIN_QUERIES = (
    *("status__exact=%00", "q=%00", "q=a%ED%A0%BD", "p=%00", "p=" + "9" * 40, "o=%00"),
    *("state=%00", "cursor=%00", "cursor=x", "tenant=%00", "_to_field=%00", "e=1"),
    *("id__exact=1", "payload__title=x", "password__startswith=a", "all=%00"),
    "q=" + "a+" * 2000,
)


@pytest.mark.parametrize("query", ADMIN_QUERIES, ids=lambda query: query[:20])
def test_the_admin_takes_any_query(client: Client, ids: Ids, query: str) -> None:
    index = client.get("/admin/").content.decode()
    lists = sorted(set(re.findall(r'href="(/admin/\w+/\w+/)"', index)))
    assert lists
    for path in lists:
        check(client.get(f"{path}?{query}"), f"{path}?{query[:60]}")


def test_the_walk_finds_pages_and_their_fields() -> None:
    found = {address.route: field_names(address) for address in pages()}
    assert len(found) > 25
    assert {"text", "client_key"} <= set(
        found["t/<slug:tenant>/c/<uuid:conversation_id>/send"]
    )
    assert {"title", "objective", "tasks"} <= set(
        found["t/<slug:tenant>/proposals/new"]
    )
