"""The stream's address: for pages by session, for clients by token."""

from __future__ import annotations

import uuid

from django.db import connections
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from dialogue.live import wire
from dialogue.live.stream import Stream, in_live_thread
from dialogue.selectors import find_conversation
from tooling.api.authentication import principal_of
from tooling.errors import DomainError
from tooling.policy import Principal

_HEADERS = {
    "Cache-Control": "no-cache, no-transform",
    # Without it nginx collects the stream before it passes it on.
    "X-Accel-Buffering": "no",
}


@csrf_exempt  # It reads; any other method is answered like the rest of the API.
async def conversation_events(
    request: HttpRequest, tenant: str, conversation_id: uuid.UUID
) -> HttpResponse | StreamingHttpResponse:
    """Stream a conversation's journal and running text as server-sent events.

    `Last-Event-ID` (header, or `last_event_id` in the query) resumes after what it
    names; without it the journal is replayed from its start, with `after=now` only
    what is new. 401 without a principal, 404 for a foreign or unknown conversation,
    400 for a query that says neither.
    """

    if request.method != "GET":
        refused = _refusal("method_not_allowed", _("Only GET is answered here."), 405)
        refused.headers["Allow"] = "GET"
        return refused

    def enter() -> Principal | None:
        """Return who reads, if they may read this conversation now."""
        principal = principal_of(request, slug=tenant)
        if principal is not None:
            find_conversation(principal=principal, conversation_id=conversation_id)
        return principal

    def start() -> tuple[Principal | None, wire.Position]:
        principal = enter()
        position = wire.Position()
        if principal is not None and request.GET.get("after") == "now":
            conversation = find_conversation(
                principal=principal, conversation_id=conversation_id
            )
            position.seq = conversation.event_seq
        connections.close_all()
        return principal, position

    def may_read() -> bool:
        try:
            return enter() is not None
        except DomainError:
            return False

    try:
        principal, position = await in_live_thread(start)
    except DomainError as error:
        return _refusal(error.code, str(error), error.status)
    if principal is None:
        return _refusal("not_authenticated", _("Sign in first."), 401)
    if request.GET.get("after", "now") not in ("", "now"):
        message = _(
            "Only the word now is understood here. To resume, send the last id that "
            "you have as Last-Event-ID."
        )
        return _refusal("bad_after", message, 400, attr="after")
    asked = request.GET.get("last_event_id", "")
    named = wire.parse_position(asked)
    if asked and named is None:
        message = _("This event id is not one of ours.")
        return _refusal("bad_event_id", message, 400, attr="last_event_id")
    # The header is a browser's own doing: it never comes back after a refusal, so one
    # that is none of ours is passed over, and the reader gets more rather than less.
    named = wire.parse_position(request.headers.get("Last-Event-ID", "")) or named
    stream = Stream(conversation_id, named or position, may_read)
    return StreamingHttpResponse(
        stream.run(), content_type="text/event-stream", headers=_HEADERS
    )


conversation_events.access_rule = "tenant:read"  # type: ignore[attr-defined]


def _refusal(
    code: str, detail: str, status: int, *, attr: str | None = None
) -> JsonResponse:
    error = {"code": code, "detail": detail, "attr": attr}
    return JsonResponse({"type": "client_error", "errors": [error]}, status=status)
