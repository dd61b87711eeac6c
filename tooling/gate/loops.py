"""What a model that goes round in circles has called before, as a fact for the gate."""

from __future__ import annotations

from tooling.boundary import clean_text, parse_json, payload_hash
from tooling.errors import DomainError
from tooling.llm.types import ToolRequest
from tooling.models import ToolCall
from tooling.registry import ToolContext


def same_calls_before(
    *, request: ToolRequest, context: ToolContext, attempt: int
) -> int:
    """Count the calls of this attempt with the same name and canonical arguments.

    Arguments that are no JSON object equal no others. A retry of the turn starts anew,
    and what a person ran by a click is none of the model's calls.
    """
    try:
        arguments = parse_json(request.arguments or "{}", field="arguments")
    except DomainError:
        return 0
    if not isinstance(arguments, dict):
        return 0
    return ToolCall.objects.filter(
        turn_id=context.turn_id,
        attempt=attempt,
        name=clean_text(request.name)[:120],
        arguments_hash=payload_hash(arguments),
        held_call_id__isnull=True,
    ).count()
