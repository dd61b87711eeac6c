"""Run once and dismiss: what a person does on the card of a held-back write."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from dialogue.services.held_calls import (
    DifferenceMoved,
    PutAside,
    dismiss_held_call,
    run_held_call,
)
from dialogue.tool_names import tool_words
from tooling.errors import DomainError
from tooling.models import ToolCallState
from tooling.policy import Act
from tooling.web.errors import wants_json
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from tooling.web.tenant import TenantRequest


@tenant_view(act=Act.RUN_ONCE)
@require_POST
def run_once(
    request: TenantRequest, conversation_id: uuid.UUID, call_id: uuid.UUID
) -> HttpResponse:
    """Run exactly what the card shows; what refuses it is told on the card."""
    try:
        done = run_held_call(
            principal=request.principal,
            conversation_id=conversation_id,
            call_id=call_id,
            seen=request.POST.get("seen", ""),
            now=timezone.now(),
        )
    except (DifferenceMoved, PutAside) as refused:
        return _refused(request, conversation_id, call_id, refused)
    if wants_json(request):
        return JsonResponse({"state": done.state}, status=200)
    if done.state == ToolCallState.DONE:
        messages.success(
            request, _("Done: %(what)s.") % {"what": tool_words(done.name)}
        )
    else:
        messages.warning(request, str(done.result.get("message", "")))
    return _to_card(request, conversation_id, call_id)


@tenant_view(act=Act.RUN_ONCE)
@require_POST
def dismiss_call(
    request: TenantRequest, conversation_id: uuid.UUID, call_id: uuid.UUID
) -> HttpResponse:
    """Put the card aside; the idea stays among the suggestions."""
    dismiss_held_call(
        principal=request.principal,
        conversation_id=conversation_id,
        call_id=call_id,
        now=timezone.now(),
    )
    if wants_json(request):
        return JsonResponse({"state": "dismissed"})
    return _to_card(request, conversation_id, call_id)


def _refused(
    request: TenantRequest,
    conversation_id: uuid.UUID,
    call_id: uuid.UUID,
    refused: DomainError,
) -> HttpResponse:
    if wants_json(request):
        raise refused
    messages.warning(request, str(refused))
    return _to_card(request, conversation_id, call_id)


def _to_card(
    request: TenantRequest, conversation_id: uuid.UUID, call_id: uuid.UUID
) -> HttpResponse:
    page = reverse("dialogue:chat", args=[request.tenant.slug, conversation_id])
    return redirect(f"{page}#action-{call_id}")
