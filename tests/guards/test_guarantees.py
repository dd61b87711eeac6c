"""docs/guarantees.md and the tests say the same."""

from __future__ import annotations

import re

import pytest

from tests.guards.documents import (
    CODE,
    DOTTED,
    Mark,
    cells,
    dotted_names,
    marked_tests,
    names_in_the_database,
    resolves,
)

pytestmark = pytest.mark.shape("embedded", reason="reads files only")

NOT_YET = "not yet"
ID = re.compile(r"^(?:[DNLAR]\d+|H-\d\d|chat-R\d+)$")
# What the first landing promises; each of it is on the page.
FIRST = {
    *(f"D{n}" for n in [*range(1, 12), *range(13, 20), 27, *range(29, 37)]),
    *(f"D{n}" for n in [38, 39, 40, 41, 43, 45, 48, 49, 61, 62, 63, 66, 67, 68]),
    *(f"D{n}" for n in [*range(70, 93), 94]),
    *(f"N{n}" for n in [1, 2, 3, 4, 6, 8, 9]),
    *("L1", "L4", "L5"),
    *(f"A{n}" for n in [3, 6, 8, 9, 10, 11, 12, 16, 21, 30]),
}


def kind_of(row: list[str]) -> str:
    """Return which mark a row is about."""
    if len(row) == 4:
        return "promise"
    return "lesson" if "-" in row[0] else "case"


def rows() -> dict[Mark, list[str]]:
    """Return the rows of the page by mark."""
    found = [row for row in cells("guarantees.md") if ID.match(row[0])]
    named = {(kind_of(row), row[0]): row for row in found}
    assert len(named) == len(found), "an id stands there twice"
    return named


def is_not_yet(row: list[str]) -> bool:
    return row[1].lower().startswith(NOT_YET)


def test_the_page_has_every_promise_of_the_first_landing() -> None:
    assert {mark for kind, mark in rows() if kind == "promise"} >= FIRST


def test_every_row_has_a_test_or_says_that_it_is_not_yet() -> None:
    bare = {
        mark
        for mark, row in rows().items()
        if not is_not_yet(row) and not marked_tests().get(mark)
    }
    assert bare == set()
    early = {mark for mark, row in rows().items() if is_not_yet(row)}
    assert not early & set(marked_tests()), "tests keep it, and the page says not yet"


def test_every_test_that_is_named_exists_and_carries_the_mark() -> None:
    wrong = {
        (mark, name)
        for mark, row in rows().items()
        for name in CODE.findall(row[-1])
        if name not in marked_tests().get(mark, frozenset())
    }
    assert wrong == set()
    unnamed = {
        mark
        for mark, row in rows().items()
        if not is_not_yet(row) and not CODE.findall(row[-1])
    }
    assert unnamed == set()


def test_every_mark_in_the_tests_is_on_the_page() -> None:
    assert set(marked_tests()) - set(rows()) == set()


def test_what_is_said_to_keep_it_is_there() -> None:
    for mark, row in rows().items():
        if mark[0] != "promise":
            continue
        assert all(resolves(name) for name in dotted_names(row[2])), row
        others = {name for name in CODE.findall(row[2]) if not DOTTED.match(name)}
        columns = {name for name in others if name.startswith("origin_")}
        tools = {name for name in others if name in {"mission_create"}}
        assert others - columns - tools <= names_in_the_database(), row
