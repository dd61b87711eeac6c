from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from missions.workflow.graph import (
    MAX_STEPS,
    Graph,
    Step,
    UnusablePlan,
    build_graph,
    cyclic_steps,
    layers,
    parse_graph,
    placeholder_graph,
    stuck_steps,
)
from tests.missions.support import SOUND_PLAN, plan
from tooling.errors import InvalidInput

IDS = st.sampled_from("abcdefgh")
ANY_GRAPHS = st.lists(
    st.builds(
        Step,
        id=IDS,
        title=st.sampled_from(["", "Do it", "<b>"]),
        kind=st.sampled_from(["task", "check", "wait"]),
        after=st.lists(IDS, max_size=3, unique=True).map(tuple),
    ),
    max_size=8,
).map(lambda steps: Graph(tuple(steps)))


@st.composite
def sound_plans(draw: st.DrawFn) -> dict[str, object]:
    """Plans in which a step waits for earlier ones alone, written in any order."""
    names = draw(st.lists(IDS, min_size=1, unique=True))
    edges = [
        (name, tuple(draw(st.lists(st.sampled_from(names[:index]), unique=True))))
        if index
        else (name, ())
        for index, name in enumerate(names)
    ]
    return plan(*draw(st.permutations(edges)))


@given(sound_plans())
def test_a_plan_that_can_be_walked_is_a_graph(value: dict[str, object]) -> None:
    graph = build_graph(value)
    assert graph.to_json() == {**value, "placeholder": False}
    assert stuck_steps(graph) == []


@given(sound_plans())
def test_each_step_comes_after_all_that_it_waits_for(value: dict[str, object]) -> None:
    graph = build_graph(value)
    place = {
        step.id: number for number, row in enumerate(layers(graph)) for step in row
    }
    assert place.keys() == {step.id for step in graph.steps}
    for step in graph.steps:
        highest = max((place[name] for name in step.after), default=-1)
        assert place[step.id] == highest + 1


@given(ANY_GRAPHS)
def test_layers_and_stuck_steps_share_the_steps(graph: Graph) -> None:
    started = [step.id for row in layers(graph) for step in row]
    stuck = [step.id for step in stuck_steps(graph)]
    assert sorted(started + stuck) == sorted({step.id for step in graph.steps})
    assert {step.id for step in cyclic_steps(graph)} <= set(stuck)


@given(ANY_GRAPHS)
def test_what_is_stored_reads_back_the_same(graph: Graph) -> None:
    assert parse_graph(graph.to_json()) == graph


@pytest.mark.promise("D89")
@pytest.mark.parametrize(
    "value",
    [
        {"steps": []},
        plan(("a", ("a",))),
        plan(("a", ("b",)), ("b", ("a",))),
        plan(("a", ()), ("a", ())),
        plan(("a", ("nowhere",))),
        {"steps": [{"id": "a", "title": " ", "kind": "task", "after": []}]},
        {"steps": [{"id": "", "title": "A", "kind": "task", "after": []}]},
    ],
    ids=["empty", "self", "circle", "doubled", "unknown", "untitled", "nameless"],
)
def test_a_plan_that_does_not_fit_together_is_refused(value: dict[str, object]) -> None:
    with pytest.raises(UnusablePlan):
        build_graph(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"steps": {}},
        {"steps": ["a"]},
        {"steps": [], "placeholder": "no"},
        {"steps": [{"id": 1, "title": "A"}]},
        {"steps": [{"id": "a", "title": None}]},
        {"steps": [{"id": "a", "title": "A", "after": "b"}]},
        {"steps": [{"id": "a", "title": "A", "after": [1]}]},
        {"steps": [{"id": "a", "title": "A", "kind": "approve"}]},
        {"steps": [{"id": "a" * 41, "title": "A"}]},
        {"steps": [{"id": "a", "title": "A" * 201}]},
        {"steps": [{"id": "a", "title": "A\x00"}]},
        plan(*((f"s{number}", ()) for number in range(MAX_STEPS + 1))),
    ],
)
def test_what_has_not_the_form_of_a_graph_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput):
        parse_graph(value)


def test_a_plan_cannot_call_itself_a_placeholder() -> None:
    assert build_graph({**SOUND_PLAN, "placeholder": True}).placeholder is False


@pytest.mark.promise("D89")
@given(st.lists(st.text(min_size=1, max_size=250), min_size=1, max_size=60))
def test_a_placeholder_is_a_marked_chain_of_the_tasks(titles: list[str]) -> None:
    graph = placeholder_graph(titles)
    assert graph.placeholder
    assert [step.title for step in graph.steps] == [t[:200] for t in titles[:50]]
    assert [len(row) for row in layers(graph)] == [1] * len(graph.steps)


def test_only_steps_on_a_circle_are_cyclic() -> None:
    graph = parse_graph(
        plan(("a", ("b",)), ("b", ("a",)), ("behind", ("a",)), ("free", ()))
    )
    assert [step.id for step in cyclic_steps(graph)] == ["a", "b"]
    assert [step.id for step in stuck_steps(graph)] == ["a", "b", "behind"]
