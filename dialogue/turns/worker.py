"""The worker of a process: Celery's side, the runner and the sweep ticker.

Grown: `celery -A config worker --pool threads` starts it by the worker_ready signal.
Embedded: the server's process hosts all of it in threads.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import uuid
from typing import Any

from celery import current_app
from celery.signals import worker_ready, worker_shutting_down
from django.db import connections

from dialogue.call_sites import GENERAL
from dialogue.live import wake
from dialogue.turns.runner import TurnRunner
from tooling.llm.service import warm_up
from tooling.ticker import Ticker

log = logging.getLogger(__name__)


class Worker:
    """What a worker process runs besides Celery's tasks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.runner: TurnRunner | None = None
        self.ticker: Ticker | None = None
        self._celery: Any = None

    def start(self) -> None:
        """Start runner and ticker, once a process."""
        with self._lock:
            if self.runner is not None:
                return
            owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
            self.runner = TurnRunner(owner)
            self.ticker = Ticker(owner)
        self.runner.start()
        self.ticker.start()
        wake.listen(self.wake)
        threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()

    def stop(self) -> None:
        """Stop both; turns under way end as interrupted."""
        wake.stop_listening(self.wake)
        with self._lock:
            runner, ticker = self.runner, self.ticker
            self.runner = self.ticker = None
        if runner is not None:
            runner.stop()
        if ticker is not None:
            ticker.stop()

    def start_embedded(self) -> None:
        """Start everything in this process, with Celery's consumer in a thread."""
        self.start()
        app: Any = current_app
        app.set_default()
        app.loader.import_default_modules()
        self._celery = app.WorkController(
            pool_cls="threads",
            concurrency=4,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            quiet=True,
        )
        threading.Thread(
            target=self._celery.start, name="celery-worker", daemon=True
        ).start()

    def stop_embedded(self) -> None:
        """Stop everything that `start_embedded` started."""
        self.stop()
        if self._celery is not None:
            self._celery.stop(in_sighandler=False)
            self._celery = None

    def wake(self) -> None:
        """Let the runner look for queued turns, if this process has one."""
        runner = self.runner
        if runner is not None:
            runner.wake()

    @property
    def alive(self) -> bool:
        """Tell whether the runner of this process runs."""
        return self.runner is not None and self.runner.alive


def _warm_up() -> None:
    """Import the provider's library now, not while the first person waits."""
    try:
        warm_up(call_site=GENERAL.name)
    except Exception:
        # The first turn will say what is wrong, to whom it concerns.
        log.exception("the model's library could not be made ready")
    finally:
        connections.close_all()


worker = Worker()


def start_embedded() -> None:
    """Start the worker inside the server's process."""
    worker.start_embedded()


def stop_embedded() -> None:
    """Stop the worker inside the server's process."""
    worker.stop_embedded()


@worker_ready.connect
def on_worker_ready(**_kwargs: Any) -> None:
    """Celery consumes: start the runner beside it."""
    worker.start()


@worker_shutting_down.connect
def on_worker_shutting_down(**_kwargs: Any) -> None:
    """Celery was told to go: end our own turns at once."""
    threading.Thread(target=worker.stop, name="worker-stop").start()
