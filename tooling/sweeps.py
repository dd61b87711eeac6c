"""Sweeps: what finds the work that a lost hint should have started.

Each app registers functions; `tooling.ticker` runs them all every so often.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable

log = logging.getLogger(__name__)

Sweep = Callable[..., int]
_SWEEPS: dict[str, Sweep] = {}


def register_sweep(name: str, function: Sweep) -> None:
    """Register `function(*, now) -> number of changed rows`. Safe to run any time."""
    _SWEEPS[name] = function


def run_sweeps(*, now: dt.datetime) -> dict[str, int]:
    """Run every sweep once; one that fails does not keep the others from running."""
    changed: dict[str, int] = {}
    for name, function in sorted(_SWEEPS.items()):
        try:
            changed[name] = function(now=now)
        except Exception:
            log.exception("sweep failed", extra={"sweep": name})
            changed[name] = -1
    return changed
