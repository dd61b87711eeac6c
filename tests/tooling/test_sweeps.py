"""Sweeps find what a hint missed; under one lease they run once, not once a process."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections

from decisions.models import AttentionRequest, RequestState
from dialogue.models import Turn, TurnState
from missions.models import Mission
from tests.decisions.support import LATER, at_once, choose
from tests.missions.support import Scene, build_scene, propose
from tooling import sweeps, ticker
from tooling.models import Lease
from tooling.sweeps import run_sweeps
from tooling.ticker import Ticker, take_lease

NOW = dt.datetime(2026, 5, 4, 12, 0, tzinfo=dt.UTC)
NAMES = ("idempotency", "materialisations", "requests-expired", "turns")


def lease(owner: str, now: dt.datetime = NOW, seconds: float = 30) -> bool:
    return take_lease(name="sweeps", owner=owner, seconds=seconds, now=now)


@pytest.fixture
def left_behind(db: None) -> Scene:
    """An approval without its Mission, an expired request, a turn without a worker."""
    scene = build_scene()
    choose(propose(scene).request, scene.operator)
    expired = propose(scene, title="Too late").request
    Turn.objects.filter(pk=scene.turn.pk).update(
        state=TurnState.RUNNING,
        lease_owner="gone",
        lease_expires_at=NOW,
        ended_at=None,
    )
    assert expired.expires_at is not None
    return scene


@pytest.mark.promise("D80", "D83")
@pytest.mark.case("A02", "A18")
@pytest.mark.lesson("H-03")
def test_sweeps_finish_what_was_left_and_then_change_nothing(
    left_behind: Scene,
) -> None:
    now = LATER + dt.timedelta(days=365)
    changed = run_sweeps(now=now)
    assert set(NAMES) <= set(changed)
    assert changed["materialisations"] == 1
    assert changed["requests-expired"] == 1
    assert changed["turns"] == 1
    assert Mission.objects.count() == 1
    states = AttentionRequest.objects.order_by("created_at", "pk")
    assert set(states.values_list("state", flat=True)) == {
        RequestState.RESOLVED,
        RequestState.EXPIRED,
    }
    assert Turn.objects.get().state == TurnState.INTERRUPTED
    for _again in range(2):
        assert set(run_sweeps(now=now).values()) == {0}


def test_one_sweep_that_fails_keeps_no_other_from_running(
    left_behind: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*, now: dt.datetime) -> int:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(sweeps, "_SWEEPS", {**sweeps._SWEEPS, "a-broken-one": fail})  # noqa: SLF001 -- put back after the test
        changed = run_sweeps(now=LATER)
    assert changed["a-broken-one"] == -1
    assert changed["materialisations"] == 1


@pytest.mark.case("A02")
@pytest.mark.django_db
def test_a_lease_is_one_owners_until_it_runs_out() -> None:
    assert lease("first")
    assert not lease("second")
    assert lease("first"), "its owner renews it"
    assert not lease("second", NOW + dt.timedelta(seconds=29))
    assert lease("second", NOW + dt.timedelta(seconds=31))
    assert not lease("first", NOW + dt.timedelta(seconds=32))
    assert Lease.objects.count() == 1


@pytest.mark.case("A02")
@pytest.mark.django_db
@pytest.mark.parametrize("days", [-1, 1], ids=["back", "ahead"])
def test_a_time_that_was_moved_by_a_day_lets_one_in(days: int) -> None:
    lease("first")
    Lease.objects.update(expires_at=NOW + dt.timedelta(days=days))
    assert [lease("second"), lease("third"), lease("first")] == [True, False, False]


@pytest.mark.case("A02")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("before", ["none", "expired"])
def test_of_many_at_once_one_takes_the_lease(before: str) -> None:
    if before == "expired":
        lease("old", NOW - dt.timedelta(minutes=5))
    results = at_once(*[lambda n=n: lease(f"owner-{n}") for n in range(8)])
    assert sorted(results) == [False] * 7 + [True]


@pytest.mark.case("A02")
@pytest.mark.django_db(transaction=True)
def test_two_processes_sweep_as_one_and_the_other_takes_over(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SWEEP_SECONDS = 0.2
    swept: list[int] = []

    def note(*, now: dt.datetime) -> dict[str, int]:
        swept.append(threading.get_ident())
        return {}

    monkeypatch.setattr(ticker, "run_sweeps", note)
    tickers = [Ticker("first"), Ticker("second")]
    for each in tickers:
        each.start()
    try:
        wait_for(lambda: len(swept) >= 5)
        assert len(set(swept)) == 1, "both swept"
        [owner] = Lease.objects.values_list("owner", flat=True)
        holder = next(each for each in tickers if each.owner == owner)
        other = next(each for each in tickers if each.owner != owner)
        holder.stop()
        done = len(swept)
        wait_for(lambda: len(swept) >= done + 3)
        assert Lease.objects.get().owner == other.owner
    finally:
        for each in tickers:
            each.stop()
        connections.close_all()


def wait_for(condition: Callable[[], bool], seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "the sweeps stopped"
        time.sleep(0.02)
