"""A read over the queue that asks a model, held back until staff open it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from decisions.cards import state_code
from decisions.comparing import field_rows
from decisions.kinds import find_subject
from decisions.models import AttentionRequest
from decisions.selectors import visible_requests
from decisions.tools.queue import DecisionArguments
from tooling.errors import NotFound
from tooling.listing import excerpt, key_of
from tooling.llm.call_sites import CallSite, register_call_site
from tooling.paid_reads import ask_model
from tooling.registry import (
    CardRef,
    PaidCall,
    ToolContext,
    ToolResult,
    register_tool,
)
from tooling.tiers import Tier

MAX_FIELD_CHARS = 2_000
BRIEF = PaidCall(
    register_call_site(CallSite("Decisions:DecisionBrief", output_limit=600)).name,
    input_chars=24_000,
    output_tokens=600,
    summary=_(
        "Has a model brief the team on one request of the Decisions queue; the whole "
        "request is sent."
    ),
)


@register_tool(
    name="decision_brief",
    tier=Tier.READ,
    arguments=DecisionArguments,
    paid=BRIEF,
    description=(
        "Have a model brief the team on one request of the Decisions queue: what is "
        "asked, what speaks for and against, what is open. It recommends nothing and "
        "costs money; decision_get reads the same row for free."
    ),
)
def decision_brief(*, context: ToolContext, arguments: DecisionArguments) -> ToolResult:
    """Brief on one request."""
    rows = visible_requests(principal=context.principal)
    request = rows.filter(pk=key_of(arguments.id)).first()
    if request is None:
        raise NotFound(field="id")
    answer = ask_model(
        context=context,
        paid=BRIEF,
        task=(
            "Brief the people who decide on this request in at most ten sentences: "
            "what is asked for, what speaks for it and against it, what is left open. "
            "Do not recommend a choice: people decide."
        ),
        material=_material(request),
    )
    data: dict[str, Any] = {
        "id": str(request.pk),
        "title": request.title,
        "status": state_code(request, None),
        **answer,
    }
    return ToolResult(data, cards=(CardRef("proposal", request.pk),))


def _material(request: AttentionRequest) -> str:
    labels = find_subject(request.subject).labels
    lines = [
        f"Title: {request.title}",
        f"Kind: {request.kind}",
        f"State: {request.state}",
        *(
            f"{row.path}: {excerpt(str(row.value), limit=MAX_FIELD_CHARS)}"
            for row in field_rows(request.payload, labels)
        ),
    ]
    return "\n".join(lines)
