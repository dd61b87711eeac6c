"""What a request's conversation hears, in that conversation's language."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

from django.utils import translation

from decisions.models import AttentionRequest
from dialogue.models import Conversation
from dialogue.services.journal import append_notice, touch_card

CARD = "proposal"


def card_of(request: AttentionRequest) -> dict[str, str]:
    """Return what a message's data says to show the request's card."""
    return {"kind": CARD, "id": str(request.pk)}


def refresh_card(*, request: AttentionRequest, now: dt.datetime) -> None:
    """Make open pages fetch the request's card again."""
    if request.origin_conversation is not None:
        touch_card(
            conversation_id=request.origin_conversation,
            tenant_id=request.tenant_id,
            kind=CARD,
            id=request.pk,
            now=now,
        )


def tell_conversation(
    *,
    request: AttentionRequest,
    kind: str,
    sentence: Callable[[], str],
    facts: dict[str, Any],
    cards: Sequence[dict[str, str]] = (),
    now: dt.datetime,
) -> None:
    """Append a notice to the conversation that the request came from, if it is there.

    `sentence` runs under the conversation's language: person and model read it.
    Must come last in the transaction: lock order is request, then conversation.
    """
    if request.origin_conversation is None:
        return
    language = (
        Conversation.objects.filter(
            pk=request.origin_conversation, tenant_id=request.tenant_id
        )
        .values_list("language", flat=True)
        .first()
    )
    if language is None:
        return
    with translation.override(language):
        text = sentence()
    append_notice(
        conversation_id=request.origin_conversation,
        tenant_id=request.tenant_id,
        kind=kind,
        text=text,
        cards=cards,
        facts={
            "request": str(request.pk),
            "title": request.title,
            "revision": request.revision,
            **facts,
        },
        now=now,
    )
