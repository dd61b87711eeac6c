"""What a stream reads from rows: events after a position, and text not yet stored."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from dialogue.models import ConversationMessage, Event, EventKind, Turn, TurnChunk
from dialogue.models.turn import LIVE_STATES

BATCH = 200
# Larger texts go by reference: the reader fetches the message itself.
INLINE_CHARS = 12_000


@dataclass(frozen=True, slots=True)
class Text:
    """The text that a live turn has streamed in its newest step."""

    turn_id: str
    attempt: int
    step: int
    text: str


def events_after(conversation_id: uuid.UUID, seq: int) -> list[Event]:
    """Return up to `BATCH` events after `seq`, messages filled in, in order."""
    events = list(
        Event.objects.filter(conversation_id=conversation_id, seq__gt=seq).order_by(
            "seq"
        )[:BATCH]
    )
    ids = [e.data["message"] for e in events if e.kind == EventKind.MESSAGE]
    if ids:
        found = {
            str(message.pk): message
            for message in ConversationMessage.objects.filter(pk__in=ids)
        }
        for event in events:
            if event.kind == EventKind.MESSAGE:
                event.data = message_json(found[event.data["message"]])
    return events


def message_json(message: ConversationMessage) -> dict[str, Any]:
    """Return a message as REST and streams show it."""
    long = len(message.text) > INLINE_CHARS
    return {
        "id": str(message.pk),
        "seq": message.seq,
        "role": message.role,
        "text": message.text[:INLINE_CHARS] if long else message.text,
        "truncated": long,
        "data": message.data,
        "turn": str(message.turn_id) if message.turn_id else None,
        "attempt": message.attempt,
        "author": str(message.author_id) if message.author_id else None,
        "created_at": message.created_at.isoformat(),
    }


def live_text(conversation_id: uuid.UUID) -> Text | None:
    """Return what the live turn of a conversation has streamed, if there is one."""
    turn = Turn.objects.filter(
        conversation_id=conversation_id, state__in=LIVE_STATES
    ).first()
    if turn is None:
        return None
    chunks = list(
        TurnChunk.objects.filter(turn=turn, attempt=turn.attempt)
        .order_by("step", "offset")
        .values_list("step", "text")
    )
    if not chunks:
        return None
    step = chunks[-1][0]
    text = "".join(part for number, part in chunks if number == step)
    return Text(str(turn.pk), turn.attempt, step, text)
