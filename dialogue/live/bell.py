"""A bell for a thread that waits until something happens in a conversation."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from dialogue.live.bus import TextPiece, hub


class Bell:
    """Rings at each hint. A hint may be lost: wait with a time-out, then look."""

    def __init__(self) -> None:
        self._rung = threading.Event()

    def hint(self, event_seq: int) -> None:
        """Ring."""
        self._rung.set()

    def text(self, piece: TextPiece) -> None:
        """Streamed text rings no bell."""

    def wait(self, seconds: float) -> None:
        """Return at the next ring, one that has rung already, or after `seconds`."""
        self._rung.wait(seconds)
        self._rung.clear()


@contextmanager
def bell_of(conversation_id: uuid.UUID) -> Iterator[Bell]:
    """Give a bell for a conversation, and take it down afterwards."""
    bell = Bell()
    hub.add(conversation_id, bell)
    try:
        yield bell
    finally:
        hub.remove(conversation_id, bell)
