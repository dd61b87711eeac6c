"""The moves of a turn, in one table, and the one way to make them."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Q

from dialogue.models import Turn, TurnState

_S = TurnState

MOVES: dict[TurnState, frozenset[TurnState]] = {
    _S.QUEUED: frozenset({_S.RUNNING, _S.STOPPED}),
    _S.RUNNING: frozenset(
        {
            *(_S.WAITING, _S.STOPPING, _S.STOPPED),
            *(_S.INTERRUPTED, _S.FAILED, _S.DONE),
        }
    ),
    _S.WAITING: frozenset({_S.RUNNING, _S.STOPPING, _S.INTERRUPTED, _S.FAILED}),
    _S.STOPPING: frozenset({_S.STOPPED, _S.INTERRUPTED}),
    # A retry is the next attempt of the same turn.
    _S.STOPPED: frozenset({_S.QUEUED}),
    _S.INTERRUPTED: frozenset({_S.QUEUED}),
    _S.FAILED: frozenset({_S.QUEUED}),
    _S.DONE: frozenset(),
}
ENDED = frozenset({_S.STOPPED, _S.INTERRUPTED, _S.FAILED, _S.DONE})
RETRYABLE = frozenset(state for state in ENDED if _S.QUEUED in MOVES[state])


def sources_of(target: TurnState) -> list[TurnState]:
    """Return the states from which `target` can be reached."""
    return [state for state, targets in MOVES.items() if target in targets]


def advance(turn_id: uuid.UUID, target: TurnState, *where: Q, **changes: Any) -> bool:
    """Move a turn to `target` if the table and `where` allow it; tell whether it was.

    One conditional update: of two callers one wins.
    """
    return bool(
        Turn.objects.filter(*where, pk=turn_id, state__in=sources_of(target)).update(
            state=target, **changes
        )
    )
