"""The read tools over costs and the state of the system, and one that asks a model."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from pydantic import Field

from tooling.llm.call_sites import CallSite, register_call_site
from tooling.llm.presets import resolve_preset
from tooling.models import ModelCall
from tooling.paid_reads import ask_model
from tooling.registry import (
    NoArguments,
    PaidCall,
    ToolArguments,
    ToolContext,
    ToolResult,
    register_tool,
)
from tooling.selectors import cost_of_conversation, cost_summary, features_of
from tooling.tiers import Tier
from tooling.waiting import waiting_counts

if TYPE_CHECKING:
    from collections.abc import Mapping

CALL_SITE = "Dialogue:GeneralDialogue"
NANO = Decimal(10) ** 9
EXPERT = PaidCall(
    register_call_site(CallSite("Tooling:ExpertAsk", output_limit=1_024)).name,
    input_chars=10_000,
    output_tokens=1_024,
    summary=_(
        "Asks a second model one question that needs knowledge from outside; the model "
        "sends the question and what it takes to be the background."
    ),
)


class ExpertArguments(ToolArguments):
    """One question that stands by itself, and what the expert must know for it."""

    question: Annotated[str, Field(min_length=1, max_length=2_000)]
    background: Annotated[str, Field(max_length=6_000)] = ""


@register_tool(
    name="cost_summary",
    tier=Tier.READ,
    arguments=NoArguments,
    description=(
        "Sum the model costs of this conversation and of the whole team, in US "
        "dollars, with tokens and calls."
    ),
)
def summarise_costs(*, context: ToolContext, arguments: NoArguments) -> ToolResult:
    """Return both sums of the ledger."""
    here = cost_of_conversation(conversation_id=context.conversation_id)
    team = cost_summary(ModelCall.objects.filter(tenant_id=context.principal.tenant_id))
    return ToolResult({"conversation": _cost(here), "team": _cost(team)})


@register_tool(
    name="system_status",
    tier=Tier.READ,
    arguments=NoArguments,
    description=(
        "Tell what is switched on here (proposing, write tools), which model answers, "
        "and what waits: open decisions, ready Missions, open suggestions."
    ),
)
def system_status(*, context: ToolContext, arguments: NoArguments) -> ToolResult:
    """Return switches, model and what waits."""
    features = features_of(tenant_id=context.principal.tenant_id)
    preset = resolve_preset(call_site=CALL_SITE)
    data: dict[str, Any] = {
        "proposing": "on" if settings.WRITE_TOOLS_SERVED else "off",
        "write_tools": "on" if _writes(features.write_tools) else "off",
        "model": preset.name,
        "waiting": waiting_counts(principal=context.principal),
    }
    return ToolResult(data)


@register_tool(
    name="expert_ask",
    tier=Tier.READ,
    arguments=ExpertArguments,
    paid=EXPERT,
    description=(
        "Ask a second model one question that needs knowledge beyond this workplace. "
        "It costs money and sees only what you give it, so give it all it needs."
    ),
)
def expert_ask(*, context: ToolContext, arguments: ExpertArguments) -> ToolResult:
    """Ask the expert."""
    material = arguments.question
    if arguments.background:
        material += f"\n\nBackground:\n{arguments.background}"
    answer = ask_model(
        context=context,
        paid=EXPERT,
        task=(
            "You are an expert who is asked one question. Answer it briefly and "
            "exactly, and say what you are not sure of."
        ),
        material=material,
    )
    return ToolResult(answer)


def _writes(toggle: bool) -> bool:
    return bool(settings.WRITE_TOOLS_SERVED) and toggle


def _cost(sums: Mapping[str, int]) -> dict[str, Any]:
    return {
        "usd": f"{Decimal(sums['nano_usd']) / NANO:f}",
        "calls": sums["calls"],
        "unpriced_calls": sums["unpriced_calls"],
        "input_tokens": sums["input_tokens"],
        "output_tokens": sums["output_tokens"],
    }
