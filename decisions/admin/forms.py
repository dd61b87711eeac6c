"""What the decision pages send: what was shown, and an edited payload."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from decisions.comparing import label_of
from decisions.kinds import find_subject
from decisions.models import AttentionRequest

LONG = 80
# Stands for the number of an entry that a script adds.
NUMBER = "__n__"
_MAX_DIGITS = 5


def shown_by(data: Mapping[str, str]) -> tuple[int, str]:
    """Return revision and payload hash of the page that a form was sent from.

    Anything but a number is revision 0, which never exists.
    """
    revision = data.get("revision", "")
    is_number = revision.isascii() and revision.isdigit()
    number = int(revision) if is_number and len(revision) <= _MAX_DIGITS else 0
    return number, data.get("payload_hash", "")


@dataclass(frozen=True, slots=True)
class EditField:
    """One text of a payload. `lines`: a list of sentences, one on each line."""

    name: str
    label: str
    value: str
    lines: bool = False
    tall: bool = False

    @property
    def is_long(self) -> bool:
        """Tell whether the text needs more than one line."""
        return self.lines or self.tall or len(self.value) > LONG or "\n" in self.value


@dataclass(frozen=True, slots=True)
class EditRow:
    """An entry of a list; `name` is its dotted path with its number."""

    name: str
    fields: tuple[EditField, ...]

    @property
    def is_bare(self) -> bool:
        """Tell whether the entry is one text without a name of its own."""
        return len(self.fields) == 1 and self.fields[0].name == self.name


@dataclass(frozen=True, slots=True)
class EditGroup:
    """A list with its entries. `blank` is one more, with `NUMBER` for its number."""

    name: str
    label: str
    entry_label: str
    add_label: str
    rows: tuple[EditRow, ...]
    blank: EditRow

    @property
    def is_group(self) -> bool:
        """Tell templates that this is no single field."""
        return True


class EditForm:
    """The texts of a payload as fields; what is no text stays as it is.

    Lists that the subject names grow and shrink: by the buttons `add` (a list) and
    `remove` (an entry), which only show the form anew. An entry left empty is none.
    The subject's own check judges what comes back, the same as for a proposal.
    """

    def __init__(
        self, row: AttentionRequest, data: Mapping[str, str] | None = None
    ) -> None:
        subject = find_subject(row.subject)
        self._payload: dict[str, Any] = row.payload
        self._labels = subject.labels
        self._lists = subject.lists
        self._editable = subject.editable
        self._data = data
        self.added = self._named("add")
        self._removed = self._named("remove")

    def _named(self, button: str) -> str:
        return self._data.get(button, "") if self._data is not None else ""

    @property
    def is_only_shown(self) -> bool:
        """Tell whether a button of a list was pressed: nothing is to be saved."""
        return self.added in self._lists or bool(self._removed)

    def parts(self) -> list[EditField | EditGroup]:
        """Return fields and lists in the payload's order."""
        return [
            (self._group if path in self._lists else self._field)(path, value)
            for path, value in _texts(self._payload, "", frozenset(self._lists))
            if self._editable is None or path.split(".")[0] in self._editable
        ]

    def _field(self, path: str, value: Any) -> EditField:
        stored = value if isinstance(value, str) else "\n".join(value)
        return EditField(
            name=path,
            label=label_of(path, self._labels),
            value=self._data.get(path, stored) if self._data is not None else stored,
            lines=isinstance(value, list),
        )

    def _group(self, path: str, stored: list[Any]) -> EditGroup:
        numbers = self._numbers(path, len(stored))
        if self.added == path:
            numbers.append(max(numbers, default=-1) + 1)
        entries = dict(enumerate(stored))
        return EditGroup(
            name=path,
            label=label_of(path, self._labels),
            entry_label=str(self._lists[path].entry_label),
            add_label=str(self._lists[path].add_label),
            rows=tuple(self._row(path, str(n), entries.get(n)) for n in numbers),
            blank=self._row(path, NUMBER, None),
        )

    def _numbers(self, path: str, stored: int) -> list[int]:
        """Return the numbers of a list's entries: those sent, else those stored."""
        if self._data is None:
            return list(range(stored))
        sent = {_number_in(name, path) for name in self._data} - {None}
        # Without its mark the list was not on the page that was sent.
        if f"rows:{path}" not in self._data:
            sent |= set(range(stored))
        sent -= {_number_in(self._removed, path)}
        return sorted(number for number in sent if number is not None)

    def _row(self, path: str, number: str, stored: Any) -> EditRow:
        shape, name = self._lists[path], f"{path}.{number}"
        if isinstance(shape.blank, str):
            label = label_of(path, self._labels)
            text = self._sent(name, stored if isinstance(stored, str) else "")
            return EditRow(name, (EditField(name, label, text, tall=True),))
        texts = dict(shape.blank) | (stored if isinstance(stored, dict) else {})
        return EditRow(
            name,
            tuple(
                EditField(
                    name=f"{name}.{key}",
                    label=label_of(f"{path}.{key}", self._labels),
                    value=self._sent(f"{name}.{key}", text),
                    tall=key in shape.tall,
                )
                for key, text in texts.items()
            ),
        )

    def _sent(self, name: str, stored: str) -> str:
        return self._data.get(name, stored) if self._data is not None else stored

    def payload(self) -> dict[str, Any]:
        """Return the payload with what was sent in the place of what stood there."""
        edited = copy.deepcopy(self._payload)
        for each in self.parts():
            value = _entries(each) if isinstance(each, EditGroup) else _value(each)
            _put(edited, each.name.split("."), value)
        for part in edited:
            if self._editable is None or part in self._editable:
                edited[part] = _without_cleared(edited[part])
        return edited


