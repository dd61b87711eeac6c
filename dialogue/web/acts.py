"""What a person does on a chat page: forms for everybody, JSON for the script."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from dialogue.models import Turn
from dialogue.selectors import find_conversation, turn_of
from dialogue.services.conversations import (
    archive_conversation,
    complete_conversation,
    rename_conversation,
)
from dialogue.services.send import send_message
from dialogue.services.turns import retry_turn, stop_turn
from dialogue.spawned import Spawned, list_spawned
from dialogue.web.chat import chat_page
from tooling.errors import DomainError, NotAllowed, NotFound
from tooling.policy import Act
from tooling.web.errors import wants_json
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from tooling.web.tenant import TenantRequest


@tenant_view(act=Act.CONVERSE)
@require_POST
def send(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Store a message and queue its turn; a refused one comes back as a draft."""
    text = request.POST.get("text", "").replace("\r\n", "\n")
    try:
        sent = send_message(
            principal=request.principal,
            conversation_id=conversation_id,
            text=text,
            client_key=request.POST.get("client_key") or None,
            now=timezone.now(),
        )
    except (NotFound, NotAllowed):
        raise
    except DomainError as refused:
        if wants_json(request):
            raise
        conversation = find_conversation(
            principal=request.principal, conversation_id=conversation_id
        )
        return chat_page(request, conversation, refused=refused, draft=text)
    if wants_json(request):
        body = {
            "message": str(sent.message.pk),
            "turn": str(sent.turn.pk),
            "created": sent.created,
        }
        return JsonResponse(body, status=202)
    return _back(request, conversation_id)


@tenant_view(act=Act.CONVERSE)
@require_POST
def stop(
    request: TenantRequest, conversation_id: uuid.UUID, turn_id: uuid.UUID
) -> HttpResponse:
    """Ask for a turn to stop."""
    _check_turn(request, conversation_id, turn_id)
    turn = stop_turn(principal=request.principal, turn_id=turn_id, now=timezone.now())
    return _turn_answer(request, turn)


@tenant_view(act=Act.CONVERSE)
@require_POST
def retry(
    request: TenantRequest, conversation_id: uuid.UUID, turn_id: uuid.UUID
) -> HttpResponse:
    """Queue the next attempt of a turn."""
    _check_turn(request, conversation_id, turn_id)
    turn = retry_turn(principal=request.principal, turn_id=turn_id, now=timezone.now())
    return _turn_answer(request, turn)


def _check_turn(
    request: TenantRequest, conversation_id: uuid.UUID, turn_id: uuid.UUID
) -> None:
    turn = turn_of(principal=request.principal, turn_id=turn_id)
    if turn.conversation_id != conversation_id:
        raise NotFound


def _turn_answer(request: TenantRequest, turn: Turn) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"turn": str(turn.pk), "state": turn.state}, status=202)
    return _back(request, turn.conversation_id)


@tenant_view(act=Act.CONVERSE)
@require_http_methods(["GET", "HEAD", "POST"])
def complete(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Ask, naming what stays open; then close the conversation."""
    conversation = find_conversation(
        principal=request.principal, conversation_id=conversation_id
    )
    still_open = _open_proposals(request, conversation_id)
    if request.method != "POST":
        context = {"conversation": conversation, "still_open": still_open}
        return render(request, "dialogue/complete.html", context)
    complete_conversation(
        principal=request.principal, conversation_id=conversation_id, now=timezone.now()
    )
    messages.success(request, _completed_text(len(still_open)))
    return _back(request, conversation_id)


def _open_proposals(
    request: TenantRequest, conversation_id: uuid.UUID
) -> list[Spawned]:
    rows = list_spawned(
        tenant_id=request.principal.tenant_id, conversation_id=conversation_id
    )
    return [row for row in rows if row.is_open and row.kind == "request"]


def _completed_text(count: int) -> str:
    if not count:
        return _("The conversation is completed.")
    text = ngettext(
        "The conversation is completed. %(count)d proposal stays open and can still "
        "be decided.",
        "The conversation is completed. %(count)d proposals stay open and can still "
        "be decided.",
        count,
    )
    return text % {"count": count}


@tenant_view(act=Act.CONVERSE)
@require_POST
def rename(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Give the conversation a title."""
    try:
        rename_conversation(
            principal=request.principal,
            conversation_id=conversation_id,
            title=request.POST.get("title", ""),
            now=timezone.now(),
        )
    except (NotFound, NotAllowed):
        raise
    except DomainError as refused:
        if wants_json(request):
            raise
        messages.error(request, str(refused))
    return _back(request, conversation_id)


@tenant_view(act=Act.CONVERSE)
@require_POST
def archive(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Put the conversation out of the list, or back into it."""
    archived = request.POST.get("archived") == "1"
    archive_conversation(
        principal=request.principal,
        conversation_id=conversation_id,
        archived=archived,
        now=timezone.now(),
    )
    if not archived:
        messages.success(request, _("The conversation is back in the list."))
        return _back(request, conversation_id)
    messages.success(request, _("Archived. Nothing is lost: see Archived in the list."))
    return redirect("dialogue:list", request.tenant.slug)


def _back(request: TenantRequest, conversation_id: uuid.UUID) -> HttpResponse:
    return redirect("dialogue:chat", request.tenant.slug, conversation_id)
