"""Streamed text on its way to rows and readers, all turns of a process together.

The first piece after a pause goes out at once; what follows is gathered, so that a
tick costs one commit and one publish however many streams there are. Text is stored
before it is published: a reader that missed it finds it in the rows.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from dataclasses import dataclass, field

from django.db import DatabaseError

from dialogue.live.bus import TextPiece, publish_text
from dialogue.models import TurnChunk
from dialogue.turns.executors import in_rows_thread
from tooling.boundary import clean_text

log = logging.getLogger(__name__)

TICK_SECONDS = 0.03


@dataclass(slots=True)
class StepText:
    """The text of one step of a turn, as far as it has come."""

    conversation_id: uuid.UUID
    turn_id: uuid.UUID
    attempt: int
    step: int
    parts: list[str] = field(default_factory=list)
    length: int = 0

    @property
    def text(self) -> str:
        """Return everything that has come."""
        return "".join(self.parts)


class TextBuffer:
    """Gathers the text of all streams of this process. Lives on one event loop."""

    def __init__(self) -> None:
        self._waiting: dict[uuid.UUID, tuple[StepText, list[str], int]] = {}
        self._wake = asyncio.Event()
        self._lock = asyncio.Lock()

    def add(self, step: StepText, text: str) -> None:
        """Take more text of a step."""
        text = clean_text(text)
        if not text:
            return
        waiting = self._waiting.get(step.turn_id)
        if waiting is None:
            self._waiting[step.turn_id] = (step, [text], step.length)
        else:
            waiting[1].append(text)
        step.parts.append(text)
        step.length += len(text)
        self._wake.set()

    async def run(self) -> None:
        """Write and publish what waits, for ever."""
        while True:
            await self._wake.wait()
            await self.flush()
            await asyncio.sleep(TICK_SECONDS)

    async def drop(self, turn_id: uuid.UUID) -> None:
        """Forget what waits of a turn whose whole text is about to be stored.

        When this returns, nothing of the turn is on its way to its rows.
        """
        async with self._lock:
            self._waiting.pop(turn_id, None)

    async def flush(self) -> None:
        """Write and publish what waits now; when this returns it is stored."""
        async with self._lock:
            self._wake.clear()
            waiting, self._waiting = self._waiting, {}
            if not waiting:
                return
            pieces = [
                (
                    step.conversation_id,
                    TextPiece(
                        str(step.turn_id),
                        step.attempt,
                        step.step,
                        offset,
                        "".join(texts),
                    ),
                )
                for step, texts, offset in waiting.values()
            ]
            try:
                await in_rows_thread(_store, [piece for _id, piece in pieces])
            except DatabaseError:
                # The answer itself is kept in memory and stored with its message.
                log.exception("streamed text could not be buffered")
            publish_text(pieces)


def _store(pieces: list[TextPiece]) -> None:
    TurnChunk.objects.bulk_create(
        [
            TurnChunk(
                turn_id=piece.turn_id,
                attempt=piece.attempt,
                step=piece.step,
                offset=piece.offset,
                text=piece.text,
            )
            for piece in pieces
        ]
    )
