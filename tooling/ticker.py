"""The thread that sweeps: one a worker process, under one database lease.

However many processes there are, a sweep runs once every `SWEEP_SECONDS`.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading

from django.conf import settings
from django.db import close_old_connections, connections
from django.db.models import Q
from django.utils import timezone

from tooling.models import Lease
from tooling.sweeps import run_sweeps

log = logging.getLogger(__name__)


def take_lease(*, name: str, owner: str, seconds: float, now: dt.datetime) -> bool:
    """Take or renew a named lease; tell whether `owner` holds it now."""
    until = now + dt.timedelta(seconds=seconds)
    # No owner whose clock is right has asked for so long: a jump of a clock must not
    # stop the work until that time has come.
    absurd = until + dt.timedelta(seconds=seconds)
    free = Q(owner=owner) | Q(expires_at__lt=now) | Q(expires_at__gt=absurd)
    taken = Lease.objects.filter(free, name=name).update(owner=owner, expires_at=until)
    if taken:
        return True
    _lease, created = Lease.objects.get_or_create(
        name=name, defaults={"owner": owner, "expires_at": until}
    )
    return created


class Ticker:
    """The thread that sweeps, while its process holds the lease."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sweeps", daemon=True)

    def start(self) -> None:
        """Begin to sweep."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait for a sweep under way."""
        self._stop.set()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while not self._stop.wait(settings.SWEEP_SECONDS):
            try:
                self._tick()
            except Exception:
                log.exception("sweep tick failed")
            finally:
                close_old_connections()
        connections.close_all()

    def _tick(self) -> None:
        now = timezone.now()
        if take_lease(
            name="sweeps",
            owner=self.owner,
            seconds=settings.SWEEP_SECONDS * 2,
            now=now,
        ):
            run_sweeps(now=now)
