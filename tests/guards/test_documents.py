"""What the other documents say of the code is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from decisions.models import RequestState
from dialogue.turns.states import MOVES
from tests.guards.documents import (
    CODE,
    cells,
    dotted_names,
    environment_variables,
    names_in_the_database,
    resolves,
    root_file,
)
from tests.guards.sources import APPS

pytestmark = pytest.mark.shape("embedded", reason="reads files only")

DOCUMENTS = ("architecture.md", "guarantees.md", "operations.md", "api.md")
DIAGRAM = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Names that look like those of constraints, by what they begin with.
IN_DATABASE = re.compile(
    r"^(?:message|event|turn|request|mission|modelcall|version|suggestion|task)_"
    r"\w+_(?:\w+_)*(?:once|known|conversation|message|revision|unpriced|call|turn)$"
)


def turn_diagram() -> str:
    """Return the moves of a turn as Mermaid draws them."""
    lines = ["stateDiagram-v2", "    [*] --> queued"]
    for state, targets in MOVES.items():
        moves = [target for target in MOVES if target in targets]
        lines += [f"    {state.value} --> {target.value}" for target in moves]
        lines += [] if moves else [f"    {state.value} --> [*]"]
    return "\n".join(lines) + "\n"


def test_the_diagram_of_turns_is_the_table() -> None:
    diagrams = DIAGRAM.findall(root_file("docs/architecture.md"))
    assert turn_diagram() in diagrams, f"put this there:\n{turn_diagram()}"


def test_the_diagram_of_requests_has_every_state() -> None:
    [diagram] = [
        text
        for text in DIAGRAM.findall(root_file("docs/architecture.md"))
        if "superseded" in text
    ]
    assert {state for state in RequestState.values if state not in diagram} == set()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_not_long(name: str) -> None:
    assert len(root_file(f"docs/{name}").splitlines()) <= 400


@pytest.mark.parametrize("name", DOCUMENTS)
def test_names_of_ours_lead_somewhere(name: str) -> None:
    text = root_file(f"docs/{name}")
    lost = {found for found in dotted_names(text) if not resolves(found)}
    assert lost == set()
    paths = {
        quoted
        for quoted in CODE.findall(text)
        if re.match(rf"^(?:{'|'.join(APPS)}|tests|docs|deploy)/[\w/.]+$", quoted)
    }
    here = Path(__file__).resolve().parents[2]
    assert {path for path in paths if not (here / path).exists()} == set()


def test_constraints_that_are_named_exist() -> None:
    quoted = set(CODE.findall(root_file("docs/architecture.md")))
    named = {name for name in quoted if IN_DATABASE.match(name)}
    assert len(named) > 5
    assert named <= names_in_the_database()


def test_every_setting_is_explained_with_its_default() -> None:
    explained = {row[0].strip("`"): row[1] for row in cells("operations.md")}
    read = environment_variables()
    assert len(read) > 30
    assert set(read) - set(explained) == set()
    other = {
        name: (default, explained[name])
        for name, default in read.items()
        if default and default not in explained[name]
    }
    assert other == {}


def test_the_example_of_an_environment_has_every_setting() -> None:
    text = root_file(".env.example")
    named = re.findall(r"^(?:# )?([A-Z][A-Z_]+)=", text, re.MULTILINE)
    assert len(named) == len(set(named))
    assert set(named) == {*environment_variables(), "DIALOGUE_LLM_API_KEY"}


def test_every_command_of_ours_is_explained() -> None:
    explained = {row[0].strip("`").split()[0] for row in cells("operations.md")}
    ours = {name for name, app in get_commands().items() if app in APPS}
    assert ours - explained == set()
