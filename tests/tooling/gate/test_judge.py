"""The pure verdict: every row of the truth table, and what no row can change."""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
import uuid
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tooling.gate import (
    CallFacts,
    Decision,
    Gate,
    GateContext,
    GrantFact,
    is_served,
    judge,
)
from tooling.tiers import Tier, is_dispose_name

HERE = uuid.uuid4()
NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
LIVE = GrantFact(HERE, frozenset({"mission_create"}), NOW + dt.timedelta(hours=1), 1)


def context(
    *,
    listed: bool = True,
    switch: bool = True,
    toggle: bool = True,
    intent: bool = True,
    grant: GrantFact | None = None,
    ran: int = 0,
) -> GateContext:
    """Return the facts of one row."""
    return GateContext(
        conversation_id=HERE,
        now=NOW,
        switch_on=switch,
        toggle_on=toggle,
        intent_tools=frozenset({"mission_create"}) if intent else frozenset(),
        grants=(grant,) if grant else (),
        ran_this_turn=ran,
        cap_per_turn=10,
        allowlist=frozenset({"mission_create"}) if listed else frozenset(),
    )


WRITE = CallFacts("mission_create", Tier.WRITE)


@pytest.mark.promise("D55", "D49", "D51", "D53", "D54", "A1")
@pytest.mark.parametrize("row", list(itertools.product([False, True], repeat=5)))
def test_a_write_runs_if_and_only_if_every_gate_is_open(row: tuple[bool, ...]) -> None:
    listed, switch, toggle, intent, granted = row
    verdict = judge(
        WRITE,
        context(
            listed=listed,
            switch=switch,
            toggle=toggle,
            intent=intent,
            grant=LIVE if granted else None,
        ),
    )
    expected = listed and switch and toggle and (intent or granted)
    assert verdict.runs == expected, f"{row}: {verdict}"
    assert (verdict.gate is Gate.OPEN) == expected


@pytest.mark.promise("D54", "A4")
@pytest.mark.parametrize(
    "grant",
    [
        GrantFact(HERE, frozenset({"mission_create"}), NOW, 1),
        GrantFact(HERE, frozenset({"mission_create"}), NOW + dt.timedelta(1), 0),
        GrantFact(HERE, frozenset({"mission_create"}), NOW + dt.timedelta(1), 1, True),
        GrantFact(uuid.uuid4(), frozenset({"mission_create"}), LIVE.expires_at, 1),
        GrantFact(HERE, frozenset({"task_create"}), LIVE.expires_at, 1),
    ],
    ids=["expired", "used up", "revoked", "other conversation", "other tool"],
)
def test_a_grant_that_is_not_alive_here_for_this_tool_opens_nothing(
    grant: GrantFact,
) -> None:
    verdict = judge(WRITE, context(intent=False, grant=grant))
    assert verdict.decision is Decision.SURFACE
    assert verdict.gate is Gate.INTENT


@pytest.mark.promise("D60")
def test_writes_are_capped_per_turn() -> None:
    assert judge(WRITE, context(ran=9)).runs
    assert judge(WRITE, context(ran=10)).gate is Gate.CAP


ANY_CALL = [
    CallFacts("mission_list", Tier.READ),
    CallFacts("mission_propose", Tier.PROPOSE),
    WRITE,
]


@pytest.mark.parametrize("call", ANY_CALL, ids=lambda call: str(call.tier))
def test_one_answer_makes_so_many_calls(call: CallFacts) -> None:
    last, over = (replace(context(), calls_before=n, cap_per_answer=3) for n in (2, 3))
    assert judge(call, last).runs
    verdict = judge(call, over)
    assert (verdict.decision, verdict.gate) == (Decision.REFUSE, Gate.ANSWER_CAP)


@pytest.mark.lesson("chat-R25")
@pytest.mark.parametrize("call", ANY_CALL, ids=lambda call: str(call.tier))
def test_the_same_call_runs_twice_in_a_turn(call: CallFacts) -> None:
    assert judge(call, replace(context(), same_before=1)).runs
    verdict = judge(call, replace(context(), same_before=2))
    assert (verdict.decision, verdict.gate) == (Decision.REFUSE, Gate.REPEAT)


def test_a_flood_of_blocked_writes_is_not_put_before_the_person() -> None:
    flood = replace(context(intent=False), calls_before=25)
    assert judge(WRITE, flood).gate is Gate.ANSWER_CAP
    again = replace(context(intent=False), same_before=2)
    assert judge(WRITE, again).gate is Gate.REPEAT


