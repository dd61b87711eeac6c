"""What several endpoints answer with, put together from the selectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dialogue.api.serializers import (
    AnsweredSerializer,
    SentSerializer,
    TurnDetailSerializer,
)
from dialogue.cards import load_cards
from dialogue.models import ConversationMessage, MessageRole, Turn
from dialogue.selectors import messages_of_turn, partial_text
from dialogue.services.send import Sent
from dialogue.turns.states import ENDED
from tooling.policy import Principal
from tooling.selectors import tool_calls_of_turn


def has_ended(turn: Turn) -> bool:
    """Tell whether nothing more comes of this attempt."""
    return turn.state in ENDED


def messages_body(
    rows: Sequence[ConversationMessage],
    *,
    last_seq: int,
    principal: Principal,
) -> dict[str, Any]:
    """Return messages, for their serializer, with the cards that they name."""
    refs = [ref for row in rows for ref in row.data.get("cards", ())]
    cards = load_cards(refs=refs, principal=principal)
    return {
        "items": rows,
        "cards": [
            {"kind": kind, "id": key, "card": card}
            for (kind, key), card in cards.items()
        ],
        "earlier": rows[0].seq if rows and rows[0].seq > 1 else None,
        "later": rows[-1].seq if rows and rows[-1].seq < last_seq else None,
    }


def turn_body(turn: Turn) -> dict[str, Any]:
    """Return a turn with its steps so far."""
    rows = messages_of_turn(turn=turn)
    detail: Any = turn
    detail.messages = rows
    detail.tool_calls = tool_calls_of_turn(turn_id=turn.pk)
    detail.reply = reply_among(rows, turn)
    detail.partial_text = partial_text(turn=turn)
    return dict(TurnDetailSerializer(detail).data)


def reply_among(
    rows: Sequence[ConversationMessage], turn: Turn
) -> ConversationMessage | None:
    """Return the answer of a turn that has ended: its attempt's last assistant word."""
    if not has_ended(turn):
        return None
    answers = [
        row
        for row in rows
        if row.role == MessageRole.ASSISTANT and row.attempt == turn.attempt
    ]
    return answers[-1] if answers else None


def sent_body(sent: Sent) -> dict[str, Any]:
    """Return a stored message and its turn."""
    return dict(SentSerializer(sent).data)


def answered_body(sent: dict[str, Any], turn: Turn) -> dict[str, Any]:
    """Return what `sent_body` said, with the ended turn and its reply."""
    reply = reply_among(messages_of_turn(turn=turn), turn)
    now = AnsweredSerializer(
        {"message": turn.human_message, "turn": turn, "created": False, "reply": reply}
    ).data
    return {**sent, "turn": now["turn"], "reply": now["reply"]}
