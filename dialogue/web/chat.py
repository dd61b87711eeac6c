"""The chat page, whole without a script."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from dialogue.call_sites import GENERAL
from dialogue.live.reading import live_text
from dialogue.models import Conversation, ConversationMessage, ConversationStatus, Track
from dialogue.rendering.money import format_cost
from dialogue.selectors import find_conversation, list_conversations, messages_of
from dialogue.services.conversations import TITLE_CHARS
from dialogue.web.grants import live_lines
from dialogue.web.presenting import TurnLine, present, turn_line
from dialogue.web.rows import UNFINISHED, recent_turns
from tooling.errors import DomainError, InvalidInput
from tooling.llm.presets import resolve_preset
from tooling.models.llm import BackendKind
from tooling.policy import Act, allows
from tooling.selectors import cost_of_conversation
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from tooling.web.tenant import TenantRequest

MESSAGES = 50
RECENT_CONVERSATIONS = 15


@tenant_view()
@require_safe
def show_chat(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show a conversation: its last messages, or those before `?before=`."""
    conversation = find_conversation(
        principal=request.principal, conversation_id=conversation_id
    )
    return chat_page(request, conversation)


def chat_page(
    request: TenantRequest,
    conversation: Conversation,
    *,
    refused: DomainError | None = None,
    draft: str = "",
) -> HttpResponse:
    """Return the page of a conversation, with a draft that was refused if any.

    The journal's position is that of `conversation`, read before the messages: what
    comes in between is told twice, never missed.
    """
    before = before_seq(request)
    rows = messages_of(conversation=conversation, before_seq=before, limit=MESSAGES)
    context = {
        "conversation": conversation,
        **turns_context(request, conversation),
        **_frame(request, conversation),
        "before": before,
        "refused": refused,
        "draft": draft,
        "live": live_text(conversation.pk) if before is None else None,
    }
    context["items"] = present(rows, principal=request.principal, line=context["line"])
    context["earlier"] = earlier_of(rows)
    return render(
        request,
        "dialogue/chat.html",
        context,
        status=refused.status if refused else 200,
    )


def may_send(request: TenantRequest, conversation: Conversation) -> bool:
    """Tell whether the person at the page may send here now."""
    is_open = conversation.status == ConversationStatus.OPEN
    return is_open and allows(request.principal, Act.CONVERSE)


def turns_context(request: TenantRequest, conversation: Conversation) -> dict[str, Any]:
    """Return what the zone below the messages shows, and the cost so far."""
    recent = recent_turns(conversation)
    may_act = may_send(request, conversation)
    line = turn_line(recent, may_act=may_act, now=timezone.now())
    return {
        "recent": recent,
        "line": line,
        "unfinished": is_unfinished(line),
        "cost": _cost(conversation),
        "grants": live_lines(conversation, now=timezone.now()),
        "may_converse": allows(request.principal, Act.CONVERSE),
    }


def _cost(conversation: Conversation) -> str:
    sums = cost_of_conversation(conversation_id=conversation.pk)
    return format_cost(
        nano_usd=sums["nano_usd"],
        calls=sums["calls"],
        unpriced_calls=sums["unpriced_calls"],
    )


def is_unfinished(line: TurnLine | None) -> bool:
    """Tell whether more of an answer is to come."""
    return line is not None and line.turn.state in UNFINISHED


def before_seq(request: TenantRequest) -> int | None:
    """Return the message number before which to show; None for the newest.

    Raises `InvalidInput`.
    """
    return _number(request, "before")


def after_seq(request: TenantRequest) -> int:
    """Return the message number after which to show. Raises `InvalidInput`."""
    return _number(request, "after") or 0


def _number(request: TenantRequest, name: str) -> int | None:
    value = request.GET.get(name, "")
    if not value:
        return None
    if not value.isascii() or not value.isdecimal() or len(value) > 9:
        raise InvalidInput(field=name)
    return int(value)


def earlier_of(rows: list[ConversationMessage]) -> int | None:
    """Return before which number there is more to show."""
    return rows[0].seq if rows and rows[0].seq > 1 else None


def _frame(request: TenantRequest, conversation: Conversation) -> dict[str, Any]:
    principal = request.principal
    page = list_conversations(principal=principal, limit=RECENT_CONVERSATIONS)
    return {
        "recent_conversations": page.items,
        "may_send": may_send(request, conversation),
        "may_converse": allows(principal, Act.CONVERSE),
        "is_completed": conversation.status == ConversationStatus.COMPLETED,
        "client_key": uuid.uuid4().hex,
        "track_label": Track(conversation.track).label,
        "max_chars": settings.MESSAGE_MAX_CHARS,
        "title_chars": TITLE_CHARS,
        "is_planner": _answers_by_rules(),
        "switch_on": settings.WRITE_TOOLS_SERVED,
    }


def _answers_by_rules() -> bool:
    """Tell whether the offline planner answers; broken settings say so in a turn."""
    try:
        return resolve_preset(call_site=GENERAL.name).kind == BackendKind.PLANNER
    except DomainError:
        return False
