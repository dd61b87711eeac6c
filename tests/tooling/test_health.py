"""`/healthz`, `/readyz` and the checks behind them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http import HTTPStatus

import pytest
from django.db import DatabaseError
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from tooling import health
from tooling.web import health as pages

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_checks_left_over() -> Iterator[None]:
    yield
    health.forget_check("tests")


def test_the_process_is_up_without_a_statement(
    client: Client, django_assert_num_queries: object
) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        answer = client.get("/healthz")
    assert answer.status_code == HTTPStatus.OK


def test_ready_when_everything_works(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == HTTPStatus.OK
    assert answer.json()["checks"] == {"database": "ok", "migrations": "ok"}


def test_not_ready_names_what_fails(client: Client) -> None:
    health.register_check("tests", lambda: "has ended")
    answer = client.get("/readyz")
    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert answer.json()["checks"]["tests"] == "has ended"


def test_a_dead_database_is_told_without_its_words(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dead:
        def __getitem__(self, _alias: str) -> object:
            message = "connection to postgres://user:secret@db failed"
            raise DatabaseError(message)

        def close_all(self) -> None:
            """Nothing is open."""

    monkeypatch.setattr(health, "connections", Dead())
    answer = client.get("/readyz")
    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert "secret" not in answer.content.decode()
    assert "DatabaseError" in answer.json()["checks"]["database"]


def test_a_slow_check_does_not_hold_up_the_asker(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(pages, "DEADLINE_SECONDS", 0.2)
    health.register_check("tests", lambda: None if go_on.wait(10) else "late")
    began = time.monotonic()
    answers = [client.get("/readyz") for _ in range(3)]
    assert time.monotonic() - began < 2
    assert {each.status_code for each in answers} == {503}
    go_on.set()
    health.forget_check("tests")
    deadline = time.monotonic() + 5
    while client.get("/readyz").status_code != HTTPStatus.OK:
        assert time.monotonic() < deadline


def test_pending_migrations_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health._Applied, "known", False)  # noqa: SLF001 -- asked anew
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_args: [1, 2])
    assert health.check_migrations() == "2 pending: run manage.py migrate"
