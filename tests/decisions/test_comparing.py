from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from decisions.comparing import changes_between, field_rows, label_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("xyz"), inner, max_size=4)
    ),
    max_leaves=12,
)
LABELS = {"mission.tasks": "Tasks", "mission.tasks.title": "Title"}


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict) and value:
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, list) and value:
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


@given(JSON)
def test_every_leaf_is_a_row(payload: Any) -> None:
    rows = field_rows(payload, {})
    assert [row.value for row in rows] == leaves(payload)


@given(JSON, JSON)
def test_there_are_changes_if_and_only_if_something_differs(old: Any, new: Any) -> None:
    assert not changes_between(old, old, {})
    same = repr(_sorted(old)) == repr(_sorted(new))
    assert bool(changes_between(old, new, {})) is not same


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value


def test_one_entry_put_in_front_is_one_change() -> None:
    old = {"tasks": [{"title": "a"}, {"title": "b"}]}
    new = {"tasks": [{"title": "z"}, {"title": "a"}, {"title": "b"}]}
    [change] = changes_between(old, new, {})
    assert (change.path, change.old, change.new) == ("tasks.0", None, {"title": "z"})


def test_labels_say_which_entry() -> None:
    assert label_of("mission.tasks.1.title", LABELS) == "Tasks 2: Title"
    assert label_of("mission.tasks.1", LABELS) == "Tasks 2"
    assert label_of("mission.unknown", LABELS) == "unknown"
