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

    @property
    def is_long(self) -> bool:
        """Tell whether the text needs more than one line."""
        return self.lines or len(self.value) > LONG or "\n" in self.value


class EditForm:
    """The texts of a payload as fields; what is no text stays as it is.

    The subject's own check judges what comes back, the same as for a proposal.
    """

    def __init__(
        self, row: AttentionRequest, data: Mapping[str, str] | None = None
    ) -> None:
        self._payload: dict[str, Any] = row.payload
        self._labels = find_subject(row.subject).labels
        self._editable = find_subject(row.subject).editable
        self._data = data

    def fields(self) -> list[EditField]:
        """Return the fields in the payload's order."""
        return [
            EditField(
                name=path,
                label=label_of(path, self._labels),
                value=self._sent(path, value),
                lines=isinstance(value, list),
            )
            for path, value in _texts(self._payload, "")
            if self._editable is None or path.split(".")[0] in self._editable
        ]

    def _sent(self, path: str, value: str | list[str]) -> str:
        stored = value if isinstance(value, str) else "\n".join(value)
        return self._data.get(path, stored) if self._data is not None else stored

    def payload(self) -> dict[str, Any]:
        """Return the payload with what was sent in the place of what stood there."""
        edited = copy.deepcopy(self._payload)
        for each in self.fields():
            text = each.value.replace("\r\n", "\n")
            value = [line for line in text.split("\n") if line.strip()]
            _put(edited, each.name.split("."), value if each.lines else text)
        for part in edited:
            if self._editable is None or part in self._editable:
                edited[part] = _without_cleared(edited[part])
        return edited


def _texts(value: Any, path: str) -> Iterator[tuple[str, str | list[str]]]:
    """Walk a payload down to its texts and lists of one-line texts."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        if all(isinstance(item, str) and "\n" not in item for item in value):
            yield path, value
        else:
            for index, item in enumerate(value):
                yield from _texts(item, f"{path}.{index}")


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
