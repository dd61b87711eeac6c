"""House rules that no linter knows."""

from __future__ import annotations

import ast
import statistics
from typing import TYPE_CHECKING

import pytest

from tests.guards.sources import (
    APPS,
    attributes,
    imported_packages,
    python_files,
    read,
    tree,
)

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shape("embedded", reason="reads files only")

PROVIDERS = {"pydantic_ai", "openai", "anthropic"}
LEFT_OUT = {"skip", "skipif", "xfail", "importorskip", "skipTest"}
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES_P95 = 40


def function_lengths(path: Path) -> list[int]:
    """Return the number of lines of each function of a file."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return [
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(tree(path))
        if isinstance(node, kinds)
    ]


@pytest.mark.promise("D30")
def test_providers_are_imported_by_the_llm_layer_alone() -> None:
    found = [
        path
        for path in python_files(*APPS)
        if imported_packages(path) & PROVIDERS and path.parts[:2] != ("tooling", "llm")
    ]
    assert found == []


def test_no_test_is_left_out() -> None:
    found = {
        path: attributes(path) & LEFT_OUT
        for path in python_files("tests")
        if attributes(path) & LEFT_OUT
    }
    assert found == {}


def test_celery_is_never_eager() -> None:
    eager = "always" + "_eager"
    files = [*python_files(), *python_files("config", migrations=True)]
    assert [path for path in files if eager in read(path).lower()] == []


def test_agents_are_never_run_in_a_thread_of_their_own() -> None:
    # `run_sync` puts the ORM on another connection than the caller's.
    found = [path for path in python_files(*APPS) if "run_sync" in attributes(path)]
    assert found == []


def test_settings_files_are_read_by_the_local_run_alone() -> None:
    readers = [path for path in python_files(*APPS) if "read_env" in read(path)]
    assert [str(path) for path in readers] == ["config/local_env.py"]


def test_receivers_are_connected_in_apps_alone() -> None:
    found = [
        path
        for path in python_files(*APPS)
        if path.name != "apps.py"
        and ("django.dispatch" in read(path) and "import receiver" in read(path))
    ]
    assert found == []


def test_files_are_short() -> None:
    lengths = {path: len(read(path).splitlines()) for path in python_files()}
    assert {path: n for path, n in lengths.items() if n > MAX_FILE_LINES} == {}


def test_functions_are_short() -> None:
    lengths = [n for path in python_files(*APPS) for n in function_lengths(path)]
    p95 = statistics.quantiles(lengths, n=20)[-1]
    assert p95 <= MAX_FUNCTION_LINES_P95
