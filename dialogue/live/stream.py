"""One open stream: replay from rows, then follow, never skipping and never doubling.

Rows are read in threads that give their connection back before the stream waits: an
open stream holds no database connection.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
import uuid
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import connection

from dialogue.live import wire
from dialogue.live.bus import TextPiece, hub
from dialogue.live.poller import poller
from dialogue.live.reading import BATCH, Text, events_after, live_text

P = ParamSpec("P")
R = TypeVar("R")

RECHECK_SECONDS = 15.0
# A stream ends by itself now and then; the browser comes back where it was.
LIFETIME_SECONDS = 600.0
# Text that has not come for so long is looked for in the rows.
QUIET_SECONDS = 1.5

_EVERY_STEP = 1_000_000
_ENDED = frozenset({"done", "failed", "stopped", "interrupted"})
_threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="live-rows")


async def in_live_thread(
    function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Run a short read for streams, and give its connection back."""
    context = contextvars.copy_context()

    def call() -> R:
        try:
            return context.run(function, *args, **kwargs)
        finally:
            if connection.vendor == "postgresql" or connection.errors_occurred:
                connection.close()

    return await asyncio.get_running_loop().run_in_executor(_threads, call)


class _Ears:
    """Collects hints from other threads and wakes the stream on its loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.wake = asyncio.Event()
        self.seq = 0
        self.heard_at = 0.0
        self.pieces: list[TextPiece] = []
        self.look = False

    def hint(self, event_seq: int) -> None:
        self._loop.call_soon_threadsafe(self._take_hint, event_seq)

    def text(self, piece: TextPiece) -> None:
        self._loop.call_soon_threadsafe(self._take_text, piece)

    def _take_hint(self, event_seq: int) -> None:
        self.seq = max(self.seq, event_seq)
        # While text comes, a piece that was lost shows as a gap before the next.
        quiet = self._loop.time() - self.heard_at > QUIET_SECONDS
        self.look = self.look or (event_seq == 0 and quiet)
        self.wake.set()

    def _take_text(self, piece: TextPiece) -> None:
        self.pieces.append(piece)
        self.heard_at = self._loop.time()
        self.wake.set()


@dataclass(slots=True)
class Stream:
    """A reader's stream of one conversation from a position on.

    `may_read` is asked again every 15 seconds, in a thread; when it says no the
    stream ends.
    """

    conversation_id: uuid.UUID
    position: wire.Position
    may_read: Callable[[], bool]
    turn_id: str = ""
    # Steps up to this one of a (turn, attempt) are stored: text of them is spent.
    spent: dict[tuple[str, int], int] = field(default_factory=dict)

    async def run(self) -> AsyncGenerator[bytes, None]:
        """Yield bytes until the reader leaves, loses the right, or time is up."""
        ears = _Ears()
        hub.add(self.conversation_id, ears)
        poller.ensure()
        try:
            yield wire.RETRY
            async for out in self._read_rows(with_text=True):
                yield out
            async for out in self._follow(ears):
                yield out
        finally:
            hub.remove(self.conversation_id, ears)

    async def _follow(self, ears: _Ears) -> AsyncGenerator[bytes, None]:
        ends = time.monotonic() + LIFETIME_SECONDS
        checked = pinged = time.monotonic()
        while time.monotonic() < ends:
            try:
                async with asyncio.timeout(1.0):
                    await ears.wake.wait()
            except TimeoutError:
                pass
            else:
                async for out in self._take(ears):
                    pinged = time.monotonic()
                    yield out
            now = time.monotonic()
            if now - checked >= RECHECK_SECONDS:
                checked = now
                if not await in_live_thread(self.may_read):
                    return
            if now - pinged >= settings.STREAM_PING_SECONDS:
                pinged = now
                yield wire.PING

    async def _take(self, ears: _Ears) -> AsyncGenerator[bytes, None]:
        ears.wake.clear()
        pieces, ears.pieces = ears.pieces, []
        look, ears.look = ears.look, False
        if ears.seq > self.position.seq:
            # Events first: text of a step follows the message of the step before.
            async for out in self._read_rows(with_text=False):
                yield out
        gap = look
        for piece in pieces:
            out, missed = self._piece(piece)
            gap = gap or missed
            if out:
                yield out
        if gap:
            async for out in self._read_rows(with_text=True):
                yield out

    def _piece(self, piece: TextPiece) -> tuple[bytes, bool]:
        """Return the event of a piece that follows on, or say that one is missing."""
        at = self.position
        if self._is_spent(piece):
            return b"", False
        same = (piece.attempt, piece.step) == (at.attempt, at.step)
        if (same and self.turn_id == piece.turn_id) or piece.offset == 0:
            have = at.length if same and self.turn_id == piece.turn_id else 0
            if piece.offset <= have < piece.offset + len(piece.text):
                text = piece.text[have - piece.offset :]
                return self._text(piece.turn_id, piece, have, text), False
            if piece.offset + len(piece.text) <= have:
                return b"", False
        return b"", True

    def _text(
        self, turn_id: str, at: TextPiece | Text, offset: int, text: str
    ) -> bytes:
        self.turn_id = turn_id
        here = self.position
        here.attempt, here.step = at.attempt, at.step
        here.length = offset + len(text)
        data = {
            "turn": turn_id,
            "attempt": at.attempt,
            "step": at.step,
            "offset": offset,
            "text": text,
        }
        return wire.encode("text", data, here)

    async def _read_rows(self, *, with_text: bool) -> AsyncGenerator[bytes, None]:
        text = None
        if with_text:
            text = await in_live_thread(live_text, self.conversation_id)
        while True:
            events = await in_live_thread(
                events_after, self.conversation_id, self.position.seq
            )
            for event in events:
                yield self._event(event.seq, event.kind, event.data)
            if len(events) < BATCH:
                break
        if text is not None:
            out = self._text_of_rows(text)
            if out:
                yield out

    def _event(self, seq: int, kind: str, data: dict[str, Any]) -> bytes:
        self.position.seq = seq
        key = (str(data.get("turn")), int(data.get("attempt") or 0))
        if kind == "message" and data.get("role") == "assistant":
            self._spend(key, int(data["data"].get("step") or _EVERY_STEP))
        elif kind == "turn" and data.get("state") in _ENDED:
            self._spend(key, _EVERY_STEP)
        return wire.encode(kind, {"at": seq, **data}, self.position)

    def _spend(self, key: tuple[str, int], step: int) -> None:
        self.spent[key] = max(step, self.spent.get(key, 0))
        self.position.length = 0

    def _is_spent(self, text: TextPiece | Text) -> bool:
        return text.step <= self.spent.get((text.turn_id, text.attempt), 0)

    def _text_of_rows(self, text: Text) -> bytes:
        here = self.position
        if self._is_spent(text):
            return b""
        resumed = (text.attempt, text.step) == (here.attempt, here.step)
        have = here.length if resumed and here.length <= len(text.text) else 0
        if have >= len(text.text):
            self.turn_id = text.turn_id
            return b""
        return self._text(text.turn_id, text, have, text.text[have:])
