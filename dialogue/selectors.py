"""Reads of conversations. Nothing here is found without tenant and principal."""

from __future__ import annotations

import uuid

from django.db.models import Q, QuerySet

from dialogue.models import (
    Conversation,
    ConversationMessage,
    ConversationStatus,
    Track,
    Turn,
    TurnChunk,
)
from tooling.errors import InvalidInput, NotFound
from tooling.paging import Page, keyset
from tooling.policy import Act, Principal, require


def visible_conversations(*, principal: Principal) -> QuerySet[Conversation]:
    """Return what this principal may see: its tenant's, private ones only their own.

    A model sees what the person whose message it answers sees.
    """
    mine = Q(is_private=False) | Q(created_by_id=principal.user_id)
    return Conversation.objects.filter(mine, tenant_id=principal.tenant_id)


def find_conversation(
    *, principal: Principal, conversation_id: uuid.UUID
) -> Conversation:
    """Return a conversation or raise `NotFound`, the same for foreign and unknown."""
    require(principal, Act.READ)
    found = visible_conversations(principal=principal).filter(pk=conversation_id)
    conversation = found.select_related("created_by").first()
    if conversation is None:
        raise NotFound
    return conversation


def check_track(track: str, *, field: str = "track") -> Track:
    """Return the Track of exactly this name, or raise `InvalidInput`."""
    if track not in Track.values:
        raise InvalidInput(field=field, extra={"choices": list(Track.values)})
    return Track(track)


def list_conversations(
    *,
    principal: Principal,
    track: str = "",
    status: str = "",
    archived: bool = False,
    search: str = "",
    cursor: str = "",
    limit: int = 50,
) -> Page[Conversation]:
    """Return the tenant's conversations, newest activity first; never a message."""
    require(principal, Act.READ)
    rows = visible_conversations(principal=principal).select_related("created_by")
    rows = rows.filter(archived_at__isnull=not archived)
    if track:
        rows = rows.filter(track=check_track(track))
    if status:
        if status not in ConversationStatus.values:
            choices = list(ConversationStatus.values)
            raise InvalidInput(field="status", extra={"choices": choices})
        rows = rows.filter(status=status)
    if search:
        rows = rows.filter(title__icontains=search[:200])
    return keyset(rows, cursor=cursor, limit=limit, field="active_at")


def messages_of(
    *,
    conversation: Conversation,
    before_seq: int | None = None,
    after_seq: int | None = None,
    limit: int = 50,
) -> list[ConversationMessage]:
    """Return messages in order: the last `limit`, those before, or those after."""
    rows = ConversationMessage.objects.filter(conversation=conversation)
    rows = rows.select_related("author")
    if after_seq is not None:
        return list(rows.filter(seq__gt=after_seq).order_by("seq")[:limit])
    if before_seq is not None:
        rows = rows.filter(seq__lt=before_seq)
    return list(rows.order_by("-seq")[:limit])[::-1]


def find_message(
    *, conversation: Conversation, message_id: uuid.UUID
) -> ConversationMessage:
    """Return one message of a conversation or raise `NotFound`."""
    found = ConversationMessage.objects.select_related("author").filter(
        conversation=conversation, pk=message_id
    )
    message = found.first()
    if message is None:
        raise NotFound
    return message


def latest_turn(*, conversation: Conversation) -> Turn | None:
    """Return the newest turn of a conversation."""
    return (
        Turn.objects.filter(conversation=conversation).order_by("-created_at").first()
    )


def unfinished_turns(*, conversation: Conversation) -> list[Turn]:
    """Return queued and live turns, oldest first."""
    states = ["queued", "running", "waiting", "stopping"]
    rows = Turn.objects.filter(conversation=conversation, state__in=states)
    return list(rows.order_by("created_at"))


def turn_of(*, principal: Principal, turn_id: uuid.UUID) -> Turn:
    """Return a turn whose conversation the principal may see, or raise `NotFound`."""
    require(principal, Act.READ)
    turn = (
        Turn.objects.select_related("conversation")
        .filter(pk=turn_id, conversation__in=visible_conversations(principal=principal))
        .first()
    )
    if turn is None:
        raise NotFound
    return turn


def partial_text(*, turn: Turn) -> str:
    """Return the streamed text of a turn's current step that is not stored yet."""
    chunks = list(
        TurnChunk.objects.filter(turn=turn, attempt=turn.attempt)
        .order_by("step", "offset")
        .values_list("step", "text")
    )
    if not chunks:
        return ""
    step = chunks[-1][0]
    return "".join(text for number, text in chunks if number == step)


def messages_of_turn(*, turn: Turn) -> list[ConversationMessage]:
    """Return what a turn has stored so far, its human message first."""
    rows = ConversationMessage.objects.filter(
        conversation_id=turn.conversation_id, turn_id=turn.pk
    )
    return list(rows.select_related("author").order_by("seq"))
