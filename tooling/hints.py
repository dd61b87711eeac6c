"""Hints to the queue: they speed things up, and nothing hangs on them.

A hint is published by a daemon thread, so that a dead, frozen or full broker costs
the caller nothing; what a lost hint would have started, a sweep finds.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from typing import Any

from celery import current_app
from django.db import transaction

log = logging.getLogger(__name__)

_MAX_WAITING = 1000
_BREAK_SECONDS = 5.0


class _Publisher:
    """One thread a process that publishes hints, with a breaker."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue(
            _MAX_WAITING
        )
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._broken_until = 0.0

    def put(self, name: str, kwargs: dict[str, Any]) -> None:
        """Queue a hint; drop it when too many wait."""
        try:
            self._waiting.put_nowait((name, kwargs))
        except queue.Full:
            log.warning("hint dropped: too many wait", extra={"task": name})
            return
        with self._lock:
            # A forked process inherits the object, not the thread.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="hints", daemon=True
                )
                self._thread.start()

    def _run(self) -> None:
        while True:
            name, kwargs = self._waiting.get()
            if time.monotonic() < self._broken_until:
                continue
            try:
                current_app.send_task(name, kwargs=kwargs, retry=False)
            except Exception as error:  # noqa: BLE001 -- a hint must never hurt
                self._broken_until = time.monotonic() + _BREAK_SECONDS
                log.warning("hint lost: %s", type(error).__name__)


_publisher = _Publisher()


def send_hint(task_name: str, **kwargs: Any) -> None:
    """Ask for a task to run soon. Never raises, never waits, promises nothing."""
    _publisher.put(task_name, kwargs)


def hint_on_commit(task_name: str, **kwargs: Any) -> None:
    """Send a hint once the transaction around the call has committed."""
    transaction.on_commit(lambda: send_hint(task_name, **kwargs), robust=True)
