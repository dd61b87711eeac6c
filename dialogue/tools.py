"""The read tools over conversations; one of them reaches every early message."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.db.models import Q
from pydantic import Field

from dialogue.models import Conversation, ConversationMessage, MessageRole, Turn
from dialogue.selectors import visible_conversations
from dialogue.spawned import list_spawned
from dialogue.why import latest_turns, why_turn
from tooling.errors import NotFound
from tooling.listing import MAX_ITEMS, bounded_list, excerpt, key_of
from tooling.registry import (
    NoArguments,
    ToolArguments,
    ToolContext,
    ToolResult,
    register_tool,
)
from tooling.tiers import Tier

MAX_WORDS = 8
LAST_MESSAGES = 6
# Results of tools would find themselves; what people read is what is searched.
SEARCHED = (MessageRole.USER, MessageRole.ASSISTANT, MessageRole.NOTICE)


class ConversationListArguments(ToolArguments):
    """Narrow the list by Track, status, and words of the title."""

    track: Literal["Governance", "Research", "Planning", "Build"] | None = None
    status: Literal["open", "completed"] | None = None
    query: Annotated[str, Field(max_length=200)] = ""


class ConversationArguments(ToolArguments):
    """One conversation; without an id the one at hand."""

    id: Annotated[str, Field(max_length=40)] | None = None


class SearchArguments(ToolArguments):
    """Words to find in this conversation's messages; all of them, then any."""

    query: Annotated[str, Field(min_length=1, max_length=200)]
    limit: Annotated[int, Field(ge=1, le=MAX_ITEMS)] = 10


@register_tool(
    name="conversation_list",
    tier=Tier.READ,
    arguments=ConversationListArguments,
    description="List the team's conversations, newest activity first.",
)
def conversation_list(
    *, context: ToolContext, arguments: ConversationListArguments
) -> ToolResult:
    """List conversations."""
    rows = visible_conversations(principal=context.principal)
    rows = rows.filter(archived_at__isnull=True)
    if arguments.track:
        rows = rows.filter(track=arguments.track)
    if arguments.status:
        rows = rows.filter(status=arguments.status)
    if arguments.query:
        rows = rows.filter(title__icontains=arguments.query)
    return ToolResult(bounded_list(rows.order_by("-active_at", "-id"), _item))


@register_tool(
    name="conversation_get",
    tier=Tier.READ,
    arguments=ConversationArguments,
    description=(
        "Get a conversation (this one unless an id is given): its Track and status, "
        "its last messages, and what it led to."
    ),
)
def conversation_get(
    *, context: ToolContext, arguments: ConversationArguments
) -> ToolResult:
    """Get one conversation."""
    rows = visible_conversations(principal=context.principal)
    key = key_of(arguments.id) if arguments.id else context.conversation_id
    conversation = rows.filter(pk=key).first()
    if conversation is None:
        raise NotFound(field="id")
    messages = ConversationMessage.objects.filter(
        conversation=conversation, role__in=SEARCHED
    ).order_by("-seq")[:LAST_MESSAGES]
    last = [_message(row) for row in messages][::-1]
    spawned = list_spawned(
        tenant_id=conversation.tenant_id, conversation_id=conversation.pk
    )
    data = {
        **_item(conversation),
        "messages": last,
        "led_to": [
            {
                "kind": row.kind,
                "id": str(row.id),
                "title": row.title,
                "status": str(row.status),
            }
            for row in spawned[-MAX_ITEMS:]
        ],
    }
    return ToolResult(data)


@register_tool(
    name="conversation_search",
    tier=Tier.READ,
    arguments=SearchArguments,
    description=(
        "Search all messages of this conversation, also those that are not shown to "
        "you any more. Returns each message's number (seq) and an excerpt."
    ),
)
def conversation_search(
    *, context: ToolContext, arguments: SearchArguments
) -> ToolResult:
    """Search this conversation's messages."""
    visible = visible_conversations(principal=context.principal)
    rows = ConversationMessage.objects.filter(
        conversation__in=visible.filter(pk=context.conversation_id),
        role__in=SEARCHED,
    ).exclude(pk=context.human_message_id)
    words = list(dict.fromkeys(arguments.query.split()))[:MAX_WORDS]
    if not words:
        return ToolResult({"items": [], "total": 0, "more": False})
    every, some = Q(), Q()
    for word in words:
        every &= Q(text__icontains=word)
        some |= Q(text__icontains=word)
    found = rows.filter(every)
    if not found.exists():
        found = rows.filter(some)

    def hit(row: ConversationMessage) -> dict[str, Any]:
        text = row.text.lower()
        first = next((word for word in words if word.lower() in text), "")
        return _message(row, around=first)

    return ToolResult(bounded_list(found.order_by("-seq"), hit, limit=arguments.limit))


@register_tool(
    name="why_not",
    tier=Tier.READ,
    arguments=NoArguments,
    description=(
        "Tell why something was not done in this conversation's latest turns: how the "
        "person's message was read, which calls were judged how and by which gate, "
        "and what would change it. Call it when the person asks why, or why not."
    ),
)
def why_not(*, context: ToolContext, arguments: NoArguments) -> ToolResult:
    """Explain the turn at hand and the one before it."""
    rows = visible_conversations(principal=context.principal)
    conversation = rows.filter(pk=context.conversation_id).first()
    if conversation is None:
        raise NotFound
    latest = latest_turns(conversation=conversation, limit=2)
    return ToolResult({"turns": [_why(turn) for turn in latest]})


def _why(turn: Turn) -> dict[str, Any]:
    facts = why_turn(turn=turn)
    intent = facts["intent"]
    told = ("name", "state", "verdict", "gate", "basis", "why", "opens")
    return {
        "message": excerpt(turn.human_message.text),
        "read_as": intent["label"],
        "because_of": excerpt(intent["text"]),
        "so": intent["so"],
        "asks_for": intent["tools"],
        "gates_now": facts["gates"],
        "calls": [
            {key: call[key] for key in told} for call in facts["calls"][-MAX_ITEMS:]
        ],
    }


def _item(row: Conversation) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "title": row.title or str(row.track),
        "status": str(row.status),
        "track": str(row.track),
        "active_at": row.active_at.isoformat(),
    }


def _message(row: ConversationMessage, *, around: str = "") -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "seq": row.seq,
        "role": str(row.role),
        "excerpt": excerpt(row.text, around=around),
        "at": row.created_at.isoformat(),
    }
