"""Messages as prompts need them: values, a tenth of the cost of model instances."""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple, Protocol


class MessageValues(Protocol):
    """What a window and a prompt look at in a message, whoever holds it."""

    @property
    def seq(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def data(self) -> Any: ...
    @property
    def turn_id(self) -> uuid.UUID | None: ...
    @property
    def attempt(self) -> int: ...


class WindowRow(NamedTuple):
    """A message of the window; its fields are columns of the table."""

    seq: int
    role: str
    text: str
    data: dict[str, Any]
    turn_id: uuid.UUID | None
    attempt: int
