"""Each method of the REST API has an act, and answers to the roles that have it."""

from __future__ import annotations

import json
import uuid

import pytest
from django.test import Client

from tests.support.addresses import Address, all_addresses
from tests.support.api import make_member, make_token
from tooling.api.views import TenantAPIView
from tooling.policy import MATRIX, Act, PrincipalKind, Scope, allows
from tooling.roles import Role

RULES = {"public", "signed_in", "staff", "tenant"}


def api_addresses() -> list[Address]:
    return [each for each in all_addresses() if each.route.startswith("api/")]


def of_teams() -> list[tuple[Address, type[TenantAPIView]]]:
    """Return the addresses whose view names acts; the event stream checks its own."""
    found = [(each, getattr(each.view, "cls", None)) for each in api_addresses()]
    return [
        (address, view)
        for address, view in found
        if isinstance(view, type) and issubclass(view, TenantAPIView)
    ]


def test_every_address_has_a_rule() -> None:
    for address in api_addresses():
        rule = getattr(address.view, "access_rule", "")
        assert rule.partition(":")[0] in RULES, address.route
        assert ("tenant" in address.names) == rule.startswith("tenant"), address.route


def test_every_method_has_an_act_and_every_act_a_method() -> None:
    assert len(of_teams()) > 8
    for address, view in of_teams():
        methods = {
            name.upper()
            for name in ("get", "post", "put", "patch", "delete")
            if hasattr(view, name)
        }
        assert set(view.acts) == methods, address.route
        for method, act in view.acts.items():
            reads = act is Act.READ
            assert reads == (method == "GET"), f"{method} {address.route}"


def ask(client: Client, address: Address, method: str) -> tuple[int, set[str]]:
    ids = {name: uuid.uuid4() for name in address.names}
    path = address.path({**ids, "tenant": "acme"})
    answer = client.generic(method, path, json.dumps({}), "application/json")
    codes: set[str] = set()
    if answer.status_code >= 400:
        codes = {error["code"] for error in answer.json()["errors"]}
    return answer.status_code, codes


@pytest.mark.django_db
@pytest.mark.parametrize("role", Role.values)
def test_roles(role: str) -> None:
    client = Client()
    client.force_login(make_member("acme", role).user)
    for address, view in of_teams():
        for method, act in view.acts.items():
            status, codes = ask(client, address, method)
            may = role in MATRIX[act]
            refused = status == 403 and "not_allowed" in codes
            assert refused != may, f"{role} {method} {address.route}: {status} {codes}"


@pytest.mark.django_db
@pytest.mark.parametrize("scope", Scope.values)
def test_scopes(scope: str) -> None:
    admin = make_member("acme", Role.ADMIN)
    # Whoever changes a row must be able to find it.
    scopes = [Scope.READ, scope]
    client = Client(
        headers={"Authorization": f"Bearer {make_token(admin, scopes=scopes)[1]}"}
    )
    bearer = type(admin.principal)(
        PrincipalKind.TOKEN,
        admin.tenant.pk,
        admin.user.pk,
        Role.ADMIN,
        frozenset(scopes),
    )
    for address, view in of_teams():
        for method, act in view.acts.items():
            status, codes = ask(client, address, method)
            refused = status == 403 and "scope_missing" in codes
            may = allows(bearer, act)
            assert refused != may, f"{scope} {method} {address.route}: {status} {codes}"
