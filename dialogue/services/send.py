"""Send: store the message and a queued turn in one transaction, then answer."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from dialogue.live.wake import wake_on_commit
from dialogue.models import (
    Conversation,
    ConversationMessage,
    ConversationStatus,
    EventKind,
    MessageRole,
    Turn,
    TurnState,
)
from dialogue.services.conversations import ConversationCompleted, find_for_change
from dialogue.services.journal import NewEvent, NewMessage, append
from dialogue.services.titles import title_from
from tooling.boundary import check_text, require_text
from tooling.errors import Conflict, DomainError
from tooling.ids import new_id
from tooling.policy import Principal

CLIENT_KEY_CHARS = 120
MAX_QUEUED = 20


class ClientKeyReused(Conflict):
    """The same client key with another text."""

    code = "client_key_reused"
    message = _("This message key was used for another text. Send it with a new key.")


class TooManyQueued(DomainError):
    """More messages wait than a conversation holds."""

    code = "too_many_queued"
    status = 429
    message = _("Too many messages wait for an answer. Wait, or stop the running one.")


@dataclass(frozen=True, slots=True)
class Sent:
    """The stored message and its turn; `created` is false for a repetition."""

    message: ConversationMessage
    turn: Turn
    created: bool


def send_message(
    *,
    principal: Principal,
    conversation_id: uuid.UUID,
    text: str,
    client_key: str | None,
    now: dt.datetime,
) -> Sent:
    """Store a person's message and queue the turn that answers it.

    With the same `client_key` again the first message and turn are returned.
    Raises `NotFound`, `ConversationCompleted`, boundary errors, `ClientKeyReused`.
    """
    conversation = find_for_change(principal, conversation_id)
    require_text(text, field="text", max_chars=settings.MESSAGE_MAX_CHARS)
    if client_key is not None:
        check_text(client_key, field="client_key", max_chars=CLIENT_KEY_CHARS)
        repeated = _repeated(conversation, client_key, text)
        if repeated:
            return repeated
    try:
        return _store(conversation, principal, text, client_key, now)
    except IntegrityError:
        # Lost the race for the client key to a twin of this very request.
        twin = _repeated(conversation, client_key, text) if client_key else None
        if twin is None:
            raise
        return twin


def _repeated(conversation: Conversation, client_key: str, text: str) -> Sent | None:
    message = ConversationMessage.objects.filter(
        conversation=conversation, client_key=client_key
    ).first()
    if message is None:
        return None
    if message.text != text:
        raise ClientKeyReused(field="client_key")
    turn = Turn.objects.get(human_message=message)
    return Sent(message=message, turn=turn, created=False)


def _store(
    conversation: Conversation,
    principal: Principal,
    text: str,
    client_key: str | None,
    now: dt.datetime,
) -> Sent:
    message_id, turn_id = new_id(), new_id()
    with transaction.atomic():
        _check_open(conversation, text)
        [message] = append(
            conversation_id=conversation.pk,
            tenant_id=conversation.tenant_id,
            messages=[
                NewMessage(
                    MessageRole.USER,
                    text,
                    author_id=principal.user_id,
                    turn_id=turn_id,
                    client_key=client_key,
                    id=message_id,
                )
            ],
            events=[
                NewEvent(
                    EventKind.TURN,
                    {"turn": str(turn_id), "state": TurnState.QUEUED, "attempt": 1},
                )
            ],
            now=now,
        )
        turn = Turn.objects.create(
            id=turn_id,
            tenant_id=conversation.tenant_id,
            conversation=conversation,
            human_message=message,
            requested_by_id=principal.person,
            created_at=now,
        )
        wake_on_commit()
    return Sent(message=message, turn=turn, created=True)


def _check_open(conversation: Conversation, text: str) -> None:
    """Lock the row, and look at it again under the lock; title it if it has none."""
    locked = Conversation.objects.select_for_update().get(pk=conversation.pk)
    if locked.status != ConversationStatus.OPEN:
        raise ConversationCompleted
    queued = Turn.objects.filter(conversation=locked, state=TurnState.QUEUED)
    if queued.count() >= MAX_QUEUED:
        raise TooManyQueued
    if not locked.title:
        Conversation.objects.filter(pk=locked.pk).update(title=title_from(text))
