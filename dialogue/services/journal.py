"""The one way to write messages and events.

Numbers come from the conversation's counters, moved by one conditional statement
under the row's lock and taken last in the transaction: readers that go by number
then never skip one that commits late. Lock order is request, then conversation.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, models, transaction

from dialogue.live import bus
from dialogue.models import (
    ConversationMessage,
    Event,
    EventKind,
    MessageRole,
)
from tooling.errors import NotFound
from tooling.ids import new_id


@dataclass(slots=True)
class NewMessage:
    """A message to append; `seq` is given out by the journal."""

    role: MessageRole
    text: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    author_id: uuid.UUID | None = None
    turn_id: uuid.UUID | None = None
    attempt: int = 1
    client_key: str | None = None
    id: uuid.UUID = field(default_factory=new_id)


@dataclass(slots=True)
class NewEvent:
    """An event to append."""

    kind: EventKind
    data: dict[str, Any]


def _take_numbers(
    conversation_id: uuid.UUID, *, messages: int, events: int, now: dt.datetime
) -> tuple[int, int]:
    """Move the counters and return their new values (last message, last event)."""
    key = _KEY.get_db_prep_value(conversation_id, connection)
    values: list[Any] = [events, key]
    if messages:
        at = _TIME.get_db_prep_value(now, connection)
        values = [events, messages, at, key]
    # The update holds the row's lock until commit: the numbers are ours alone.
    with connection.cursor() as cursor:
        cursor.execute(_TAKE_WITH_MESSAGES if messages else _TAKE_EVENTS, values)
        row = cursor.fetchone()
    if row is None:
        raise NotFound
    return row[0], row[1]


# They give values the form in which the database at hand stores them.
_KEY, _TIME = models.UUIDField(), models.DateTimeField()
_TAKE_EVENTS = """
UPDATE dialogue_conversation SET event_seq = event_seq + %s
WHERE id = %s RETURNING message_seq, event_seq
"""
_TAKE_WITH_MESSAGES = """
UPDATE dialogue_conversation
SET event_seq = event_seq + %s, message_seq = message_seq + %s, active_at = %s
WHERE id = %s RETURNING message_seq, event_seq
"""


def append(
    *,
    conversation_id: uuid.UUID,
    tenant_id: uuid.UUID,
    messages: Sequence[NewMessage] = (),
    events: Sequence[NewEvent] = (),
    now: dt.datetime,
) -> list[ConversationMessage]:
    """Append messages, an event for each, then further events, in one go.

    Must run inside `atomic()`, after everything else in it.
    """
    if not connection.in_atomic_block:
        message = "the journal is written inside a transaction"
        raise transaction.TransactionManagementError(message)
    count = len(messages) + len(events)
    last_message, last_event = _take_numbers(
        conversation_id, messages=len(messages), events=count, now=now
    )
    rows = [
        ConversationMessage(
            id=new.id,
            tenant_id=tenant_id,
            conversation_id=conversation_id,
            seq=last_message - len(messages) + 1 + index,
            role=new.role,
            text=new.text,
            data=new.data,
            author_id=new.author_id,
            turn_id=new.turn_id,
            attempt=new.attempt,
            client_key=new.client_key,
            created_at=now,
        )
        for index, new in enumerate(messages)
    ]
    facts = [NewEvent(EventKind.MESSAGE, _message_fact(row)) for row in rows]
    ConversationMessage.objects.bulk_create(rows)
    Event.objects.bulk_create(
        [
            Event(
                conversation_id=conversation_id,
                seq=last_event - count + 1 + index,
                kind=new.kind,
                data=new.data,
                created_at=now,
            )
            for index, new in enumerate([*facts, *events])
        ]
    )
    transaction.on_commit(lambda: bus.publish(conversation_id, last_event), robust=True)
    return rows


def _message_fact(row: ConversationMessage) -> dict[str, Any]:
    return {
        "message": str(row.id),
        "seq": row.seq,
        "role": str(row.role),
        "turn": str(row.turn_id) if row.turn_id else None,
    }


def append_message(
    *,
    conversation_id: uuid.UUID,
    tenant_id: uuid.UUID,
    role: MessageRole,
    text: str = "",
    data: dict[str, Any] | None = None,
    author_id: uuid.UUID | None = None,
    turn_id: uuid.UUID | None = None,
    attempt: int = 1,
    client_key: str | None = None,
    now: dt.datetime,
) -> ConversationMessage:
    """Append one message and its event."""
    new = NewMessage(role, text, data or {}, author_id, turn_id, attempt, client_key)
    return append(
        conversation_id=conversation_id, tenant_id=tenant_id, messages=[new], now=now
    )[0]


def append_notice(
    *,
    conversation_id: uuid.UUID,
    tenant_id: uuid.UUID,
    kind: str,
    text: str,
    cards: Sequence[dict[str, str]] = (),
    facts: dict[str, Any] | None = None,
    now: dt.datetime,
) -> ConversationMessage:
    """Append a notice: the system's word to the person and, next turn, the model."""
    return append_message(
        conversation_id=conversation_id,
        tenant_id=tenant_id,
        role=MessageRole.NOTICE,
        text=text,
        data={"kind": kind, "cards": list(cards), "facts": facts or {}},
        now=now,
    )


def append_event(
    *,
    conversation_id: uuid.UUID,
    tenant_id: uuid.UUID,
    kind: EventKind,
    data: dict[str, Any],
    now: dt.datetime,
) -> None:
    """Append one event."""
    append(
        conversation_id=conversation_id,
        tenant_id=tenant_id,
        events=[NewEvent(kind, data)],
        now=now,
    )


def touch_card(
    *,
    conversation_id: uuid.UUID,
    tenant_id: uuid.UUID,
    kind: str,
    id: uuid.UUID,
    now: dt.datetime,
) -> None:
    """Say that a card has changed: open pages fetch it again."""
    append_event(
        conversation_id=conversation_id,
        tenant_id=tenant_id,
        kind=EventKind.CARD,
        data={"card": kind, "id": str(id)},
        now=now,
    )
