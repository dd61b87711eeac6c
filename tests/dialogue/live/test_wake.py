"""Runners hear of queued turns: here directly, elsewhere over Redis, else by Celery."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction

from dialogue.live import wake


class Runner:
    """Counts how often it is woken by the test itself, not from elsewhere."""

    def __init__(self) -> None:
        self.woken = 0
        self.thread = threading.get_ident()

    def wake(self) -> None:
        self.woken += threading.get_ident() == self.thread


@pytest.fixture
def runner() -> Iterator[Runner]:
    """A runner in this process."""
    made = Runner()
    wake.listen(made.wake)
    yield made
    wake.stop_listening(made.wake)


@pytest.fixture
def unheard(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[Callable[[], None]]:
    """What is to happen when nobody listens, for each message that is published."""
    found: list[Callable[[], None]] = []

    def send(_channel: str, _payload: bytes, *, unheard: Callable[[], None]) -> None:
        found.append(unheard)

    monkeypatch.setattr(wake, "send", send)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    return found


@pytest.mark.django_db(transaction=True)
def test_a_runner_here_is_woken_after_the_commit(runner: Runner) -> None:
    with transaction.atomic():
        wake.wake_on_commit()
        assert runner.woken == 0
    assert runner.woken == 1


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_wakes_nobody(runner: Runner) -> None:
    with transaction.atomic():
        wake.wake_on_commit()
        transaction.set_rollback(True)
    assert runner.woken == 0


def test_a_runner_here_needs_no_message(
    runner: Runner, unheard: list[Callable[[], None]]
) -> None:
    wake.wake_runners()
    assert (runner.woken, unheard) == (1, [])


def test_where_nobody_listens_celery_keeps_the_hint(
    unheard: list[Callable[[], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    hints: list[str] = []
    monkeypatch.setattr(wake, "send_hint", hints.append)
    wake.wake_runners()
    assert hints == []
    [nobody_there] = unheard
    nobody_there()
    assert hints == ["dialogue.run_turns"]
