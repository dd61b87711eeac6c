"""One shape for every error, and never a 500 for bad input."""

from __future__ import annotations

from unittest import mock

import pytest
from django.db import OperationalError
from rest_framework.test import APIClient

from dialogue.models import Conversation
from tests.support.api import Someone, api

ACME = api("acme", "conversations")


def test_field_error_names_code_and_field(client: APIClient) -> None:
    answer = client.post(ACME, {"track": "Gossip"}, format="json")
    assert answer.status_code == 400
    body = answer.json()
    assert body["type"] == "validation_error"
    assert body["errors"][0]["attr"] == "track"
    assert body["errors"][0]["code"] == "invalid"
    assert set(body["errors"][0]) == {"code", "detail", "attr"}
    assert body["extra"]["choices"] == ["Governance", "Research", "Planning", "Build"]


def test_missing_field_and_unknown_field(client: APIClient) -> None:
    missing = client.post(ACME, {}, format="json").json()
    assert missing["errors"] == [
        {"code": "required", "detail": "This field is required.", "attr": "track"}
    ]
    unknown = client.post(
        ACME, {"track": "Build", "status": "completed"}, format="json"
    )
    assert unknown.status_code == 400
    assert unknown.json()["errors"][0] == {
        "code": "unknown_field",
        "detail": "This field is not known here.",
        "attr": "status",
    }
    assert not Conversation.objects.exists()


def test_unknown_address_is_json_404_for_every_method(client: APIClient) -> None:
    bodies = set()
    for method in ("get", "post", "put", "patch", "delete", "options"):
        answer = getattr(client, method)("/api/v1/t/acme/nothing/here")
        assert answer.status_code == 404
        assert answer["Content-Type"] == "application/json"
        bodies.add(answer.content)
    assert len(bodies) == 1


def test_malformed_id_answers_as_an_unknown_one(client: APIClient) -> None:
    unknown = client.get(f"{ACME}/00000000-0000-7000-8000-000000000000")
    for malformed in ("1", "x" * 300, "00000000-0000-7000-8000", "%00", "..%2f"):
        answer = client.get(f"{ACME}/{malformed}")
        assert answer.status_code == 404
        assert answer.content == unknown.content


def test_method_that_is_not_there(client: APIClient) -> None:
    for method in ("delete", "put", "options"):
        answer = getattr(client, method)(ACME)
        assert answer.status_code == 405
        assert answer.json()["errors"][0]["code"] == "method_not_allowed"
    assert answer["Allow"] == "GET, HEAD, POST"


def test_fault_of_ours_says_nothing_and_is_logged(
    client: APIClient, caplog: pytest.LogCaptureFixture
) -> None:
    with mock.patch(
        "dialogue.api.conversations.list_conversations",
        side_effect=RuntimeError("password=hunter2hunter2"),
    ):
        answer = client.get(ACME)
    assert answer.status_code == 500
    assert answer.json()["type"] == "server_error"
    assert b"hunter2" not in answer.content
    assert any(record.levelname == "ERROR" for record in caplog.records)


def test_a_busy_database_is_not_the_callers_fault(client: APIClient) -> None:
    with mock.patch(
        "dialogue.api.conversations.list_conversations",
        side_effect=OperationalError("database is locked"),
    ):
        answer = client.get(ACME)
    assert answer.status_code == 503
    assert answer.json()["errors"][0]["code"] == "busy"
    assert answer["Retry-After"] == "1"


def test_answers_are_kept_by_no_cache(client: APIClient, member: Someone) -> None:
    assert "no-store" in client.get(ACME)["Cache-Control"]


def test_errors_in_french(client: APIClient) -> None:
    answer = client.get(ACME, {"limit": "x"}, headers={"Accept-Language": "fr"})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "not_a_number"
    assert answer["Content-Language"] == "fr"


@pytest.mark.parametrize("limit", ["0", "x"])
def test_a_bad_limit_hears_the_range(client: APIClient, limit: str) -> None:
    error = client.get(ACME, {"limit": limit}).json()["errors"][0]
    assert error["detail"] == "This must be a whole number from 1 to 200."


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=" + "9" * 30, None),
        ("limit=" + "9" * 5000, None),
        ("limit=200", None),
        ("limit=0", "limit"),
        ("limit=-1", "limit"),
        ("limit=1e3", "limit"),
        ("limit=%D9%A3", "limit"),
        ("limit=%00", "limit"),
        ("cursor=nonsense", "cursor"),
        ("cursor=%00", "cursor"),
        ("cursor=" + "A" * 3000, "cursor"),
        ("cursor=bmFufDAwMDAwMDAwLTAwMDAtMDAwMC0wMDAwLTAwMDAwMDAwMDAwMA", "cursor"),
        ("cursor=MWUzMDB8MDAwMDAwMDAtMDAwMC0wMDAwLTAwMDAtMDAwMDAwMDAwMDAw", "cursor"),
        ("search=%00", "search"),
        ("search=" + "x" * 201, "search"),
        ("search=%25_%5C", None),
        ("track=Gossip", "track"),
        ("status=deleted", "status"),
        ("archived=1", "archived"),
    ],
)
@pytest.mark.promise("D7")
def test_query_parameters(client: APIClient, query: str, field: str | None) -> None:
    answer = client.get(f"{ACME}?{query}")
    if field is None:
        assert answer.status_code == 200
    else:
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["attr"] == field