def _number_in(name: str, path: str) -> int | None:
    """Return the number of the entry of the list `path` that a name belongs to."""
    if not name.startswith(f"{path}."):
        return None
    number = name.removeprefix(f"{path}.").split(".")[0]
    is_number = number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS
    return int(number) if is_number else None


def _value(field: EditField) -> str | list[str]:
    text = field.value.replace("\r\n", "\n")
    if field.lines:
        return [line for line in text.split("\n") if line.strip()]
    return text


def _entries(group: EditGroup) -> list[Any]:
    """Return a list's entries; what was left empty is none."""
    entries: list[Any] = []
    for row in group.rows:
        texts = {each.name: _value(each) for each in row.fields}
        if not any(str(text).strip() for text in texts.values()):
            continue
        keys = {name.rsplit(".", 1)[1]: text for name, text in texts.items()}
        entries.append(texts.get(row.name, keys))
    return entries


def _texts(value: Any, path: str, lists: frozenset[str]) -> Iterator[tuple[str, Any]]:
    """Walk a payload down to its texts, `lists`, and lists of one-line texts."""
    if isinstance(value, str) or (path in lists and isinstance(value, list)):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, f"{path}.{key}" if path else key, lists)
    elif isinstance(value, list):
        if all(isinstance(item, str) and "\n" not in item for item in value):
            yield path, value
        else:
            for index, item in enumerate(value):
                yield from _texts(item, f"{path}.{index}", lists)


def _put(payload: Any, parts: list[str], value: Any) -> None:
    *way, last = parts
    for part in way:
        payload = payload[int(part)] if isinstance(payload, list) else payload[part]
    if isinstance(payload, list):
        payload[int(last)] = value
    else:
        payload[last] = value


def _without_cleared(value: Any) -> Any:
    """Return a copy without list entries all of whose texts were cleared."""
    if isinstance(value, dict):
        return {key: _without_cleared(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_cleared(item) for item in value if not _is_cleared(item)]
    return value


def _is_cleared(entry: Any) -> bool:
    if not isinstance(entry, dict) or not entry:
        return False
    return all(isinstance(item, str) and not item.strip() for item in entry.values())
