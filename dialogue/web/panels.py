"""What came of a conversation, and what it cost."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from dialogue.models import Conversation, ConversationMessage
from dialogue.selectors import find_conversation
from dialogue.spawned import Spawned, list_spawned
from dialogue.web.chat import MESSAGES
from dialogue.web.rows import cost_lines
from tooling.selectors import cost_of_conversation
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from tooling.web.tenant import TenantRequest

# In the order in which one leads to the next.
KINDS: dict[str, str | Promise] = {
    "request": _("Proposals and requests"),
    "mission": _("Missions"),
    "task": _("Tasks"),
    "draft": _("Workflow drafts"),
    "suggestion": _("Suggestions"),
}
_STATUSES: dict[str, str | Promise] = {
    "answered": _("Answered"),
    "approved": _("Approved"),
    "awaiting_decision": _("Awaiting a decision"),
    "blocked": _("Approved, but blocked"),
    "cancelled": _("Cancelled"),
    "changes_requested": _("Changes requested"),
    "completed": _("Completed"),
    "converted": _("Became a proposal"),
    "dismissed": _("Put aside"),
    "draft": _("Draft"),
    "expired": _("Expired"),
    "failed": _("Failed"),
    "open": _("Open"),
    "pending": _("Pending"),
    "placeholder": _("Placeholder"),
    "published": _("Published"),
    "ready": _("Ready"),
    "rejected": _("Rejected"),
    "running": _("Running"),
    "superseded": _("Replaced by a newer revision"),
    "withdrawn": _("Withdrawn"),
}


@tenant_view()
@require_safe
def spawned(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """List everything that came of a conversation, with the message it came from."""
    conversation = find_conversation(
        principal=request.principal, conversation_id=conversation_id
    )
    rows = list_spawned(
        tenant_id=request.principal.tenant_id, conversation_id=conversation.pk
    )
    seqs = _seqs(conversation, rows)
    chat = reverse("dialogue:chat", args=[request.tenant.slug, conversation.pk])
    groups = [
        {
            "label": KINDS.get(kind, kind),
            "rows": [
                {
                    "row": row,
                    "status": _STATUSES.get(row.status, row.status),
                    **_origin(conversation, seqs.get(row.origin_message), chat),
                }
                for row in rows
                if row.kind == kind
            ],
        }
        for kind in _ordered({row.kind for row in rows})
    ]
    context = {"conversation": conversation, "groups": groups}
    return render(request, "dialogue/spawned.html", context)


def _ordered(kinds: set[str]) -> list[str]:
    known = list(KINDS)
    return sorted(kinds, key=lambda kind: known.index(kind) if kind in known else 99)


def _origin(conversation: Conversation, seq: int | None, chat: str) -> dict[str, Any]:
    """Return where the message is found: on the newest page, or on one around it."""
    if seq is None:
        return {}
    is_old = seq <= conversation.message_seq - MESSAGES
    page = f"?before={seq + MESSAGES // 2}" if is_old else ""
    return {"seq": seq, "message_url": f"{chat}{page}#m{seq}"}


def _seqs(
    conversation: Conversation, rows: list[Spawned]
) -> dict[uuid.UUID | None, int]:
    ids = {row.origin_message for row in rows if row.origin_message}
    found = ConversationMessage.objects.filter(conversation=conversation, pk__in=ids)
    return dict(found.values_list("pk", "seq"))


@tenant_view()
@require_safe
def costs(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show the ledger of a conversation: by purpose and model, and its sum."""
    conversation = find_conversation(
        principal=request.principal, conversation_id=conversation_id
    )
    context = {
        "conversation": conversation,
        "lines": cost_lines(conversation),
        "sums": cost_of_conversation(conversation_id=conversation.pk),
    }
    return render(request, "dialogue/costs.html", context)
