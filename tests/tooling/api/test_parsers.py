"""Strict JSON: what could not be stored, or means two things, is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from dialogue.models import Conversation, ConversationMessage
from dialogue.services.conversations import create_conversation
from tests.support.api import Someone, api

ACME = api("acme", "conversations")


def post(client: APIClient, path: str, raw: Any) -> tuple[int, dict[str, Any]]:
    answer = client.generic("POST", path, raw, content_type="application/json")
    return answer.status_code, answer.json()


@pytest.mark.case("A19")
@pytest.mark.parametrize(
    ("raw", "attr"),
    [
        (b'{"track": "Build", "title": "\\ud83d"}', "title"),
        (b'{"track": "Build", "title": "a\\u0000b"}', "title"),
        (b'{"track": "Build", "payload": {"k": "\\udc00"}}', "payload"),
        (b'{"track": "Build", "payload": {"\\u0000": 1}}', "payload"),
        (b'{"track": "Build", "\\ud83d": 1}', None),
        (b'{"track": "Build", "title": NaN}', "title"),
        (b'{"track": "Build", "title": 1e999}', "title"),
        (b'{"track": "Build", "title": 123456789012345678901234567890}', "title"),
        (b'{"track": "Build", "track": "Research"}', None),
        (b'{"track": "Build", "payload": {"a": 1, "a": 2}}', None),
        (b'{"track": "Build", "payload": ' + b"[" * 40 + b"]" * 40 + b"}", "payload"),
        (b'{"track": "Build", "payload": ' + b"[" * 60_000, None),
        (b'{"track": "Build"', None),
        (b"\xff\xfe", None),
        (b"\xef\xbb\xbf{}", None),
        (b'{"track": "\xed\xa0\x80"}', None),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_refused_with_the_field_and_nothing_stored(
    client: APIClient, raw: bytes, attr: str | None
) -> None:
    status, body = post(client, ACME, raw)
    assert status == 400
    [error] = body["errors"]
    assert error["attr"] == attr
    assert error["code"] in {"unsafe_text", "unsafe_json"}
    assert not Conversation.objects.exists()
    assert client.get(ACME).status_code == 200


@pytest.mark.case("A19")
@pytest.mark.django_db(transaction=True)
def test_lone_surrogate_in_a_message(client: APIClient, member: Someone) -> None:
    conversation = create_conversation(
        principal=member.principal, track="Build", now=timezone.now()
    )
    path = f"{ACME}/{conversation.pk}/messages"
    for raw in (b'{"text":"\\ud83d"}', b'{"text":"a\\u0000"}'):
        status, body = post(client, path, raw)
        assert status == 400
        assert body["errors"][0]["attr"] == "text"
    assert not ConversationMessage.objects.exists()
    assert client.get(ACME).status_code == 200
    assert client.get(path).json()["items"] == []


@pytest.mark.parametrize("raw", [b"[]", b'"text"', b"null", b"1", b"[1, 2]"])
def test_a_body_is_an_object(client: APIClient, raw: bytes) -> None:
    status, body = post(client, ACME, raw)
    assert status == 400
    assert body["type"] == "validation_error"


def test_numbers_are_not_text_and_words_are_not_booleans(client: APIClient) -> None:
    answer = client.post(
        ACME, {"track": 5, "title": ["x"], "is_private": "true"}, format="json"
    )
    assert answer.status_code == 400
    named = {error["attr"] for error in answer.json()["errors"]}
    assert named == {"track", "title", "is_private"}


def test_other_media_types_are_refused(client: APIClient) -> None:
    for content_type in ("application/x-www-form-urlencoded", "text/plain"):
        answer = client.generic("POST", ACME, "track=Build", content_type=content_type)
        assert answer.status_code == 415
        assert answer.json()["errors"][0]["code"] == "unsupported_media_type"


def test_body_over_two_megabytes(client: APIClient) -> None:
    raw = json.dumps({"track": "Build", "title": "x" * 2_100_000}).encode()
    status, body = post(client, ACME, raw)
    assert status == 413
    assert body["errors"][0]["code"] == "body_too_large"


def test_many_characters_are_counted_and_named(client: APIClient) -> None:
    status, body = post(
        client, ACME, json.dumps({"track": "Build", "title": "é" * 201}).encode()
    )
    assert status == 400
    [error] = body["errors"]
    assert (error["attr"], error["code"]) == ("title", "too_long")
