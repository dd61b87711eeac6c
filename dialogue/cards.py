"""Cards: how apps above show their rows in a chat, with live state.

A message names cards by kind and key; what a card shows is read from the database
each time, never from the message or an event.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from tooling.policy import Principal


class CardLoader(Protocol):
    """Loads the contexts of many cards at once, of one tenant only."""

    def __call__(
        self, *, tenant_id: uuid.UUID, ids: list[uuid.UUID], principal: Principal
    ) -> dict[uuid.UUID, dict[str, Any]]:
        """Return a plain context per key that exists in the tenant."""
        ...


@dataclass(frozen=True, slots=True)
class CardKind:
    """A registered kind: its template and its loader."""

    kind: str
    template: str
    load: CardLoader


_KINDS: dict[str, CardKind] = {}


def register_card(kind: str, *, template: str, load: CardLoader) -> None:
    """Register how a kind of card is shown."""
    _KINDS[kind] = CardKind(kind, template, load)


def find_card(kind: str) -> CardKind | None:
    """Return a registered kind."""
    return _KINDS.get(kind)


def load_cards(
    *, refs: Iterable[dict[str, Any]], principal: Principal
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return contexts by (kind, id) for the cards named; one query set per kind."""
    by_kind: dict[str, set[uuid.UUID]] = {}
    for ref in refs:
        if ref.get("kind") in _KINDS:
            by_kind.setdefault(ref["kind"], set()).add(uuid.UUID(str(ref["id"])))
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for kind, ids in by_kind.items():
        contexts = _KINDS[kind].load(
            tenant_id=principal.tenant_id, ids=sorted(ids), principal=principal
        )
        found.update({(kind, str(key)): value for key, value in contexts.items()})
    return found
