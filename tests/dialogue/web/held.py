"""Held-back writes in a chat, as the agent loop leaves them."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client
from django.utils import timezone

from dialogue.models import MessageRole, Turn
from tests.dialogue.web.conftest import Chat
from tests.missions.support import proposal
from tooling.boundary import payload_hash
from tooling.models import ToolCall

PLAIN = {k: v for k, v in proposal().items() if k != "plan"}


def hold(chat: Chat, turn: Turn, **fields: Any) -> ToolCall:
    """Store a held-back `mission_create` of a turn, with its message and card."""
    row = ToolCall.objects.create(
        **{
            "tenant_id": chat.conversation.tenant_id,
            "conversation_id": chat.conversation.pk,
            "turn_id": turn.pk,
            "human_message_id": turn.human_message_id,
            "provider_call_id": "call_1",
            "name": "mission_create",
            "tier": "write",
            "arguments": PLAIN,
            "arguments_hash": payload_hash(PLAIN),
            "verdict": "surface",
            "gate": "no_explicit_request",
            "state": "surfaced",
            "result": {"data": {"refused": True, "message": "Not done."}, "cards": []},
            "ended_at": timezone.now(),
            **fields,
        }
    )
    data = {
        "call_id": "call_1",
        "name": row.name,
        "state": row.state,
        "gate": row.gate,
        "result": {"refused": True, "message": "Not done."},
        "cards": [{"kind": "action", "id": str(row.pk)}],
        "tool_call": str(row.pk),
    }
    chat.add(MessageRole.TOOL, "", data, turn)
    return row


def card_of(client: Client, chat: Chat, held: ToolCall) -> str:
    response = client.get(chat.url(f"cards/action/{held.pk}/"))
    assert response.status_code == 200
    return response.content.decode()


def seen_on(html: str) -> str:
    found = re.search(r'name="seen" value="([0-9a-f]{64})"', html)
    assert found, "the card offers no click"
    return found[1]
