"""Parts of the chat page that its script fetches, rendered as the page has them."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from dialogue.live.reading import Text, live_text
from dialogue.models import Conversation
from dialogue.selectors import find_conversation, find_message, messages_of
from dialogue.web.chat import (
    MESSAGES,
    after_seq,
    before_seq,
    earlier_of,
    may_send,
    turns_context,
)
from dialogue.web.presenting import load_card, marks_of, present, turn_line
from dialogue.web.rows import recent_turns
from tooling.errors import NotFound
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from tooling.web.tenant import TenantRequest


@tenant_view()
@require_safe
def sync(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Return as JSON what is new after message number `?after=`, and what goes on.

    `event` is the journal's position, read first; `messages` and `turns` are HTML;
    `marks` by turn; `more` says that further messages wait; `live` is streamed text.
    """
    conversation = _find(request, conversation_id)
    rows = messages_of(
        conversation=conversation, after_seq=after_seq(request), limit=MESSAGES
    )
    zone = turns_context(request, conversation)
    items = present(rows, principal=request.principal, line=zone["line"])
    return JsonResponse(
        {
            "event": conversation.event_seq,
            "messages": _html(request, "messages", conversation, items=items),
            "last": rows[-1].seq if rows else None,
            "more": len(rows) == MESSAGES,
            "turns": _html(request, "turns", conversation, **zone),
            "marks": marks_of(zone["recent"], zone["line"]),
            "unfinished": zone["unfinished"],
            "state": zone["line"].state if zone["line"] else "done",
            "title": conversation.title,
            "status": conversation.status,
            "may_send": may_send(request, conversation),
            "cost": zone["cost"],
            "grants": _html(request, "grants", conversation, **zone),
            "live": _live(live_text(conversation.pk)),
        }
    )


def _live(text: Text | None) -> dict[str, Any] | None:
    if text is None:
        return None
    return {
        "turn": text.turn_id,
        "attempt": text.attempt,
        "step": text.step,
        "offset": 0,
        "text": text.text,
    }


@tenant_view()
@require_safe
def older(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Return the messages before `?before=`, with a link to those before them."""
    conversation = _find(request, conversation_id)
    rows = messages_of(
        conversation=conversation, before_seq=before_seq(request), limit=MESSAGES
    )
    context = {
        "conversation": conversation,
        "items": _items(request, conversation, rows),
        "earlier": earlier_of(rows),
    }
    return render(request, "dialogue/_older.html", context)


@tenant_view()
@require_safe
def message(
    request: TenantRequest, conversation_id: uuid.UUID, message_id: uuid.UUID
) -> HttpResponse:
    """Return one message as the page shows it."""
    conversation = _find(request, conversation_id)
    row = find_message(conversation=conversation, message_id=message_id)
    context = {
        "conversation": conversation,
        "items": _items(request, conversation, [row]),
    }
    return render(request, "dialogue/_messages.html", context)


@tenant_view()
@require_safe
def card(
    request: TenantRequest, conversation_id: uuid.UUID, kind: str, card_id: uuid.UUID
) -> HttpResponse:
    """Return one card with its live state."""
    conversation = _find(request, conversation_id)
    slot = load_card(kind, card_id, principal=request.principal)
    if slot.card is None:
        raise NotFound
    context = {"conversation": conversation, "slot": slot}
    return render(request, "dialogue/_card.html", context)


@tenant_view()
@require_safe
def turns(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Return the zone below the messages: what is under way, or how it ended."""
    conversation = _find(request, conversation_id)
    context = {
        "conversation": conversation,
        **turns_context(request, conversation),
    }
    return render(request, "dialogue/_turns.html", context)


def _find(request: TenantRequest, conversation_id: uuid.UUID) -> Conversation:
    return find_conversation(
        principal=request.principal, conversation_id=conversation_id
    )


def _items(
    request: TenantRequest, conversation: Conversation, rows: list[Any]
) -> list[Any]:
    recent = recent_turns(conversation)
    line = turn_line(recent, may_act=False, now=timezone.now())
    return present(rows, principal=request.principal, line=line)


def _html(
    request: TenantRequest, name: str, conversation: Conversation, **context: Any
) -> str:
    context["conversation"] = conversation
    return render_to_string(f"dialogue/_{name}.html", context, request)
