"""Every page in French: no English of the catalogue, and no other English, is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse

from tests.guards.french_scene import OWN_WORDS, SLUG, FrenchScene, build_french_scene
from tests.guards.test_access_rules import admin_paths
from tests.support.addresses import Address, all_addresses
from tests.support.catalogue import read_catalogue
from tests.support.seen import texts_of
from tooling.llm.presets import forget_presets

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.promise("L5")]

# The same in both languages, or meant to be read as they are.
# What is sent with each request: nothing of use, so that forms complain.
NOTHING = {"title": "", "text": "", "language": "fr"}
Found = tuple[dict[str, list[str]], int]
IDENTIFIERS = {"Track", "OK", "Dialogue", "Anthropic", "EN", "FR", "English"}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
# Words of English sentences that no French one has.
ENGLISH_WORDS = re.compile(
    r"(?i)\b(?:the|and|of|with|you|your|this|that|is|are|was|not|it|has|have|for|from)\b"
)
# Pages of addresses that name no row of the team.
PUBLIC = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/")


def english_texts() -> tuple[set[str], list[str]]:
    """Return the catalogue's English: whole texts, and what is long between gaps."""
    whole: set[str] = set()
    parts: list[str] = []
    for entry in read_catalogue():
        for english in {entry.text.msgid, entry.text.plural} - {"", *entry.french}:
            pieces = [piece.strip(" .:,;“”") for piece in PLACEHOLDER.split(english)]
            longest = max(pieces, key=len)
            if len(pieces) == 1:
                whole.add(english)
            if longest.count(" ") > 1:
                parts.append(longest)
    same = {form for entry in read_catalogue() for form in entry.french}
    return whole - same - IDENTIFIERS, parts


WHOLE, PARTS = english_texts()


def english_in(html: str) -> list[str]:
    """Return what a page says in English."""
    found = []
    for text in texts_of(html):
        words = set(ENGLISH_WORDS.findall(text))
        if text not in OWN_WORDS and (
            text in WHOLE
            or text.strip(" .:,;…?!") in WHOLE
            or any(part in text for part in PARTS)
            or len(words) > 1
        ):
            found.append(text)
    return found


@pytest.fixture
def scene() -> Iterator[FrenchScene]:
    forget_presets()
    yield build_french_scene()
    forget_presets()


def reader(scene: FrenchScene) -> Client:
    client = french_client()
    client.force_login(scene.reader.user)
    return client


def french_client(*, checks: bool = False) -> Client:
    client = Client(checks, headers={"Accept-Language": "fr"})
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "fr"
    return client


def paths(scene: FrenchScene) -> list[str]:
    """Return an address of every page, and of every row that has one."""
    found = []
    for address in all_addresses():
        if not address.route.startswith(("api/", "admin/", "accounts/")):
            found += _paths(address, scene)
    return found


def _paths(address: Address, scene: FrenchScene) -> list[str]:
    if address.route.endswith("events"):
        return []  # a stream, which does not end
    keys = {name: scene.ids.get(name, SLUG) for name in address.names}
    many = {name: scene.many[name] for name in keys if name in scene.many}
    found = [address.path(keys)]
    for name, values in many.items():
        found += [address.path({**keys, name: value}) for value in values]
    return found


def test_the_check_finds_english() -> None:
    assert english_in("<p>Nothing here</p>") == ["Nothing here"]
    assert english_in('<a title="Withdraw this proposal?">x</a>')
    assert english_in("<p>Il y a 3 proposals stay open and can still be decided</p>")
    assert english_in("<p>Words that you have not marked</p>")
    assert english_in("<p>Rien ici</p><code>the name of this</code>") == []


def english_on(client: Client, addresses: list[str], method: str = "get") -> Found:
    """Return what pages say in English, by address; and how many were pages."""
    found: dict[str, list[str]] = {}
    pages = 0
    for path in addresses:
        response = getattr(client, method)(path, NOTHING)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            pages += 1
            found[path] = english_in(response.content.decode())
    return {path: texts for path, texts in found.items() if texts}, pages


def test_pages_speak_french(scene: FrenchScene) -> None:
    client = reader(scene)
    found, pages = english_on(client, paths(scene))
    assert found == {}
    assert pages > 40
    with override_settings(WRITE_TOOLS_SERVED=not settings.WRITE_TOOLS_SERVED):
        # Where the switch stands is said on some pages.
        found, pages = english_on(client, [p for p in paths(scene) if "-" not in p])
    assert found == {}
    found, _pages = english_on(client, paths(scene), "post")
    assert found == {}


def test_admin_pages_speak_french(scene: FrenchScene) -> None:
    own = [
        reverse("admin:decisions_attentionrequest_change", args=[key])
        for key in scene.many["request_id"]
    ]
    every = [
        *admin_paths(),
        *own,
        *(path.replace("/change/", "/edit/") for path in own),
    ]
    found, pages = english_on(reader(scene), every)
    assert found == {}
    assert pages > 20


@pytest.mark.parametrize("path", PUBLIC)
def test_sign_in_pages_speak_french(path: str) -> None:
    response = french_client().get(path)
    assert response.status_code == HTTPStatus.OK
    assert english_in(response.content.decode()) == []
    response = french_client().post(path, {"login": "x", "email": "x"})
    assert english_in(response.content.decode()) == []


def test_account_pages_speak_french(scene: FrenchScene) -> None:
    client = reader(scene)
    names = ("account_change_password", "mfa_index", "mfa_activate_totp")
    found, pages = english_on(client, [reverse(name) for name in names])
    assert found == {}
    assert pages == len(names)


def test_error_pages_speak_french(scene: FrenchScene) -> None:
    client = reader(scene)
    assert english_in(client.get("/nowhere/").content.decode()) == []
    strict = french_client(checks=True)
    answer = strict.post("/accounts/login/", {"login": "x"})
    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert english_in(answer.content.decode()) == []
