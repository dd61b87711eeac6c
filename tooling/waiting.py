"""What waits in a tenant: counts that apps above register, for status answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tooling.policy import Principal


class WaitingCount(Protocol):
    """Counts rows of a tenant that wait for somebody."""

    def __call__(self, *, principal: Principal) -> int:
        """Return how many wait, of those that the principal may see."""
        ...


_COUNTS: dict[str, WaitingCount] = {}


def register_waiting(name: str, count: WaitingCount) -> None:
    """Register a count under a stable English name."""
    _COUNTS[name] = count


def waiting_counts(*, principal: Principal) -> dict[str, int]:
    """Return every registered count for a principal's tenant."""
    return {name: count(principal=principal) for name, count in sorted(_COUNTS.items())}
