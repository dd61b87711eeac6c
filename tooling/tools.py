"""The read tools over costs and the state of the system."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings

from tooling.llm.presets import resolve_preset
from tooling.models import ModelCall
from tooling.registry import NoArguments, ToolContext, ToolResult, register_tool
from tooling.selectors import cost_of_conversation, cost_summary, features_of
from tooling.tiers import Tier
from tooling.waiting import waiting_counts

if TYPE_CHECKING:
    from collections.abc import Mapping

CALL_SITE = "Dialogue:GeneralDialogue"
NANO = Decimal(10) ** 9


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
