"""Ask people a question: a request with its own options, which settles nothing."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy

from decisions.kinds import find_subject
from decisions.models import AttentionRequest, MakerKind, RequestState
from decisions.questions import SUBJECT, make_payload
from decisions.services.raising import Raised, raise_request
from dialogue.selectors import find_conversation
from tooling.errors import Conflict
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act


class TooManyQuestions(Conflict):
    """The conversation has too many questions that wait for an answer."""

    code = "open_questions"
    message = gettext_lazy(
        "Too many questions of this conversation wait for an answer. Answer or "
        "withdraw some of them first."
    )


def ask_question(
    *,
    principal: Principal,
    title: str,
    text: str,
    options: Sequence[str],
    origin_conversation: uuid.UUID | None = None,
    origin_message: uuid.UUID | None = None,
    origin_turn: uuid.UUID | None = None,
    now: dt.datetime,
) -> Raised:
    """Put a question in the queue; the same one again is found, not asked twice.

    A person needs the right to raise; for a model the gate has judged, and all three
    origins are given. Raises `NotAllowed`, `NotFound`, `TooManyQuestions` and
    `InvalidInput`.
    """
    if principal.is_human:
        require(principal, Act.RAISE)
        if origin_conversation is not None:
            find_conversation(principal=principal, conversation_id=origin_conversation)
    payload = make_payload(title=title, text=text, options=options)
    subject = find_subject(SUBJECT)
    with transaction.atomic():
        raised = raise_request(
            tenant_id=principal.tenant_id,
            maker_kind=MakerKind.HUMAN if principal.is_human else MakerKind.MODEL,
            requested_by_id=principal.person,
            subject=SUBJECT,
            title=subject.title_of(payload),
            payload=payload,
            origin_conversation=origin_conversation,
            origin_message=origin_message,
            origin_turn=origin_turn,
            now=now,
        )
        if raised.created:
            _check_cap(raised.request)
            record_act(
                principal=principal,
                action="question.asked",
                target_type="request",
                target_id=raised.request.pk,
                after={
                    "title": raised.request.title,
                    "options": raised.request.options,
                },
            )
    return raised


def _check_cap(request: AttentionRequest) -> None:
    """Refuse, and so roll back, what is one too many in its conversation."""
    if request.origin_conversation is None:
        return
    limit = settings.OPEN_PROPOSALS_PER_CONVERSATION
    waiting = AttentionRequest.objects.filter(
        tenant_id=request.tenant_id,
        origin_conversation=request.origin_conversation,
        subject=SUBJECT,
        state=RequestState.OPEN,
    )
    if waiting.count() > limit:
        raise TooManyQuestions(extra={"limit": limit})
