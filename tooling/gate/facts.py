"""Reads the facts that the gate judges by, at the moment of asking."""

from __future__ import annotations

from django.conf import settings

from tooling.gate.judge import (
    WRITE_ALLOWLIST,
    CallFacts,
    GateContext,
    GrantFact,
    is_served,
)
from tooling.llm.types import ToolSpec
from tooling.models import ToolCall, ToolCallState
from tooling.registry import Tool, ToolContext, all_tools
from tooling.selectors import features_of, released_reads
from tooling.tiers import Tier


def gate_context(
    *,
    context: ToolContext,
    intent_tools: frozenset[str],
    attempt: int = 1,
    calls_before: int = 0,
    same_before: int = 0,
    grants: tuple[GrantFact, ...] = (),
    by_hand: bool = False,
) -> GateContext:
    """Read, now, every fact that the verdict depends on.

    The cap of a turn counts what the model did in it: a click is no part of that.
    """
    ran = ToolCall.objects.filter(
        turn_id=context.turn_id,
        tier=Tier.WRITE,
        state=ToolCallState.DONE,
        held_call_id__isnull=True,
    ).count()
    return GateContext(
        conversation_id=context.conversation_id,
        now=context.now,
        switch_on=settings.WRITE_TOOLS_SERVED,
        toggle_on=features_of(tenant_id=context.principal.tenant_id).write_tools,
        intent_tools=intent_tools,
        by_hand=by_hand,
        grants=grants,
        released=released_reads(),
        ran_this_turn=0 if by_hand else ran,
        cap_per_turn=settings.WRITES_PER_TURN,
        allowlist=WRITE_ALLOWLIST,
        calls_before=calls_before,
        cap_per_answer=settings.TOOL_CALLS_PER_ANSWER,
        same_before=same_before,
    )


def served_tools(context: GateContext) -> tuple[ToolSpec, ...]:
    """Return the tools that a model is told of."""
    return tuple(
        tool.spec() for tool in all_tools() if is_served(facts_of(tool), context)
    )


def facts_of(tool: Tool) -> CallFacts:
    """Return what the gate needs to know of a registered tool."""
    return CallFacts(name=tool.name, tier=tool.tier, held_back=tool.held_back)
