from __future__ import annotations

import pytest
from hypothesis import given

from missions.workflow.graph import Graph, UnusablePlan, build_graph, parse_graph
from missions.workflow.validation import publish_problems
from tests.missions.support import SOUND_PLAN, plan
from tests.missions.workflow.test_graph import ANY_GRAPHS


def codes(value: dict[str, object]) -> list[str]:
    return [problem.code for problem in publish_problems(parse_graph(value))]


def test_a_sound_graph_has_no_problems() -> None:
    assert codes(SOUND_PLAN) == []


@pytest.mark.promise("D90")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({**SOUND_PLAN, "placeholder": True}, ["placeholder"]),
        ({"steps": []}, ["empty"]),
        (plan(("a", ("a",))), ["cycle"]),
        (plan(("a", ("b",)), ("b", ("a",))), ["cycle", "cycle"]),
        (plan(("a", ("a",)), ("b", ("a",))), ["cycle", "unreachable"]),
        (plan(("a", ()), ("a", ())), ["duplicate_id"]),
        (plan(("a", ("x",))), ["unknown_step"]),
        ({"steps": [{"id": "a", "title": ""}]}, ["missing_title"]),
        ({"steps": [{"id": "", "title": "A"}]}, ["missing_id"]),
    ],
)
def test_each_fault_is_named(value: dict[str, object], expected: list[str]) -> None:
    assert codes(value) == expected


def test_every_reason_says_which_step_and_what_to_do() -> None:
    (problem,) = publish_problems(parse_graph(plan(("a", ("x",)))))
    assert problem.to_json() == {
        "code": "unknown_step",
        "message": "“A” waits for “x”, which is not a step.",
        "step": "a",
    }


@given(ANY_GRAPHS)
def test_what_may_be_published_is_exactly_what_is_sound(graph: Graph) -> None:
    try:
        build_graph(graph.to_json())
    except UnusablePlan:
        assert publish_problems(graph)
    else:
        assert publish_problems(graph) == []
