"""Run once: what a gate held back, run because a person clicks on exactly that."""

from __future__ import annotations

from typing import Any

from django.utils import translation

from tooling.boundary import canonical_json
from tooling.gate.execute import Call
from tooling.gate.facts import facts_of, gate_context
from tooling.gate.judge import CallFacts, judge
from tooling.gate.results import ByHand, Executed
from tooling.llm.types import ToolRequest
from tooling.registry import ToolContext, find_tool


def execute_held(*, context: ToolContext, by_hand: ByHand) -> Executed:
    """Run a call that a gate held back, because a person asked for exactly it.

    The click stands for the request alone: allow-list, switch and toggle are judged
    again, now. For one message, tool and arguments it runs at most once, whoever
    clicks how often and whatever the model does beside it.
    """
    held = by_hand.held
    tool = find_tool(held.name)
    facts = facts_of(tool) if tool else CallFacts(name=held.name)
    now = gate_context(context=context, intent_tools=frozenset(), by_hand=True)
    request = ToolRequest("by_hand", held.name, canonical_json(held.arguments).decode())
    call = Call(
        request, context, held.attempt, tool, judge(facts, now), _nobody, by_hand
    )
    with translation.override(context.language):
        return call.carry_out(now, cut_off=False)


def _nobody(**_call: Any) -> None:
    """A click that is refused leaves no second idea behind."""