@pytest.mark.parametrize(
    ("call", "gate"),
    [
        (CallFacts("mission_approve", Tier.READ), Gate.DISPOSE),
        (CallFacts("no_such_tool"), Gate.UNKNOWN),
        (CallFacts("odd", "odd"), Gate.UNCLASSIFIED),
        (CallFacts("expert_ask", Tier.READ, held_back=True), Gate.HELD_BACK),
        (CallFacts("mission_delete", Tier.WRITE), Gate.ALLOWLIST),
    ],
)
def test_what_is_refused_anyway_says_so_however_often(
    call: CallFacts, gate: Gate
) -> None:
    assert judge(call, replace(context(), calls_before=99, same_before=9)).gate is gate


@pytest.mark.promise("D61", "D62", "D63")
@given(
    st.text(alphabet="abcdefghijklmnopqrstuvwxyz_", max_size=20),
    st.sampled_from(["approve", "reject", "respond", "promote"]),
    st.sampled_from(list(Tier)),
)
def test_a_dispose_name_never_runs_and_is_never_served(
    head: str, verb: str, tier: Tier
) -> None:
    name = f"{head}_{verb}"
    assert is_dispose_name(name)
    grant = GrantFact(HERE, frozenset({name}), LIVE.expires_at, 9)
    everything = GateContext(
        conversation_id=HERE,
        now=NOW,
        switch_on=True,
        toggle_on=True,
        intent_tools=frozenset({name}),
        grants=(grant,),
        allowlist=frozenset({name}),
    )
    call = CallFacts(name, tier)
    assert judge(call, everything).gate is Gate.DISPOSE
    assert not is_served(call, everything)


@pytest.mark.promise("D43", "D45")
@pytest.mark.parametrize("row", list(itertools.product([False, True], repeat=4)))
def test_a_read_runs_whatever_the_switches_say(row: tuple[bool, ...]) -> None:
    listed, switch, toggle, intent = row
    facts = context(listed=listed, switch=switch, toggle=toggle, intent=intent)
    call = CallFacts("mission_list", Tier.READ)
    assert judge(call, facts).runs
    assert is_served(call, facts)


@pytest.mark.promise("D46", "N5")
def test_a_held_back_read_is_neither_served_nor_run() -> None:
    call = CallFacts("expert_ask", Tier.READ, held_back=True)
    assert judge(call, context()).gate is Gate.HELD_BACK
    assert not is_served(call, context())


@pytest.mark.promise("D46", "D47", "L2", "N5")
@pytest.mark.parametrize("row", list(itertools.product([False, True], repeat=7)))
def test_a_held_back_read_runs_if_and_only_if_it_is_released(
    row: tuple[bool, ...],
) -> None:
    """No switch, toggle, wish, grant or allow-list opens it, nor another's release."""
    held_back, released, other, switch, toggle, intent, granted = row
    names = {"expert_ask"} if released else set()
    facts = dataclasses.replace(
        context(
            switch=switch, toggle=toggle, intent=intent, grant=LIVE if granted else None
        ),
        intent_tools=frozenset({"expert_ask"} if intent else ()),
        released=frozenset(names | ({"mission_summarise"} if other else set())),
        allowlist=frozenset({"expert_ask"}),
    )
    call = CallFacts("expert_ask", Tier.READ, held_back=held_back)
    runs = released or not held_back
    assert judge(call, facts).runs is runs
    assert is_served(call, facts) is runs
    if not runs:
        assert judge(call, facts).gate is Gate.HELD_BACK


@pytest.mark.promise("D70", "D71", "D72", "D73", "N6")
@pytest.mark.parametrize("row", list(itertools.product([False, True], repeat=4)))
def test_proposing_hangs_on_the_deployment_switch_alone(row: tuple[bool, ...]) -> None:
    switch, toggle, intent, granted = row
    facts = context(
        switch=switch, toggle=toggle, intent=intent, grant=LIVE if granted else None
    )
    call = CallFacts("mission_propose", Tier.PROPOSE)
    assert judge(call, facts).runs == switch
    assert is_served(call, facts) == switch


@pytest.mark.promise("D68")
def test_an_unknown_tool_and_one_without_a_tier_are_refused() -> None:
    assert judge(CallFacts("mission_read"), context()).gate is Gate.UNKNOWN
    strange = CallFacts("mission_read", "superuser")
    assert judge(strange, context()).gate is Gate.UNCLASSIFIED
    assert not is_served(strange, context())
