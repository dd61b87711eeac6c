"""The list of conversations, and a new one."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from dialogue.models import ConversationStatus, Track
from dialogue.selectors import list_conversations
from dialogue.services.beginning import Beginning, begin_conversation
from dialogue.web.examples import TRACK_HELP, examples_for
from dialogue.web.rows import running_conversations
from tooling.errors import DomainError
from tooling.policy import Act, allows
from tooling.web.tenant import tenant_view

if TYPE_CHECKING:
    from tooling.web.tenant import TenantRequest

PAGE = 30


@tenant_view()
@require_safe
def conversation_list(request: TenantRequest) -> HttpResponse:
    """List the team's conversations, newest activity first."""
    asked = {name: request.GET.get(name, "") for name in ("track", "status", "q")}
    archived = request.GET.get("archived") == "1"
    page = list_conversations(
        principal=request.principal,
        track=asked["track"],
        status=asked["status"],
        search=asked["q"].strip(),
        archived=archived,
        cursor=request.GET.get("cursor", ""),
        limit=PAGE,
    )
    is_filtered = any(asked.values()) or "cursor" in request.GET
    context = {
        "conversations": page.items,
        "running": running_conversations(page.items),
        "older": _query(asked, archived, page.next_cursor) if page.next_cursor else "",
        "asked": asked,
        "archived": archived,
        "is_filtered": is_filtered,
        "tracks": Track.choices,
        "statuses": ConversationStatus.choices,
        "may_converse": allows(request.principal, Act.CONVERSE),
        **_starting(),
    }
    return render(request, "dialogue/list.html", context)


def _query(asked: dict[str, str], archived: bool, cursor: str) -> str:
    parts = {name: value for name, value in asked.items() if value}
    if archived:
        parts["archived"] = "1"
    return urlencode({**parts, "cursor": cursor})


def _starting() -> dict[str, Any]:
    return {
        "examples": examples_for(get_language() or settings.LANGUAGE_CODE),
        "form_key": uuid.uuid4().hex,
        "track_help": [(track, TRACK_HELP[track]) for track in Track],
    }


@tenant_view(act=Act.CONVERSE)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: TenantRequest) -> HttpResponse:
    """Explain the Tracks; begin a conversation, with its first message if given."""
    status, error = 200, None
    if request.method == "POST":
        try:
            return redirect(_begin(request))
        except DomainError as refused:
            status, error = refused.status, refused
    language = request.POST.get("language") or get_language()
    context = {
        "error": error,
        "entered": request.POST,
        "track": request.POST.get("track") or request.GET.get("track") or "",
        "language": language,
        "languages": settings.LANGUAGES,
        "max_chars": settings.MESSAGE_MAX_CHARS,
        **_starting(),
    }
    return render(request, "dialogue/new.html", context, status=status)


def _begin(request: TenantRequest) -> str:
    """Begin the conversation; return the chat's address."""
    asked = request.POST
    key = begin_conversation(
        principal=request.principal,
        form_key=asked.get("form_key", ""),
        wanted=Beginning(
            track=asked.get("track", ""),
            title=asked.get("title", ""),
            language=asked.get("language", ""),
            is_private=asked.get("is_private") == "1",
            text=asked.get("text", ""),
        ),
        now=timezone.now(),
    )
    return f"/t/{request.tenant.slug}/c/{key}/"
