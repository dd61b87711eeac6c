"""What a conversation spawned: apps above list their rows here."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spawned:
    """One row that came from a conversation. `is_open` marks what still waits."""

    kind: str
    id: uuid.UUID
    title: str
    status: str
    url: str
    created_at: dt.datetime
    origin_message: uuid.UUID | None = None
    is_open: bool = False


Lister = Callable[..., list[Spawned]]
_LISTERS: dict[str, Lister] = {}


def register_spawned(name: str, lister: Lister) -> None:
    """Register `lister(*, tenant_id, conversation_id) -> list[Spawned]`."""
    _LISTERS[name] = lister


def list_spawned(*, tenant_id: uuid.UUID, conversation_id: uuid.UUID) -> list[Spawned]:
    """Return everything that a conversation spawned, oldest first."""
    rows = [
        row
        for _name, lister in sorted(_LISTERS.items())
        for row in lister(tenant_id=tenant_id, conversation_id=conversation_id)
    ]
    return sorted(rows, key=lambda row: (row.created_at, str(row.id)))
