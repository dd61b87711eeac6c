"""Rows of conversations: messages, turns, the numbered journal."""

from dialogue.models.conversation import (
    Conversation,
    ConversationMessage,
    ConversationStatus,
    MessageRole,
    Track,
)
from dialogue.models.correction import IntentCorrection
from dialogue.models.journal import Event, EventKind
from dialogue.models.session import EngineSession
from dialogue.models.turn import LIVE_STATES, Turn, TurnChunk, TurnState

__all__ = [
    "LIVE_STATES",
    "Conversation",
    "ConversationMessage",
    "ConversationStatus",
    "EngineSession",
    "Event",
    "EventKind",
    "IntentCorrection",
    "MessageRole",
    "Track",
    "Turn",
    "TurnChunk",
    "TurnState",
]
