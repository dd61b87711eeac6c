"""The moves of a turn: the table, all of it, where a move is made."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable

import pytest
from django.db import IntegrityError
from django.utils import timezone

from dialogue.models import LIVE_STATES, Turn, TurnState
from dialogue.services.send import Sent
from dialogue.turns.states import ENDED, MOVES, RETRYABLE, advance

pytestmark = pytest.mark.django_db(transaction=True)
PAIRS = list(itertools.product(TurnState, TurnState))


def put(turn: Turn, state: TurnState) -> None:
    """Put a turn into a state, as if it had come there."""
    live = state in LIVE_STATES
    Turn.objects.filter(pk=turn.pk).update(
        state=state,
        lease_owner="w" if live else "",
        lease_expires_at=timezone.now() if live else None,
        ended_at=timezone.now() if state in ENDED else None,
    )


def test_every_move_is_allowed_or_refused_as_the_table_says(
    send: Callable[..., Sent],
) -> None:
    turn = send("hello").turn
    for source, target in PAIRS:
        put(turn, source)
        moved = advance(
            turn.pk,
            target,
            lease_owner="w",
            lease_expires_at=timezone.now(),
            ended_at=timezone.now(),
        )
        assert moved == (target in MOVES[source]), f"{source} to {target}"


def test_done_is_final_and_every_other_end_can_be_retried() -> None:
    assert MOVES[TurnState.DONE] == frozenset()
    assert {TurnState.DONE} == ENDED - RETRYABLE


def test_the_database_refuses_a_live_turn_without_a_lease(
    send: Callable[..., Sent],
) -> None:
    turn = send("hello").turn
    with pytest.raises(IntegrityError):
        Turn.objects.filter(pk=turn.pk).update(state=TurnState.RUNNING)


def test_moving_a_turn_that_does_not_exist_moves_nothing() -> None:
    assert not advance(uuid.uuid4(), TurnState.RUNNING)
