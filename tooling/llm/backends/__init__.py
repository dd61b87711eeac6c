"""Backends: the ways to reach a model, one shared instance a process and preset.

Provider libraries take seconds to import, so each kind is imported when it is first
asked for.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from django.conf import settings

from tooling.models.llm import BackendKind

if TYPE_CHECKING:
    from tooling.llm.presets import ResolvedPreset
    from tooling.llm.types import Backend

KEPT_BACKENDS = 32
_backends: OrderedDict[ResolvedPreset, Backend] = OrderedDict()
_lock = threading.Lock()


def backend_for(preset: ResolvedPreset) -> Backend:
    """Return the backend of a preset: the same one for the same values.

    A preset that was changed has other values, hence a new backend; calls under way
    keep the old one.
    """
    with _lock:
        backend = _backends.get(preset)
        if backend is None:
            backend = _backends[preset] = _make(preset)
        _backends.move_to_end(preset)
        while len(_backends) > KEPT_BACKENDS:
            _backends.popitem(last=False)
        return backend


def ready_backend(preset: ResolvedPreset) -> Backend | None:
    """Return the backend of a preset if it is made, without making it."""
    with _lock:
        return _backends.get(preset)


async def close_clients() -> None:
    """Close every client that belongs to the running event loop."""
    with _lock:
        backends = list(_backends.values())
    for backend in backends:
        await backend.aclose()


def _make(preset: ResolvedPreset) -> Backend:
    if preset.kind == BackendKind.PLANNER:
        from tooling.llm.planner import PlannerBackend

        return PlannerBackend(delay=settings.PLANNER_DELAY_MS / 1000)
    if preset.kind == BackendKind.ANTHROPIC:
        from tooling.llm.backends.anthropic import AnthropicBackend

        return AnthropicBackend(preset)
    if preset.kind == BackendKind.SIDECAR:
        from tooling.llm.backends.sidecar import SidecarBackend

        return SidecarBackend(preset)
    from tooling.llm.backends.openai import OpenAIBackend

    return OpenAIBackend(preset)
