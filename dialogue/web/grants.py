"""What the model may do here: the grants of a conversation, given and revoked."""

from __future__ import annotations

import datetime as dt
import math
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from dialogue.models import Conversation, ConversationStatus
from dialogue.selectors import find_conversation
from dialogue.services.grants import end_leave, give_leave
from dialogue.tool_names import tool_words
from dialogue.web.forms import number_of
from tooling.errors import DomainError, NotAllowed, NotFound
from tooling.models import SessionGrant
from tooling.models.grants import MAX_USES
from tooling.policy import Act, allows
from tooling.selectors import features_of, grants_of_conversation, live_grants
from tooling.services.grants import grantable_tools
from tooling.web.errors import wants_json
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from tooling.web.tenant import TenantRequest

MINUTES = (5, 15, 30, 60, 120, 240, 480)
USUAL_MINUTES = 15
USUAL_USES = 5
ENDED = 50


@dataclass(frozen=True, slots=True)
class GrantLine:
    """A grant as pages show it: `minutes` are what is left, rounded up."""

    grant: SessionGrant
    tools: list[str]
    minutes: int
    state: str


def live_lines(conversation: Conversation, *, now: dt.datetime) -> list[GrantLine]:
    """Return the conversation's live grants, the next to end first."""
    rows = live_grants(
        tenant_id=conversation.tenant_id, conversation_id=conversation.pk, now=now
    )
    return [_line(row, now) for row in rows]


def _line(row: SessionGrant, now: dt.datetime) -> GrantLine:
    seconds = max(0.0, (row.expires_at - now).total_seconds())
    return GrantLine(
        grant=row,
        tools=[tool_words(name) for name in row.tools],
        minutes=math.ceil(seconds / 60),
        state=_state(row, now),
    )


def _state(row: SessionGrant, now: dt.datetime) -> str:
    if row.revoked_at is not None:
        return str(row.end)
    if row.uses_left == 0:
        return "used_up"
    return "live" if row.expires_at > now else "expired"


@tenant_view()
@require_http_methods(["GET", "HEAD", "POST"])
def grants(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show what the model may do in a conversation; give it leave for more."""
    conversation = find_conversation(
        principal=request.principal, conversation_id=conversation_id
    )
    if request.method != "POST":
        return _page(request, conversation)
    try:
        give_leave(
            principal=request.principal,
            conversation_id=conversation.pk,
            tools=request.POST.getlist("tools"),
            minutes=number_of(request, "minutes"),
            uses=number_of(request, "uses"),
            now=timezone.now(),
        )
    except (NotFound, NotAllowed):
        raise
    except DomainError as refused:
        if wants_json(request):
            raise
        return _page(request, conversation, refused=refused)
    if wants_json(request):
        return JsonResponse({"state": "given"}, status=201)
    messages.success(request, _("Given. It shows here with what is left of it."))
    return redirect("dialogue:chat", request.tenant.slug, conversation.pk)


@tenant_view(act=Act.CONVERSE)
@require_POST
def revoke(
    request: TenantRequest, conversation_id: uuid.UUID, grant_id: uuid.UUID
) -> HttpResponse:
    """End a grant at once."""
    end_leave(
        principal=request.principal,
        conversation_id=conversation_id,
        grant_id=grant_id,
        now=timezone.now(),
    )
    if wants_json(request):
        return JsonResponse({"state": "revoked"})
    messages.success(request, _("Revoked. The next call finds it ended."))
    return redirect("dialogue:chat", request.tenant.slug, conversation_id)


def _page(
    request: TenantRequest,
    conversation: Conversation,
    *,
    refused: DomainError | None = None,
) -> HttpResponse:
    now = timezone.now()
    rows = grants_of_conversation(
        tenant_id=conversation.tenant_id, conversation_id=conversation.pk
    )
    lines = [_line(row, now) for row in rows[:ENDED]]
    is_open = conversation.status == ConversationStatus.OPEN
    context = {
        "conversation": conversation,
        "grants": live_lines(conversation, now=now),
        "ended": [line for line in lines if line.state != "live"],
        "may_give": is_open and allows(request.principal, Act.GRANT),
        "may_converse": allows(request.principal, Act.CONVERSE),
        "switch_on": settings.WRITE_TOOLS_SERVED,
        "toggle_on": features_of(tenant_id=request.tenant.pk).write_tools,
        "refused": refused,
        **_form(request),
    }
    status = refused.status if refused else 200
    return render(request, "dialogue/grants.html", context, status=status)


def _form(request: TenantRequest) -> dict[str, Any]:
    sent = request.POST if request.method == "POST" else request.GET
    chosen = sent.getlist("tools")
    return {
        "tools": [
            {"name": name, "words": tool_words(name), "is_chosen": name in chosen}
            for name in grantable_tools()
        ],
        "minutes_choices": MINUTES,
        "minutes": USUAL_MINUTES,
        "uses": USUAL_USES,
        "max_uses": MAX_USES,
    }
