"""The life cycle of a conversation, apart from sending."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from dialogue.models import Conversation, ConversationStatus, EventKind
from dialogue.selectors import check_track, find_conversation
from dialogue.services.journal import append_event
from tooling.boundary import check_text, require_text
from tooling.errors import Conflict, InvalidInput, NotAllowed
from tooling.policy import Act, Principal, require
from tooling.services.grants import end_grants

TITLE_CHARS = 200


class ConversationCompleted(Conflict):
    """A completed conversation takes no further messages."""

    code = "conversation_completed"
    message = _("This conversation is completed. Start a new one to go on.")


class NotParticipant(NotAllowed):
    """A private conversation belongs to the person who began it."""

    code = "not_participant"
    message = _("Only a participant may do this in a private conversation.")


def create_conversation(
    *,
    principal: Principal,
    track: str,
    title: str = "",
    language: str = "en",
    is_private: bool = False,
    now: dt.datetime,
) -> Conversation:
    """Begin a conversation on a Track. An unknown Track is a field error."""
    require(principal, Act.CONVERSE)
    chosen = check_track(track)
    check_text(title, field="title", max_chars=TITLE_CHARS)
    if language not in dict(settings.LANGUAGES):
        raise InvalidInput(field="language")
    return Conversation.objects.create(
        tenant_id=principal.tenant_id,
        track=chosen,
        title=title.strip(),
        title_source="human" if title.strip() else "auto",
        language=language,
        is_private=is_private,
        created_by_id=principal.person,
        created_at=now,
        active_at=now,
    )


def rename_conversation(
    *, principal: Principal, conversation_id: uuid.UUID, title: str, now: dt.datetime
) -> Conversation:
    """Give a conversation a title of a person's choice."""
    title = require_text(title, field="title", max_chars=TITLE_CHARS).strip()
    return _change(
        principal, conversation_id, now, {"title": title, "title_source": "human"}
    )


def archive_conversation(
    *,
    principal: Principal,
    conversation_id: uuid.UUID,
    archived: bool,
    now: dt.datetime,
) -> Conversation:
    """Put a conversation out of the list, or back into it. Nothing is lost."""
    change = {"archived_at": now if archived else None}
    return _change(principal, conversation_id, now, change)


def complete_conversation(
    *, principal: Principal, conversation_id: uuid.UUID, now: dt.datetime
) -> Conversation:
    """Close a conversation for further messages. Twice is harmless.

    Open proposals stay open; the caller says so. Grants end with it.
    """
    conversation = find_for_change(principal, conversation_id)
    end = partial(
        end_grants, principal=principal, conversation_id=conversation.pk, now=now
    )
    if conversation.status != ConversationStatus.COMPLETED:
        change = {"status": ConversationStatus.COMPLETED, "completed_at": now}
        with transaction.atomic():
            # Before the conversation is locked: a write holds its grant first, too.
            end()
            conversation = _change(principal, conversation_id, now, change)
    # From here on none is given; this ends what came in between.
    end()
    return conversation


def find_for_change(principal: Principal, conversation_id: uuid.UUID) -> Conversation:
    """Return a conversation that this person may change, or raise."""
    conversation = find_conversation(
        principal=principal, conversation_id=conversation_id
    )
    require(principal, Act.CONVERSE)
    if conversation.is_private and conversation.created_by_id != principal.user_id:
        raise NotParticipant
    return conversation


def _change(
    principal: Principal,
    conversation_id: uuid.UUID,
    now: dt.datetime,
    change: Mapping[str, object],
) -> Conversation:
    conversation = find_for_change(principal, conversation_id)
    with transaction.atomic():
        Conversation.objects.filter(pk=conversation.pk).update(**change)
        append_event(
            conversation_id=conversation.pk,
            tenant_id=conversation.tenant_id,
            kind=EventKind.CONVERSATION,
            data={
                "by": str(principal.user_id),
                **{k: str(v) if v is not None else None for k, v in change.items()},
            },
            now=now,
        )
    conversation.refresh_from_db()
    return conversation
