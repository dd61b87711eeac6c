"""The ledger: one row for each attempt to reach a provider, also a failed one."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from django.db import connections

from tooling.ids import new_id
from tooling.llm.prices import price_call
from tooling.models.llm import CallOutcome, ModelCall

if TYPE_CHECKING:
    import datetime as dt
    import uuid

    from tooling.llm.presets import ResolvedPreset
    from tooling.llm.types import Usage

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """What one attempt came to. Times: milliseconds; `first_token_ms` may be None."""

    tenant_id: uuid.UUID
    conversation_id: uuid.UUID | None
    turn_id: uuid.UUID | None
    attempt: int
    step: int
    call_site: str
    preset: ResolvedPreset
    model: str
    outcome: CallOutcome
    usage: Usage
    manifest: dict[str, Any]
    started_at: dt.datetime
    duration_ms: int
    first_token_ms: int | None = None
    error_code: str = ""
    id: uuid.UUID = field(default_factory=new_id)


LedgerWriter = Callable[[LedgerEntry], Awaitable[None]]


def record_call(entry: LedgerEntry) -> ModelCall:
    """Price an entry, write its row and return it. One statement."""
    usage = entry.usage
    cost = price_call(
        preset=entry.preset, model=entry.model, usage=usage, at=entry.started_at
    )
    return ModelCall.objects.create(
        id=entry.id,
        tenant_id=entry.tenant_id,
        conversation_id=entry.conversation_id,
        turn_id=entry.turn_id,
        attempt=entry.attempt,
        step=entry.step,
        call_site=entry.call_site,
        preset=entry.preset.name,
        backend=entry.preset.kind,
        model=entry.model[:120],
        outcome=entry.outcome,
        error_code=entry.error_code,
        fresh_tokens=usage.fresh,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
        output_tokens=usage.output,
        reasoning_tokens=usage.reasoning,
        usage_reported=usage.reported,
        cost_nano_usd=cost.nano_usd,
        price_version=cost.version,
        manifest=entry.manifest,
        first_token_ms=entry.first_token_ms,
        duration_ms=entry.duration_ms,
        started_at=entry.started_at,
    )


async def record_in_thread(entry: LedgerEntry) -> None:
    """Write an entry from an event loop, by a small thread pool of its own."""
    await in_database_thread(record_call, entry)


async def in_database_thread(
    function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Run a function that uses the database, and give its connections back."""
    context = contextvars.copy_context()

    def run() -> R:
        try:
            return context.run(function, *args, **kwargs)
        finally:
            connections.close_all()

    return await asyncio.get_running_loop().run_in_executor(_threads, run)


_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="llm-database")
