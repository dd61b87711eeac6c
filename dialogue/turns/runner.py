"""The runner: one long-lived event loop a worker process, many turns at once.

A hint only wakes it; the claim is the lease. Beside it one plain thread, the keeper,
holds the leases and reads the stop rows of all turns, since neither may be starved
by a slow tool.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import logging
import threading
import uuid
from functools import partial

from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.utils import timezone

from dialogue.models import LIVE_STATES, Turn, TurnState
from dialogue.turns.buffer import TextBuffer
from dialogue.turns.engine import TurnEngine
from dialogue.turns.executors import in_rows_thread
from dialogue.turns.job import claim, claimable

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
KEEPER_SECONDS = 0.3
SHUTDOWN_SECONDS = 8.0


class TurnRunner:
    """Claims and runs turns until it is stopped."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self._live: dict[uuid.UUID, tuple[TurnEngine, asyncio.Task[None]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake: asyncio.Event | None = None
        self._started = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._main, name="turns", daemon=True)
        self._keeper = threading.Thread(target=self._keep, name="keeper", daemon=True)

    def start(self) -> None:
        """Begin to claim turns; returns when the loop is up."""
        self._thread.start()
        self._started.wait(timeout=10)
        self._keeper.start()

    def stop(self) -> None:
        """End: turns under way are interrupted at once, not left to the sweep."""
        self._stop.set()
        self.wake()
        self._thread.join(timeout=SHUTDOWN_SECONDS + 2)

    def wake(self) -> None:
        """Look for queued turns now. From any thread; a hint."""
        if self._loop is not None and self._wake is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._wake.set)

    @property
    def alive(self) -> bool:
        """Tell whether both threads run."""
        return self._thread.is_alive() and self._keeper.is_alive()

    def _main(self) -> None:
        asyncio.run(self._run())
        connections.close_all()

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        buffer = TextBuffer()
        writing = asyncio.create_task(buffer.run())
        self._started.set()
        while not self._stop.is_set():
            try:
                await self._claim_all(buffer)
            except DatabaseError:
                log.exception("turns could not be claimed")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._wake.wait()
            self._wake.clear()
        await self._interrupt_all()
        writing.cancel()

    async def _claim_all(self, buffer: TextBuffer) -> None:
        free = settings.TURN_CONCURRENCY - len(self._live)
        if free <= 0 or self._stop.is_set():
            return
        turn_ids = (await in_rows_thread(claimable))[:free]
        await asyncio.gather(*(self._claim(each, buffer) for each in turn_ids))

    async def _claim(self, turn_id: uuid.UUID, buffer: TextBuffer) -> None:
        try:
            job = await in_rows_thread(claim, turn_id, owner=self.owner)
        except DatabaseError:
            # The turn stays queued, and the others go on.
            log.exception("a turn could not be claimed")
            return
        if job is None:
            return
        engine = TurnEngine(job, buffer)
        task = asyncio.create_task(engine.run())
        self._live[turn_id] = (engine, task)
        task.add_done_callback(partial(self._ended, turn_id))

    def _ended(self, turn_id: uuid.UUID, task: asyncio.Task[None]) -> None:
        del self._live[turn_id]
        if not task.cancelled() and task.exception() is not None:
            log.error("turn could not be ended", exc_info=task.exception())
        # The conversation may have a next turn, and this worker a free place.
        if self._wake is not None:
            self._wake.set()

    async def _interrupt_all(self) -> None:
        tasks = [task for _engine, task in self._live.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=SHUTDOWN_SECONDS)

    def _keep(self) -> None:
        beat_at = timezone.now()
        while not self._stop.wait(KEEPER_SECONDS):
            try:
                now = timezone.now()
                if now >= beat_at:
                    self._beat(now)
                    seconds = settings.TURN_HEARTBEAT_SECONDS
                    beat_at = now + dt.timedelta(seconds=seconds)
                self._read_stops()
            except DatabaseError:
                log.exception("leases could not be kept")
            finally:
                if connection.vendor == "postgresql" or connection.errors_occurred:
                    connection.close()

    def _beat(self, now: dt.datetime) -> None:
        live = list(self._live)
        if live:
            until = now + dt.timedelta(seconds=settings.TURN_LEASE_SECONDS)
            Turn.objects.filter(
                pk__in=live, lease_owner=self.owner, state__in=LIVE_STATES
            ).update(lease_expires_at=until)

    def _read_stops(self) -> None:
        live = list(self._live)
        if not live:
            return
        rows = dict(
            Turn.objects.filter(pk__in=live, lease_owner=self.owner).values_list(
                "pk", "state"
            )
        )
        for turn_id in live:
            state = rows.get(turn_id)
            # Without a row of ours the lease is lost: the work is nobody's.
            if state is None or state == TurnState.STOPPING:
                self._cancel(turn_id, stopping=state is not None)

    def _cancel(self, turn_id: uuid.UUID, *, stopping: bool) -> None:
        found = self._live.get(turn_id)
        if found is None or self._loop is None:
            return
        engine, task = found
        if engine.cancelled:
            return
        engine.cancelled = True
        engine.stopping = stopping
        self._loop.call_soon_threadsafe(task.cancel)
