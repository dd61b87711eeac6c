"""The role matrix, written out by hand: what the code says must be this."""

from __future__ import annotations

import itertools
import uuid
from importlib import import_module

import pytest
from django.conf import settings

from tooling.api.views import TenantAPIView
from tooling.errors import NotAllowed
from tooling.policy import (
    Act,
    Principal,
    PrincipalKind,
    Scope,
    allows,
    person_of,
    require,
    scopes_of_role,
)
from tooling.roles import Role

pytestmark = [
    pytest.mark.shape("embedded", reason="pure"),
    pytest.mark.promise("D66"),
]

#         viewer member operator admin
TABLE = {
    Act.READ: "yes yes yes yes",
    Act.CONVERSE: "no yes yes yes",
    Act.RAISE: "no yes yes yes",
    Act.TRIAGE: "no no yes yes",
    Act.DECIDE: "no no yes yes",
    Act.PUBLISH: "no no yes yes",
    Act.RUN: "no no yes yes",
    Act.RUN_ONCE: "no yes yes yes",
    Act.GRANT: "no no yes yes",
    Act.REVOKE: "no no yes yes",
    Act.FEATURES: "no no no yes",
    Act.MEMBERS: "no no no yes",
    Act.TOKENS: "yes yes yes yes",
}
SCOPE_FOR = {
    Act.READ: Scope.READ,
    Act.CONVERSE: Scope.CONVERSE,
    Act.RAISE: Scope.CONVERSE,
    Act.TRIAGE: Scope.MANAGE,
    Act.DECIDE: Scope.DECIDE,
    Act.PUBLISH: Scope.MANAGE,
    Act.RUN: Scope.MANAGE,
    Act.RUN_ONCE: None,
    Act.GRANT: None,
    Act.REVOKE: Scope.MANAGE,
    Act.FEATURES: None,
    Act.MEMBERS: None,
    Act.TOKENS: None,
}
AT_A_PAGE = {Act.RUN_ONCE, Act.GRANT}
ROLES = ["viewer", "member", "operator", "admin"]
CELLS = [
    (act, role, word == "yes")
    for act, row in TABLE.items()
    for role, word in zip(ROLES, row.split(), strict=True)
]


def who(
    kind: PrincipalKind, role: str, scopes: frozenset[str] = frozenset()
) -> Principal:
    return Principal(kind, uuid.uuid4(), uuid.uuid4(), role, scopes)


def test_the_table_is_whole() -> None:
    assert set(TABLE) == set(Act) == set(SCOPE_FOR)
    assert set(ROLES) == set(Role.values)


@pytest.mark.parametrize(("act", "role", "allowed"), CELLS)
@pytest.mark.parametrize("kind", [PrincipalKind.SESSION, PrincipalKind.COMMAND])
def test_a_person_may_what_the_table_says(
    kind: PrincipalKind, act: Act, role: str, allowed: bool
) -> None:
    principal = who(kind, role)
    # What only somebody at a page does, a command does for nobody.
    allowed = allowed and (kind is PrincipalKind.SESSION or act not in AT_A_PAGE)
    assert allows(principal, act) is allowed
    if allowed:
        require(principal, act)
    else:
        with pytest.raises(NotAllowed):
            require(principal, act)


@pytest.mark.parametrize(("act", "role", "allowed"), CELLS)
def test_a_token_may_what_role_and_scope_both_say(
    act: Act, role: str, allowed: bool
) -> None:
    sets = itertools.chain.from_iterable(
        itertools.combinations(Scope.values, size) for size in range(5)
    )
    for scopes in map(frozenset, sets):
        principal = who(PrincipalKind.TOKEN, role, scopes)
        wanted = SCOPE_FOR[act]
        held = wanted is not None and wanted.value in scopes
        # Whatever a token is for, it may look at what it is used on.
        looks = act is Act.READ and bool(scopes)
        expected = allowed and (held or looks)
        assert allows(principal, act) is expected, (act, role, scopes)


@pytest.mark.parametrize("act", list(Act))
@pytest.mark.parametrize("kind", [PrincipalKind.MODEL, PrincipalKind.SYSTEM])
def test_neither_a_model_nor_the_system_has_any_right(
    kind: PrincipalKind, act: Act
) -> None:
    everything = frozenset(Scope.values)
    assert not allows(who(kind, "admin", everything), act)
    with pytest.raises(NotAllowed):
        person_of(who(kind, "admin", everything))


@pytest.mark.parametrize("role", ["", "owner", "ADMIN", "staff"])
def test_an_unknown_role_has_no_right(role: str) -> None:
    for act in Act:
        assert not allows(who(PrincipalKind.SESSION, role), act)


def test_nobody_in_particular_has_no_right() -> None:
    nobody = Principal(PrincipalKind.SESSION, uuid.uuid4(), None, "admin")
    assert not any(allows(nobody, act) for act in Act)


def test_scopes_of_a_role_are_those_that_open_something() -> None:
    assert scopes_of_role("viewer") == {"read"}
    assert scopes_of_role("member") == {"read", "converse"}
    assert scopes_of_role("operator") == set(Scope.values)
    assert scopes_of_role("admin") == set(Scope.values)
    assert scopes_of_role("nobody") == set()


def test_the_scope_manage_is_called_by_what_it_opens() -> None:
    import_module(settings.ROOT_URLCONF)
    asked = _acts_of_views(TenantAPIView)
    opened = {act for act in asked if SCOPE_FOR[act] is Scope.MANAGE}
    assert opened == {Act.PUBLISH, Act.TRIAGE, Act.REVOKE}
    label = str(Scope.MANAGE.label)
    assert label == (
        "Edit and publish workflow drafts, dismiss suggestions, revoke grants"
    )


def _acts_of_views(base: type[TenantAPIView]) -> set[Act]:
    found = set(base.acts.values())
    for view in base.__subclasses__():
        found |= _acts_of_views(view)
    return found
