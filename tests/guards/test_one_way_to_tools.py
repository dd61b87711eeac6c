"""A model reaches a tool through the gate alone, whoever carries its calls."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.guards.sources import APPS, python_files, tree

pytestmark = pytest.mark.shape("embedded", reason="reads files only")

THE_WAY = Path("tooling/gate/execute.py")
THE_LIST = Path("tooling/gate/facts.py")
# What is passed to a tool, and to nothing else.
PASSED = {"context", "arguments"}
# Modules that run tools for a model: the agent loop. A bridge would be another.
CARRIERS = {Path("dialogue/turns/tool_steps.py")}
# What a person runs by a click on the card of a held-back call goes through the same
# gate with the click in place of the request: one module of the gate does it, and one
# service, which takes nobody but a person at a page, asks it to.
BY_HAND = Path("tooling/gate/by_hand.py")
CLICKS = {Path("dialogue/services/held_calls.py")}


def runs_a_tool(node: ast.AST) -> bool:
    """Tell whether a call is `….run(context=…, arguments=…)`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "run"
        and {keyword.arg for keyword in node.keywords} >= PASSED
    )


def imports(path: Path, name: str) -> bool:
    """Tell whether a file imports this name from somewhere."""
    return any(
        alias.name == name
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )


@pytest.mark.promise("D40", "D41")
def test_tools_run_in_the_gate_alone() -> None:
    found = {
        path
        for path in python_files(*APPS)
        if any(runs_a_tool(node) for node in ast.walk(tree(path)))
    }
    assert found == {THE_WAY}


@pytest.mark.promise("D41")
def test_who_carries_calls_goes_through_the_gate() -> None:
    found = {path for path in python_files(*APPS) if imports(path, "execute_call")}
    assert found == CARRIERS


@pytest.mark.promise("A3")
def test_who_runs_a_call_by_hand_goes_through_the_gate() -> None:
    found = {path for path in python_files(*APPS) if imports(path, "execute_held")}
    assert found == CLICKS
    making = {path for path in python_files(*APPS) if imports(path, "Call")}
    assert making == {BY_HAND}


@pytest.mark.promise("D41")
def test_what_a_model_is_told_of_comes_from_one_registry() -> None:
    """Whoever lists tools asks `is_served` of the gate, as the agent loop does."""
    listing = {path for path in python_files(*APPS) if imports(path, "all_tools")}
    asking = {path for path in listing if imports(path, "is_served")}
    assert listing == asking
    assert THE_LIST in listing
