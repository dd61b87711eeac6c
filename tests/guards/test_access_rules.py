"""Every address says who may open it; every admin page turns a plain member away."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import UUIDConverter

from tests.support.api import make_member
from tooling.policy import Act

RULES = {"public", "signed_in", "staff", "tenant"} | {f"tenant:{act}" for act in Act}
# Sign-in has its own rules, and stands before every other one.
SIGN_IN = "allauth."
ADMIN = "admin/"
EMPTY_QUEUE = "Decisions queue"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A route with its view, and the pattern by which it is reversed."""

    route: str
    pattern: URLPattern
    namespaces: tuple[str, ...]

    @property
    def view(self) -> Any:
        return self.pattern.callback


def leaves() -> list[Leaf]:
    return list(_walk(get_resolver().url_patterns, "", ()))


def _walk(
    patterns: list[URLPattern | URLResolver], before: str, spaces: tuple[str, ...]
) -> Iterator[Leaf]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = (*spaces, pattern.namespace) if pattern.namespace else spaces
            yield from _walk(pattern.url_patterns, route, inner)
        else:
            yield Leaf(route, pattern, spaces)


def admin_leaves() -> list[Leaf]:
    return [leaf for leaf in leaves() if leaf.route.startswith(ADMIN)]


def ruled_leaves() -> list[Leaf]:
    return [
        leaf
        for leaf in leaves()
        if not leaf.route.startswith(ADMIN)
        and not leaf.view.__module__.startswith(SIGN_IN)
    ]


def test_there_is_something_to_look_at() -> None:
    assert len(ruled_leaves()) > 20
    assert len(admin_leaves()) > 5


@pytest.mark.parametrize("leaf", ruled_leaves(), ids=lambda leaf: leaf.route or "/")
def test_every_address_has_an_access_rule(leaf: Leaf) -> None:
    rule = getattr(leaf.view, "access_rule", None)
    assert rule in RULES, f"{leaf.route}: {leaf.view} names no access rule"
    if "tenant>" in leaf.route:
        assert rule.startswith("tenant"), f"{leaf.route} is a tenant's, and {rule}"


def admin_paths() -> list[str]:
    return sorted({path for leaf in admin_leaves() if (path := _admin_path(leaf))})


def _admin_path(leaf: Leaf) -> str:
    return _path(leaf) if leaf.pattern.name else ""


def _path(leaf: Leaf, **known: str) -> str:
    """Return a path at which the route answers, with made-up parts."""
    route = leaf.pattern.pattern
    values = {
        name: uuid.uuid4() if isinstance(converter, UUIDConverter) else "1"
        for name, converter in route.converters.items()
    }
    # Named groups of a plain regular expression: the admin's list of one app.
    values |= dict.fromkeys(route.regex.groupindex.keys() - values.keys(), "decisions")
    name = ":".join((*leaf.namespaces, str(leaf.pattern.name)))
    return reverse(name, kwargs=values | known)


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["viewer", "member"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_every_admin_page_refuses_whoever_may_not_decide(
    role: str, method: str
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(make_member("acme", role).user)
    for path in admin_paths():
        answer = getattr(client, method)(path, follow=True)
        assert answer.status_code == HTTPStatus.FORBIDDEN, f"{method} {path}"
        assert EMPTY_QUEUE not in answer.content.decode()


@pytest.mark.django_db
def test_every_admin_page_sends_a_stranger_to_the_one_sign_in_page(
    client: Client,
) -> None:
    for path in admin_paths():
        answer = client.get(path, follow=True)
        assert answer.request["PATH_INFO"] == reverse("account_login"), path


@pytest.mark.django_db
def test_pages_of_a_tenant_send_a_stranger_to_sign_in(client: Client) -> None:
    for leaf in ruled_leaves():
        if not leaf.route.startswith("t/<slug:tenant>/"):
            continue
        path = _path(leaf, tenant="acme")
        answer = client.get(path)
        if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            answer = client.post(path)
        if answer.status_code != HTTPStatus.UNAUTHORIZED:  # a stream says it so
            assert answer.status_code == HTTPStatus.FOUND, path
            assert answer.headers["Location"].startswith(reverse("account_login"))
