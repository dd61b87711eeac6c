"""Nothing that a caller sends to the REST API is a fault of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.support.addresses import Address, all_addresses
from tests.support.api import make_member, make_token
from tests.support.rows import Ids, parts_of, team_with_every_row
from tooling.api.docs import openapi_document

pytestmark = pytest.mark.django_db(transaction=True)

# As JSON text: escapes reach the server as they stand here.
BAD_VALUES = (
    *(r'"\u0000"', r'"\ud83d"', r'{"\u0000": 1}', r'["\udc00"]', r'"\u202e\u200b"'),
    *('""', "null", "true", "-1", "0", "1e400", "NaN", "9007199254740993", "1.5"),
    *("[]", "{}", "[[]]", '[{"a": 1}]', "9" * 30, "9" * 5000),
    '"' + "x" * 300_000 + '"',
    "[" * 40 + "]" * 40,
)
BAD_BODIES = (
    b"",
    b"{",
    b"[]",
    b"null",
    b'"x"',
    b"\xff",
    b"[" * 60_000,
    b'{"a":1,"a":2}',
)
BAD_QUERY = ("%00", "9" * 40, "-1", "%D9%A3", "x" * 3000, "%25%27%5C", "true", "")


def addresses(*methods: str) -> list[Any]:
    """Return (address, method) of the API's own views, without the stream."""
    return [
        pytest.param(address, method, id=f"{method} {address.route}")
        for address in all_addresses()
        if address.route.startswith("api/") and "tenant" in address.names
        for method in getattr(getattr(address.view, "cls", None), "acts", ())
        if method in methods
    ]


@pytest.fixture
def ids() -> Ids:
    return team_with_every_row("acme")


@pytest.fixture
def client(ids: Ids) -> Client:
    admin = make_member("acme", "admin")
    return Client(headers={"Authorization": f"Bearer {make_token(admin)[1]}"})


def operation(address: Address, method: str) -> dict[str, Any]:
    document = json.loads(openapi_document())
    path = address.path({name: f"{{{name}}}" for name in address.names})
    found: dict[str, Any] = document["paths"][path][method.lower()]
    content = (
        found.get("requestBody", {}).get("content", {}).get("application/json", {})
    )
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    found["body"] = (
        document["components"]["schemas"].get(name, {}).get("properties", {})
    )
    return found


def check(response: Any, sent: str) -> None:
    """A success, or an error of the one shape that is the caller's."""
    assert response.status_code < 500, f"{sent[:200]}: {response.content[:300]}"
    if response.status_code >= 400:
        body = response.json()
        assert body["type"] in {"validation_error", "client_error"}
        assert all(set(each) == {"code", "detail", "attr"} for each in body["errors"])


@pytest.mark.parametrize(("address", "method"), addresses("GET"))
def test_queries(address: Address, method: str, client: Client, ids: Ids) -> None:
    path = address.path(parts_of(address, "acme", ids))
    parameters = operation(address, method).get("parameters", [])
    for name in (each["name"] for each in parameters if each["in"] == "query"):
        for value in BAD_QUERY:
            check(client.get(f"{path}?{name}={value}"), f"{name}={value}")


@pytest.mark.parametrize(
    ("address", "method"), addresses("POST", "PUT", "PATCH", "DELETE")
)
def test_bodies(address: Address, method: str, client: Client, ids: Ids) -> None:
    path = address.path(parts_of(address, "acme", ids))
    for raw in BAD_BODIES:
        response = client.generic(method, path, raw, "application/json")
        check(response, repr(raw[:80]))
    properties = operation(address, method)["body"]
    sound = {name: plausible(schema) for name, schema in properties.items()}
    for field in properties:
        for bad in BAD_VALUES:
            members = {name: json.dumps(value) for name, value in sound.items()}
            members[field] = bad
            text = ", ".join(f'"{name}": {value}' for name, value in members.items())
            response = client.generic(method, path, f"{{{text}}}", "application/json")
            check(response, f"{field}: {bad}")


def plausible(schema: dict[str, Any]) -> Any:
    """Return a value that fits a schema well enough to get past its check."""
    if "enum" in schema:
        return schema["enum"][0]
    kinds = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    return kinds.get(schema.get("type", "string"), "Planning")


def test_the_walk_finds_the_operations() -> None:
    assert len(addresses("GET")) >= 8
    assert len(addresses("POST", "PATCH")) >= 8
