"""A request in the chat that it came from: its card, and its line in the trace."""

from __future__ import annotations

import uuid
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from decisions.kinds import (
    Aftermath,
    ApprovalOption,
    Link,
    RequestSubject,
    Summary,
    find_subject,
    option_label,
)
from decisions.models import AttentionRequest, RequestKind, RequestState
from decisions.selectors import requests_of, visible_requests
from dialogue.spawned import Spawned
from tooling.policy import Act, Principal, allows

EXCERPT_CHARS = 280


def load_proposals(
    *, tenant_id: uuid.UUID, ids: list[uuid.UUID], principal: Principal
) -> dict[uuid.UUID, dict[str, Any]]:
    """Return the cards of a tenant's requests: plain values, live state.

    `state` is a code (`state_code()`), `state_label` its words; `decide_url` and
    `withdraw_url` are there for whom they are meant.
    """
    rows = visible_requests(principal=principal)
    requests = list(rows.filter(tenant_id=tenant_id, pk__in=ids))
    cards = cards_of(requests=requests, principal=principal)
    return {row.pk: card for row, card in zip(requests, cards, strict=True)}


def cards_of(
    *, requests: list[AttentionRequest], principal: Principal
) -> list[dict[str, Any]]:
    """Return the cards of rows that the principal may see, in their order."""
    followed = _aftermaths(requests)
    return [_card(row, followed.get(row.pk), principal) for row in requests]


def _aftermaths(requests: list[AttentionRequest]) -> dict[uuid.UUID, Aftermath]:
    by_subject: dict[str, list[AttentionRequest]] = {}
    for request in requests:
        by_subject.setdefault(request.subject, []).append(request)
    found: dict[uuid.UUID, Aftermath] = {}
    for name, rows in by_subject.items():
        found.update(find_subject(name).aftermaths(rows))
    return found


def state_code(request: AttentionRequest, after: Aftermath | None) -> str:
    """Return where a request stands, in one word.

    awaiting_decision, changes_requested, rejected, expired, withdrawn, superseded;
    a question that is settled is answered, whatever the answer; once approved:
    approved (the Mission exists or is under way) or blocked.
    """
    if request.state == RequestState.OPEN:
        return "awaiting_decision"
    if request.state != RequestState.RESOLVED:
        return request.state
    if request.kind == RequestKind.QUESTION:
        return "answered"
    if request.resolved_option == ApprovalOption.CHANGES:
        return "changes_requested"
    if request.resolved_option == ApprovalOption.REJECT:
        return "rejected"
    if after is not None and after.state == "blocked":
        return "blocked"
    return "approved"


def state_label(code: str) -> str:
    """Return a state code in words."""
    return {
        "awaiting_decision": _("Awaiting a decision"),
        "changes_requested": _("Changes requested"),
        "rejected": _("Rejected"),
        "expired": _("Expired"),
        "withdrawn": _("Withdrawn"),
        "superseded": _("Replaced by a newer revision"),
        "answered": _("Answered"),
        "approved": _("Approved"),
        "blocked": _("Approved, but blocked"),
    }[code]


_TONES = {
    "awaiting_decision": "open",
    "answered": "ok",
    "approved": "ok",
    "rejected": "bad",
    "blocked": "bad",
    "changes_requested": "warn",
}


def _card(
    request: AttentionRequest, after: Aftermath | None, principal: Principal
) -> dict[str, Any]:
    subject = find_subject(request.subject)
    code = state_code(request, after)
    is_open = request.state == RequestState.OPEN
    return {
        "id": str(request.pk),
        "request_kind": str(request.kind),
        "is_question": request.kind == RequestKind.QUESTION,
        "title": request.title,
        "revision": request.revision,
        "state": code,
        "state_label": state_label(code),
        "tone": _TONES.get(code, ""),
        **_summary(request, subject),
        **_decision(request),
        "after": after.text if after is not None else "",
        "advice": after.advice if after is not None else "",
        "links": [_link(link) for link in after.links] if after is not None else [],
        "decide_url": _decide_url(request, principal) if is_open else "",
        "withdraw_url": _withdraw_url(request, principal) if is_open else "",
        "page_url": reverse(
            "decisions:request", args=[request.tenant.slug, request.pk]
        ),
        "created_at": request.created_at,
    }


def _summary(request: AttentionRequest, subject: RequestSubject) -> dict[str, Any]:
    is_readable = subject.can_read(request.payload)
    summary = subject.summarise(request.payload) if is_readable else Summary()
    text = " ".join(summary.text.split())
    cut = len(text) > EXCERPT_CHARS
    return {
        "excerpt": text[: EXCERPT_CHARS - 1].rstrip() + "…" if cut else text,
        "facts": list(summary.facts),
    }


def _decision(request: AttentionRequest) -> dict[str, Any]:
    if request.state != RequestState.RESOLVED:
        return {"option": "", "option_label": "", "note": "", "decided_by": ""}
    resolution = getattr(request, "resolution", None)
    return {
        "option": request.resolved_option,
        "option_label": option_label(request.resolved_option),
        "note": resolution.note if resolution is not None else "",
        "decided_by": str(request.resolved_by),
        "decided_at": request.resolved_at,
    }


def _link(link: Link) -> dict[str, str]:
    return {"label": link.label, "url": link.url, "kind": link.kind}


def decision_page(request_id: uuid.UUID) -> str:
    """Return the address of the page on which a request is decided."""
    return reverse("admin:decisions_attentionrequest_change", args=[request_id])


def _decide_url(request: AttentionRequest, principal: Principal) -> str:
    return decision_page(request.pk) if allows(principal, Act.DECIDE) else ""


def _withdraw_url(request: AttentionRequest, principal: Principal) -> str:
    is_theirs = principal.user_id == request.requested_by_id
    if not is_theirs or not allows(principal, Act.RAISE):
        return ""
    return reverse("decisions:withdraw", args=[request.tenant.slug, request.pk])


def spawned_requests(
    *, tenant_id: uuid.UUID, conversation_id: uuid.UUID
) -> list[Spawned]:
    """Return the requests that a conversation raised, for its trace."""
    rows = list(
        requests_of(tenant_id=tenant_id).filter(origin_conversation=conversation_id)
    )
    followed = _aftermaths(rows)
    return [
        Spawned(
            kind="request",
            id=row.pk,
            title=row.title,
            status=state_code(row, followed.get(row.pk)),
            url=reverse("decisions:request", args=[row.tenant.slug, row.pk]),
            created_at=row.created_at,
            origin_message=row.origin_message,
            is_open=row.state == RequestState.OPEN,
        )
        for row in rows
    ]
