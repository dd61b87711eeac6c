"""The OpenAPI description: whole, valid, the same each time, and shown by a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from tooling.api.docs import openapi_document


def test_description_is_valid_and_warns_of_nothing(tmp_path: Path) -> None:
    first, second = tmp_path / "first.yml", tmp_path / "second.yml"
    for target in (first, second):
        call_command(
            "spectacular", "--validate", "--fail-on-warn", "--file", str(target)
        )
    assert first.read_bytes() == second.read_bytes()


def test_description_by_http(client: APIClient) -> None:
    answer = APIClient().get("/api/v1/openapi.json")
    assert answer.status_code == 200
    document = json.loads(answer.content)
    assert document["openapi"].startswith("3.")
    openapi_document.cache_clear()
    assert APIClient().get("/api/v1/openapi.json").content == answer.content


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    document = json.loads(openapi_document())
    return [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_operation_says_what_it_does_and_how_it_fails() -> None:
    found = operations()
    assert len(found) > 10
    for path, method, operation in found:
        where = f"{method} {path}"
        assert operation.get("summary"), where
        assert operation["operationId"].count("_v1_") == 0, where
        error = operation["responses"]["default"]["content"]["application/json"]
        assert error["schema"]["$ref"].endswith("/Error"), where
        assert operation["security"] == [{"personalToken": []}, {"session": []}]


@pytest.mark.promise("D27")
def test_the_verbs_of_the_surface_are_there() -> None:
    named = {operation["operationId"] for _path, _method, operation in operations()}
    assert {
        "conversation_create",
        "conversation_send",
        "conversation_list",
        "conversation_get",
        "conversation_complete",
        "conversation_events",
    } <= named


def test_page_has_nothing_inline_and_nothing_from_elsewhere() -> None:
    answer = APIClient().get("/api/v1/docs/")
    assert answer.status_code == 200
    html = answer.content.decode()
    assert "http://" not in html
    assert "https://" not in html
    assert "<style" not in html
    assert "<script>" not in html
    assert "script-src 'self'" in answer["Content-Security-Policy"]
