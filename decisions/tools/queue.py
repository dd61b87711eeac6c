"""The tools over the Decisions queue: reads, and one that asks a question.

Nothing here settles anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from django.db.models import Q
from django.utils.translation import gettext as _
from pydantic import Field

from decisions.cards import state_code
from decisions.kinds import ApprovalOption, find_subject
from decisions.models import (
    MAX_OPTION_CHARS,
    AttentionRequest,
    RequestKind,
    RequestState,
)
from decisions.questions import (
    MAX_OPTIONS,
    MAX_TEXT,
    MAX_TITLE,
    MIN_OPTIONS,
    make_payload,
)
from decisions.selectors import visible_requests
from decisions.services.asking import ask_question
from tooling.errors import NotFound
from tooling.listing import bounded_list, excerpt, key_of
from tooling.registry import (
    CardRef,
    Change,
    ToolArguments,
    ToolContext,
    ToolResult,
    register_tool,
)
from tooling.settling import ChangeArguments
from tooling.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTE_CHARS = 2_000
_FILTERS: Mapping[str, Q] = {
    "open": Q(state=RequestState.OPEN),
    "approved": Q(resolved_option=ApprovalOption.APPROVE),
    "changes_requested": Q(resolved_option=ApprovalOption.CHANGES),
    "answered": Q(kind=RequestKind.QUESTION, state=RequestState.RESOLVED),
    "rejected": Q(resolved_option=ApprovalOption.REJECT),
    "expired": Q(state=RequestState.EXPIRED),
    "withdrawn": Q(state=RequestState.WITHDRAWN),
    "superseded": Q(state=RequestState.SUPERSEDED),
}


class DecisionListArguments(ToolArguments):
    """Narrow the list by where requests stand; `open` ones wait for a person."""

    status: (
        Literal[
            "open",
            "approved",
            "answered",
            "changes_requested",
            "rejected",
            "expired",
            "withdrawn",
            "superseded",
        ]
        | None
    ) = None


class DecisionArguments(ToolArguments):
    """One request of the Decisions queue."""

    id: Annotated[str, Field(min_length=1, max_length=40)]


Option = Annotated[str, Field(min_length=1, max_length=MAX_OPTION_CHARS)]


class QuestionArguments(ChangeArguments):
    """A question for the people who decide, with the answers that they may give."""

    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE)]
    question: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
    options: Annotated[
        list[Option], Field(min_length=MIN_OPTIONS, max_length=MAX_OPTIONS)
    ]


@register_tool(
    name="decision_list",
    tier=Tier.READ,
    arguments=DecisionListArguments,
    description="List requests of the team's Decisions queue, newest first.",
)
def decision_list(
    *, context: ToolContext, arguments: DecisionListArguments
) -> ToolResult:
    """List requests."""
    rows = visible_requests(principal=context.principal)
    if arguments.status:
        rows = rows.filter(_FILTERS[arguments.status])
    return ToolResult(bounded_list(rows.order_by("-created_at", "-id"), _item))


@register_tool(
    name="decision_get",
    tier=Tier.READ,
    arguments=DecisionArguments,
    description=(
        "Get one request of the Decisions queue: where it stands, what a person "
        "answered and with which note, and what followed."
    ),
)
def decision_get(*, context: ToolContext, arguments: DecisionArguments) -> ToolResult:
    """Get one request."""
    rows = visible_requests(principal=context.principal)
    request = rows.filter(pk=key_of(arguments.id)).first()
    if request is None:
        raise NotFound(field="id")
    resolution = getattr(request, "resolution", None)
    after = find_subject(request.subject).aftermaths([request]).get(request.pk)
    data = {
        **_item(request),
        "asked_by": str(request.requested_by),
        "option": request.resolved_option,
        "decided_by": str(request.resolved_by) if request.resolved_by else "",
        "note": excerpt(resolution.note, limit=NOTE_CHARS) if resolution else "",
        "followed": after.text if after else "",
    }
    return ToolResult(data, cards=(CardRef("proposal", request.pk),))


def preview_question(
    *, context: ToolContext, arguments: QuestionArguments
) -> list[Change]:
    """Say which question would be asked."""
    asked = _payload(arguments)["question"]
    return [
        Change(_("Title"), "", asked["title"]),
        Change(_("Question"), "", asked["text"]),
        Change(_("Possible answers"), "", "\n".join(asked["options"])),
    ]


def _payload(arguments: QuestionArguments) -> dict[str, Any]:
    return make_payload(
        title=arguments.title, text=arguments.question, options=arguments.options
    )


@register_tool(
    name="decision_create",
    tier=Tier.WRITE,
    arguments=QuestionArguments,
    preview=preview_question,
    description=(
        "Ask the people who decide a question with two to six answers to choose from. "
        "It approves nothing: for a feature or a change call mission_propose. Only "
        "when the person has told you explicitly to ask."
    ),
)
def decision_create(
    *, context: ToolContext, arguments: QuestionArguments
) -> ToolResult:
    """Ask a question."""
    raised = ask_question(
        principal=context.principal,
        title=arguments.title,
        text=arguments.question,
        options=arguments.options,
        origin_conversation=context.conversation_id,
        origin_message=context.human_message_id,
        origin_turn=context.turn_id,
        now=context.now,
    )
    request = raised.request
    data = {**_item(request), "options": request.options, "created": raised.created}
    return ToolResult(data, cards=(CardRef("proposal", request.pk),))


def _item(request: AttentionRequest) -> dict[str, Any]:
    return {
        "id": str(request.pk),
        "title": request.title,
        "status": state_code(request, None),
        "kind": str(request.kind),
        "revision": request.revision,
        "created_at": request.created_at.isoformat(),
    }
