"""Why not? A turn's judgements in words, as a page and as a part of the chat page."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dialogue.models import Turn
from dialogue.selectors import find_conversation, turn_of
from dialogue.services.readings import correct_reading
from dialogue.web.words import gate_words, tool_state, tool_words
from dialogue.why import label_choices, why_turn
from tooling.errors import DomainError, NotAllowed, NotFound
from tooling.policy import Act, allows
from tooling.tiers import Tier
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from typing import Any

    from tooling.web.tenant import TenantRequest


@tenant_view()
@require_safe
def why(
    request: TenantRequest, conversation_id: uuid.UUID, turn_id: uuid.UUID
) -> HttpResponse:
    """Say what was served, how each call was judged, and what would change it."""
    conversation = find_conversation(
        principal=request.principal, conversation_id=conversation_id
    )
    turn = turn_of(principal=request.principal, turn_id=turn_id)
    if turn.conversation_id != conversation.pk:
        raise NotFound
    context = {"conversation": conversation, "turn": turn, **_shown(request, turn)}
    part = request.GET.get("part") == "1"
    return render(request, f"dialogue/{'_why' if part else 'why'}.html", context)


@tenant_view(act=Act.CONVERSE)
@require_POST
def correct(
    request: TenantRequest, conversation_id: uuid.UUID, turn_id: uuid.UUID
) -> HttpResponse:
    """Store how a person reads the message; nothing that ran changes."""
    try:
        correct_reading(
            principal=request.principal,
            conversation_id=conversation_id,
            turn_id=turn_id,
            label=request.POST.get("label", ""),
            now=timezone.now(),
        )
    except (NotFound, NotAllowed):
        raise
    except DomainError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(
            request, _("Noted. It changes nothing that ran, and gives no right.")
        )
    return redirect("dialogue:why", request.tenant.slug, conversation_id, turn_id)


def _shown(request: TenantRequest, turn: Turn) -> dict[str, Any]:
    facts = why_turn(turn=turn)
    calls = []
    for call in facts["calls"]:
        words, tone = tool_state(call["state"])
        calls.append(
            {
                **call,
                "words": tool_words(call["name"]),
                "state_words": words,
                "tone": tone,
                "gate_words": gate_words(call["gate"]),
            }
        )
    served = facts["served"]
    return {
        **facts,
        "turn": turn,
        "calls": calls,
        "served": None if served is None else _by_tier(served),
        "labels": label_choices(),
        "may_correct": allows(request.principal, Act.CONVERSE),
        "may_change_features": allows(request.principal, Act.FEATURES),
    }


def _by_tier(served: list[dict[str, str]]) -> list[dict[str, Any]]:
    return [
        {"tier": str(tier.label), "names": names}
        for tier in (Tier.READ, Tier.PROPOSE, Tier.WRITE)
        if (names := [each["name"] for each in served if each["tier"] == tier])
    ]
