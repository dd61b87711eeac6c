"""A worker that lost its lease changes nothing any more, whoever has the turn now."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from dialogue.models import Turn, TurnState
from dialogue.services.send import Sent
from dialogue.services.turns import retry_turn
from dialogue.turns.endings import LostLease
from dialogue.turns.job import (
    Job,
    claim,
    finish,
    prepare_step,
    wait_for_provider,
)
from dialogue.turns.recovery import interrupt_lost_turns
from dialogue.turns.tool_steps import run_tool, store_calls
from tests.dialogue.conftest import People
from tooling.llm.types import ToolRequest

pytestmark = pytest.mark.django_db(transaction=True)
APPS = ("tooling", "dialogue", "decisions", "missions")
CALL = ToolRequest("call_1", "mission_list", "{}")

STEPS: dict[str, Callable[[Job], Any]] = {
    "next step": prepare_step,
    "calls": lambda job: store_calls(job, text="", calls=(CALL,)),
    "tool": lambda job: run_tool(job, CALL, cut_off=False),
    "end": lambda job: finish(job, TurnState.DONE, text="Mine."),
    "failure": lambda job: finish(job, TurnState.FAILED, error_code="timeout"),
}


def everything() -> dict[str, list[dict[str, Any]]]:
    """Return every row of the product."""
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())  # noqa: SLF001 -- public in Django
        for label in APPS
        for model in apps.get_app_config(label).get_models()
    }


@pytest.fixture
def lost(send: Callable[..., Sent], people: People) -> Job:
    """The job of a worker whose turn is interrupted, retried, and run by another."""
    turn = send("We need a nightly export.").turn
    job = claim(turn.pk, owner="first")
    assert job is not None
    later = timezone.now() + dt.timedelta(hours=1)
    assert interrupt_lost_turns(now=later) == 1
    retry_turn(principal=people.member, turn_id=turn.pk, now=timezone.now())
    return job


@pytest.mark.lesson("chat-R3", "chat-R12")
@pytest.mark.parametrize("owner", ["second", "first"])
@pytest.mark.parametrize("step", STEPS)
def test_of_two_workers_only_the_one_with_the_lease_writes(
    lost: Job, step: str, owner: str
) -> None:
    taken = claim(lost.turn.pk, owner=owner)
    assert taken is not None
    before = everything()
    with pytest.raises(LostLease):
        STEPS[step](lost)
    assert everything() == before
    STEPS[step](taken)


@pytest.mark.lesson("chat-R3")
@pytest.mark.parametrize("step", STEPS)
def test_a_turn_that_was_ended_stays_ended(
    send: Callable[..., Sent], step: str
) -> None:
    job = claim(send("Hello").turn.pk, owner="first")
    assert job is not None
    interrupt_lost_turns(now=timezone.now() + dt.timedelta(hours=1))
    before = everything()
    with pytest.raises(LostLease):
        STEPS[step](job)
    assert everything() == before


def test_waiting_is_shown_by_the_worker_that_waits(lost: Job) -> None:
    taken = claim(lost.turn.pk, owner="second")
    assert taken is not None
    before = everything()
    wait_for_provider(lost, waiting=True)
    assert everything() == before
    wait_for_provider(taken, waiting=True)
    assert Turn.objects.get().state == TurnState.WAITING
