"""Begin a conversation from a page: with its first message, and once for a form."""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict, dataclass

from django.conf import settings
from django.db import transaction

from dialogue.services.conversations import create_conversation
from dialogue.services.send import send_message
from tooling.boundary import require_text
from tooling.ids import new_id
from tooling.policy import Principal
from tooling.services.forms import do_once


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a person filled in. `text` is the first message; it may be empty."""

    track: str
    title: str
    language: str
    is_private: bool
    text: str


def begin_conversation(
    *, principal: Principal, form_key: str, wanted: Beginning, now: dt.datetime
) -> str:
    """Begin a conversation and send its first message; return the chat's key as text.

    Both or neither, and with the same `form_key` again the same conversation. Raises
    what `create_conversation` and `send_message` raise, and `FormSentBefore`.
    """

    def work() -> str:
        with transaction.atomic():
            return _begin(principal, wanted, now)

    text = wanted.text
    if text.strip():
        require_text(text, field="text", max_chars=settings.MESSAGE_MAX_CHARS)
    content = {name: str(value) for name, value in asdict(wanted).items()}
    return do_once(
        principal=principal, key=form_key, content=content, work=work, now=now
    )


def _begin(principal: Principal, wanted: Beginning, now: dt.datetime) -> str:
    conversation = create_conversation(
        principal=principal,
        track=wanted.track,
        title=wanted.title,
        language=wanted.language,
        is_private=wanted.is_private,
        now=now,
    )
    if wanted.text.strip():
        send_message(
            principal=principal,
            conversation_id=conversation.pk,
            text=wanted.text,
            client_key=new_id().hex,
            now=now,
        )
    return str(conversation.pk)
