"""Hooks of a turn for the apps above. They run inside the turn's transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from dialogue.models import Turn
from tooling.models import ToolCall
from tooling.registry import ToolContext

TurnEnd = Callable[..., None]
BlockedCall = Callable[..., None]
_TURN_END: list[TurnEnd] = []
_BLOCKED_CALL: list[BlockedCall] = []


def register_turn_end(hook: TurnEnd) -> None:
    """Register `hook(*, turn, now)`, called in the transaction that ends a turn."""
    if hook not in _TURN_END:
        _TURN_END.append(hook)


def register_blocked_call(hook: BlockedCall) -> None:
    """Register `hook(*, tool_call, context, now)` for an allow-listed write that a
    gate stopped; called in the transaction that stores the call.
    """
    if hook not in _BLOCKED_CALL:
        _BLOCKED_CALL.append(hook)


def turn_ended(*, turn: Turn, now: dt.datetime) -> None:
    """Tell the apps above that a turn has ended, whatever its end."""
    for hook in _TURN_END:
        hook(turn=turn, now=now)


def call_blocked(
    *, tool_call: ToolCall, context: ToolContext, now: dt.datetime
) -> None:
    """Tell the apps above that a write was held back."""
    for hook in _BLOCKED_CALL:
        hook(tool_call=tool_call, context=context, now=now)
