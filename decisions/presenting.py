"""All that a page shows of one request, from rows: for the admin and for members."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from decisions.cards import state_code, state_label
from decisions.comparing import Change, FieldRow, changes_between, field_rows
from decisions.kinds import (
    Aftermath,
    EffectLine,
    Link,
    RequestSubject,
    find_subject,
    option_label,
)
from decisions.models import (
    AttentionRequest,
    LateDecision,
    RequestKind,
    RequestState,
)
from decisions.selectors import history
from decisions.visible import has_hidden
from dialogue.models import ConversationMessage
from dialogue.selectors import find_conversation
from tooling.errors import NotFound
from tooling.policy import Principal


@dataclass(frozen=True, slots=True)
class Choice:
    """An option as a button: its identifier and what the reader calls it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class OriginView:
    """Where a request came from; `hidden` when the conversation is private."""

    url: str = ""
    title: str = ""
    quote: str = ""
    author: str = ""
    at: dt.datetime | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class RevisionView:
    """One revision, and what it changed in the one before."""

    request: AttentionRequest
    state: str
    note: str
    decided_by: str
    changes: list[Change]
    is_shown: bool


@dataclass(frozen=True, slots=True)
class DecisionView:
    """The context of a page about one request."""

    request: AttentionRequest
    subject: RequestSubject
    state: str
    state_label: str
    is_open: bool
    choices: list[Choice]
    is_readable: bool
    effects: list[EffectLine]
    fields: list[FieldRow]
    detail: dict[str, Any]
    links: list[Link]
    hides: bool
    origin: OriginView | None
    revisions: list[RevisionView]
    aftermath: Aftermath | None
    late: list[LateDecision] = field(default_factory=list)
    live: AttentionRequest | None = None

    @property
    def has_detail(self) -> bool:
        """Tell whether the subject's own template can show the payload."""
        return self.is_readable and bool(self.subject.detail_template)

    @property
    def is_question(self) -> bool:
        """Tell whether people answer it, and nothing follows but that."""
        return self.request.kind == RequestKind.QUESTION

    @property
    def can_retry(self) -> bool:
        """Tell whether a person may start another attempt at what follows."""
        may = self.aftermath is not None and self.aftermath.can_retry
        return may and self.subject.retry is not None

    @property
    def note(self) -> str:
        """Return the note of the decision, if there is one."""
        resolution = getattr(self.request, "resolution", None)
        return resolution.note if resolution is not None else ""


def present(*, request: AttentionRequest, principal: Principal) -> DecisionView:
    """Return everything that a page shows of a request of the principal's tenant."""
    subject = find_subject(request.subject)
    is_readable = subject.can_read(request.payload)
    after = subject.aftermath(request)
    code = state_code(request, after)
    revisions = history(request=request)
    live = next((row for row in revisions if row.state == RequestState.OPEN), None)
    return DecisionView(
        request=request,
        subject=subject,
        state=code,
        state_label=state_label(code),
        is_open=request.state == RequestState.OPEN,
        choices=[Choice(option, option_label(option)) for option in request.options],
        is_readable=is_readable,
        effects=subject.effect(request.payload) if is_readable else [_damaged()],
        fields=field_rows(request.payload, subject.labels),
        detail=subject.detail_context(request) if is_readable else {},
        links=subject.links(request),
        hides=has_hidden(request.title) or has_hidden(request.payload),
        origin=_origin(request, principal),
        revisions=_revisions(revisions, request, subject),
        aftermath=after,
        late=list(
            LateDecision.objects.filter(request=request)
            .select_related("decided_by")
            .order_by("created_at")
        ),
        live=live if live is not None and live.pk != request.pk else None,
    )


def _damaged() -> EffectLine:
    text = _("The stored content cannot be read, so nothing can be created from it.")
    return EffectLine(text, negative=True)


def _origin(request: AttentionRequest, principal: Principal) -> OriginView | None:
    if request.origin_conversation is None:
        return None
    try:
        conversation = find_conversation(
            principal=principal, conversation_id=request.origin_conversation
        )
    except NotFound:
        return OriginView(hidden=True)
    message = _message(request.origin_message)
    return OriginView(
        url=chat_page(request),
        title=conversation.title,
        quote=message.text if message is not None else "",
        author=str(message.author) if message is not None else "",
        at=message.created_at if message is not None else None,
    )


def _message(key: uuid.UUID | None) -> ConversationMessage | None:
    if key is None:
        return None
    rows = ConversationMessage.objects.select_related("author")
    return rows.filter(pk=key).first()


def chat_page(request: AttentionRequest) -> str:
    """Return the address of the conversation that a request came from."""
    return reverse(
        "dialogue:chat", args=[request.tenant.slug, request.origin_conversation]
    )


def _revisions(
    rows: list[AttentionRequest], shown: AttentionRequest, subject: RequestSubject
) -> list[RevisionView]:
    views: list[RevisionView] = []
    before: AttentionRequest | None = None
    for row in rows:
        resolution = getattr(row, "resolution", None)
        # An older page has no use for what followed it: only states by choice.
        code = state_code(row, None)
        views.append(
            RevisionView(
                request=row,
                state=state_label(code),
                note=resolution.note if resolution is not None else "",
                decided_by=str(row.resolved_by) if row.resolved_by else "",
                changes=(
                    changes_between(before.payload, row.payload, subject.labels)
                    if before is not None
                    else []
                ),
                is_shown=row.pk == shown.pk,
            )
        )
        before = row
    return views
