"""Small reads of the chat pages, one statement each."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q, Sum

from dialogue.models import Conversation, ConversationMessage, Turn, TurnState
from dialogue.models.turn import LIVE_STATES
from dialogue.services.send import MAX_QUEUED
from tooling.models import ModelCall, ToolCall

UNFINISHED = (TurnState.QUEUED, *LIVE_STATES)
RECENT = MAX_QUEUED + 5


@dataclass(frozen=True, slots=True)
class CostLine:
    """Calls of one purpose and model: tokens, nano-dollars, calls without a price."""

    call_site: str
    model: str
    calls: int
    unpriced: int
    input_tokens: int
    output_tokens: int
    nano_usd: int


def turns_of_messages(rows: Iterable[ConversationMessage]) -> dict[uuid.UUID, Turn]:
    """Return the turns that messages belong to, by key."""
    ids = {row.turn_id for row in rows if row.turn_id}
    return {turn.pk: turn for turn in Turn.objects.filter(pk__in=ids)}


def recent_turns(conversation: Conversation) -> list[Turn]:
    """Return the newest turns, newest first: at least all that are unfinished."""
    rows = Turn.objects.filter(conversation=conversation)
    return list(rows.order_by("-created_at", "-id")[:RECENT])


def tool_calls_of_messages(
    rows: Sequence[ConversationMessage],
) -> dict[str, ToolCall]:
    """Return the judged calls that tool messages tell of, by key as text."""
    ids = [row.data["tool_call"] for row in rows if row.data.get("tool_call")]
    if not ids:
        return {}
    tenant_id = rows[0].tenant_id
    found = ToolCall.objects.filter(pk__in=ids, tenant_id=tenant_id)
    return {str(call.pk): call for call in found}


def answered_calls(turn_ids: Iterable[uuid.UUID]) -> set[str]:
    """Return the ids of the calls of these turns that have a result."""
    ids = list(turn_ids)
    if not ids:
        return set()
    rows = ConversationMessage.objects.filter(turn_id__in=ids, role="tool")
    return {str(data.get("call_id")) for data in rows.values_list("data", flat=True)}


def running_conversations(conversations: Iterable[Conversation]) -> set[uuid.UUID]:
    """Return which of these conversations have an answer under way."""
    ids = [conversation.pk for conversation in conversations]
    rows = Turn.objects.filter(conversation_id__in=ids, state__in=UNFINISHED)
    return set(rows.values_list("conversation_id", flat=True))


def cost_lines(conversation: Conversation) -> list[CostLine]:
    """Return a conversation's ledger by purpose and model."""
    calls = ModelCall.objects.filter(
        conversation_id=conversation.pk, tenant_id=conversation.tenant_id
    )
    rows = (
        calls.values("call_site", "model")
        .annotate(
            calls=Count("id"),
            unpriced=Count("id", filter=Q(cost_nano_usd__isnull=True)),
            input_tokens=Sum(
                F("fresh_tokens") + F("cache_read_tokens") + F("cache_write_tokens")
            ),
            output_tokens=Sum(F("output_tokens") + F("reasoning_tokens")),
            nano_usd=Sum("cost_nano_usd"),
        )
        .order_by("call_site", "model")
    )
    return [
        CostLine(
            call_site=row["call_site"],
            model=row["model"],
            calls=row["calls"],
            unpriced=row["unpriced"],
            input_tokens=row["input_tokens"] or 0,
            output_tokens=row["output_tokens"] or 0,
            nano_usd=row["nano_usd"] or 0,
        )
        for row in rows
    ]
