"""The stream's address answers other methods as the rest of the API does."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_only_get_is_answered_and_the_refusal_is_json(method: str) -> None:
    path = f"/api/v1/t/acme/conversations/{uuid.uuid4()}/events"
    answer = Client(enforce_csrf_checks=True).generic(method, path)
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "GET"
    assert answer.json()["errors"][0]["code"] == "method_not_allowed"
