"""The window that prompts are built from, and its rare big steps."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.conf import settings
from django.db.models import Q

from dialogue.models import (
    ConversationMessage,
    EngineSession,
    MessageRole,
    Turn,
)
from dialogue.turns.rows import MessageValues, WindowRow
from tooling.boundary import canonical_json
from tooling.llm.estimates import estimate_tokens

MESSAGE_OVERHEAD = 8


def message_tokens(message: MessageValues) -> int:
    """Return what a message is counted as in a prompt."""
    data = canonical_json(message.data).decode() if message.data else ""
    return MESSAGE_OVERHEAD + estimate_tokens(message.text) + estimate_tokens(data)


def next_start(
    messages: Sequence[MessageValues], *, limit: int, keep: int
) -> int | None:
    """Return the `seq` at which the window should start now, None to leave it.

    `messages` are those of the window in order. Over `limit` tokens the start moves
    so far that at most `keep` remain, and always to a person's message, so that no
    tool call is parted from its result. The newest person's message always stays.
    """
    sizes = [message_tokens(message) for message in messages]
    if sum(sizes) <= limit:
        return None
    starts = [
        index
        for index, message in enumerate(messages)
        if message.role == MessageRole.USER
    ]
    if not starts:
        return None
    fitting = [index for index in starts if sum(sizes[index:]) <= keep]
    chosen = fitting[0] if fitting else starts[-1]
    return messages[chosen].seq


def load_window(
    *, turn: Turn, provider_key: str, up_to: int, now: dt.datetime
) -> tuple[EngineSession, list[WindowRow]]:
    """Return the session and the messages that a turn's prompt is built from.

    These are the messages up to `up_to` and the turn's own, without what people have
    sent after the message at hand; the turn's own come last.
    """
    session, _created = EngineSession.objects.get_or_create(
        conversation_id=turn.conversation_id,
        provider_key=provider_key,
        retired_at=None,
        defaults={"created_at": now},
    )
    messages = _rows(turn, start_seq=session.start_seq, up_to=up_to)
    start = next_start(
        messages, limit=settings.WINDOW_TOKENS, keep=settings.WINDOW_KEEP_TOKENS
    )
    if start is not None and start > session.start_seq:
        session = replace_session(session, start_seq=start, now=now)
        messages = [message for message in messages if message.seq >= start]
    return session, messages


def _rows(turn: Turn, *, start_seq: int, up_to: int) -> list[WindowRow]:
    here = Q(seq__gte=start_seq, seq__lte=up_to) | Q(turn_id=turn.pk)
    later = Q(role=MessageRole.USER, seq__gt=turn.human_message.seq)
    rows = ConversationMessage.objects.filter(
        here, conversation_id=turn.conversation_id
    ).exclude(later)
    found = [WindowRow(*row) for row in rows.values_list(*WindowRow._fields)]
    return sorted(found, key=lambda row: (row.turn_id == turn.pk, row.seq))


def replace_session(
    session: EngineSession, *, start_seq: int, now: dt.datetime
) -> EngineSession:
    """Retire a session and put one with a later start in its place."""
    EngineSession.objects.filter(pk=session.pk).update(retired_at=now)
    return EngineSession.objects.create(
        conversation_id=session.conversation_id,
        provider_key=session.provider_key,
        start_seq=start_seq,
        created_at=now,
    )
