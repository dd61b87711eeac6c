"""Payloads field by field, and what changed between two revisions. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tooling.boundary import canonical_json

Labels = Mapping[str, str | Promise]


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One leaf of a payload. `label` is in words, `path` is the dotted name."""

    path: str
    label: str
    value: Any


@dataclass(frozen=True, slots=True)
class Change:
    """One part that differs: `old` or `new` is None where it was not there."""

    path: str
    label: str
    old: Any
    new: Any


def field_rows(payload: Any, labels: Labels) -> list[FieldRow]:
    """Return every leaf of a payload, empty lists and objects included, in order."""
    return [
        FieldRow(path, label_of(path, labels), value)
        for path, value in _leaves(payload, "")
    ]


def label_of(path: str, labels: Labels) -> str:
    """Return a path in words: the label of its last named part, with its number."""
    parts = path.split(".") if path else []
    names = [part for part in parts if not part.isdecimal()]
    label = str(labels.get(".".join(names), names[-1] if names else path))
    numbers = [part for part in parts if part.isdecimal()]
    if numbers:
        parent = ".".join(parts[: parts.index(numbers[0])])
        group = str(labels.get(parent, parent.rsplit(".", 1)[-1]))
        place = ".".join(str(int(number) + 1) for number in numbers)
        if group != label:
            named = {"group": group, "place": place, "label": label}
            return _("%(group)s %(place)s: %(label)s") % named
        return f"{group} {place}"
    return label


def changes_between(old: Any, new: Any, labels: Labels) -> list[Change]:
    """Return what differs between two payloads, in the order of the new one."""
    return [
        Change(path, label_of(path, labels), before, after)
        for path, before, after in _differences(old, new, "")
    ]


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}.{index}" if path else str(index))
    else:
        yield path, value


def _differences(old: Any, new: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*new, *(key for key in old if key not in new)]:
            below = f"{path}.{key}" if path else key
            if key in old and key in new:
                yield from _differences(old[key], new[key], below)
            else:
                yield below, old.get(key), new.get(key)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _list_differences(old, new, path)
    elif canonical_json(old) != canonical_json(new):
        yield path, old, new


def _list_differences(
    old: list[Any], new: list[Any], path: str
) -> Iterator[tuple[str, Any, Any]]:
    """Compare by content, so that one entry put in front does not change them all."""
    before = [canonical_json(item) for item in old]
    after = [canonical_json(item) for item in new]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        common = min(old_end - old_start, new_end - new_start)
        for step in range(common):
            below = f"{path}.{new_start + step}"
            yield from _differences(old[old_start + step], new[new_start + step], below)
        for index in range(old_start + common, old_end):
            yield f"{path}.{index}", old[index], None
        for index in range(new_start + common, new_end):
            yield f"{path}.{index}", None, new[index]
