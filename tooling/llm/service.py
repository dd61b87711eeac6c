"""The one way to a model: preset, retries, fallback, and a ledger row an attempt.

A test fails if anything reaches a provider by another way.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import random
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
)
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import connection
from django.utils import timezone

from tooling.llm.backends import backend_for, close_clients, ready_backend
from tooling.llm.call_sites import find_call_site
from tooling.llm.estimates import estimate_usage
from tooling.llm.ledger import (
    LedgerEntry,
    LedgerWriter,
    in_database_thread,
    record_in_thread,
)
from tooling.llm.presets import cached_preset, resolve_named, resolve_preset
from tooling.llm.types import (
    BackendError,
    BackendEvent,
    LLMRequest,
    TextDelta,
    Usage,
)
from tooling.models.llm import CallOutcome

if TYPE_CHECKING:
    import uuid

    from tooling.llm.presets import ResolvedPreset
    from tooling.llm.types import Backend, FinishReason, ToolRequest

T = TypeVar("T")
logger = logging.getLogger(__name__)

BACKOFF_SECONDS = 0.5
BACKOFF_CAP = 8.0
# A provider that asks for more is left alone: the turn fails, and can be retried.
RETRY_AFTER_CAP = 20.0
_NO_FALLBACK = frozenset({"bad_request", "context_too_long", "refused"})


@dataclass(frozen=True, slots=True)
class CallInfo:
    """For whom and what a model is called; goes into the ledger as it is.

    `attempt` and `step` are the turn's. `record` writes an entry of the ledger; by
    default a thread of the LLM layer does.
    """

    tenant_id: uuid.UUID
    call_site: str
    conversation_id: uuid.UUID | None = None
    turn_id: uuid.UUID | None = None
    attempt: int = 1
    step: int = 1
    manifest: dict[str, Any] = field(default_factory=dict)
    language: str = "en"
    record: LedgerWriter = record_in_thread


@dataclass(frozen=True, slots=True)
class Waiting:
    """A pause before the next attempt: seconds, and the error that asks for it."""

    seconds: float
    code: str
    preset: str


OnWait = Callable[[Waiting], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer."""

    text: str
    reason: FinishReason
    usage: Usage
    model: str
    tool_requests: tuple[ToolRequest, ...] = ()


async def stream_call(
    *, call: CallInfo, request: LLMRequest, on_wait: OnWait | None = None
) -> AsyncGenerator[BackendEvent, None]:
    """Yield an answer's events: `TextDelta` as text comes, `Finished` once.

    Errors that may pass are retried before the first streamed token, at most as
    often as the preset says; then the preset's fallback answers, if it lists one.
    Each attempt has its ledger row, however it ends. Whoever leaves early closes
    the generator (`contextlib.aclosing`), which ends the provider's work. Raises
    `BackendError` of the last attempt.
    """
    preset: ResolvedPreset | None = cached_preset(call_site=call.call_site)
    if preset is None:
        preset = await in_database_thread(resolve_preset, call_site=call.call_site)
    seen: set[str] = set()
    while True:
        seen.add(preset.name)
        streamed = False
        try:
            tries = _stream_with_retries(call, request, preset, on_wait)
            async with contextlib.aclosing(tries):
                async for event in tries:
                    streamed = streamed or isinstance(event, TextDelta)
                    yield event
        except BackendError as error:
            following = preset.fallback
            if streamed or error.code in _NO_FALLBACK:
                raise
            if following is None or following in seen:
                raise
            facts = {"preset": preset.name, "to": following, "code": error.code}
            logger.warning("llm_fallback", extra=facts)
        else:
            return
        preset = await in_database_thread(resolve_named, following)


async def _stream_with_retries(
    call: CallInfo, request: LLMRequest, preset: ResolvedPreset, on_wait: OnWait | None
) -> AsyncGenerator[BackendEvent, None]:
    for number in itertools.count():
        streamed = False
        try:
            attempt = stream_once(call=call, request=request, preset=preset)
            async with contextlib.aclosing(attempt):
                async for event in attempt:
                    streamed = streamed or isinstance(event, TextDelta)
                    yield event
        except BackendError as error:
            pause = pause_before(error, number)
            if streamed or number >= preset.retries or pause is None:
                raise
            waiting = Waiting(pause, error.code, preset.name)
        else:
            return
        if on_wait is not None:
            await on_wait(waiting)
        await asyncio.sleep(waiting.seconds)


def pause_before(
    error: BackendError, number: int, *, draw: Callable[[], float] = random.random
) -> float | None:
    """Return the seconds to wait before retry `number` (from 0); None: do not.

    The wait doubles, with up to half of it drawn by lot so that many callers do not
    come back at once; it is never shorter than the provider asked for.
    """
    if not error.retryable:
        return None
    asked = error.retry_after or 0.0
    if asked > RETRY_AFTER_CAP:
        return None
    backoff: float = min(BACKOFF_SECONDS * 2**number, BACKOFF_CAP)
    return max(asked, backoff * (0.5 + 0.5 * draw()))


def stream_once(
    *, call: CallInfo, request: LLMRequest, preset: ResolvedPreset
) -> AsyncGenerator[BackendEvent, None]:
    """Make one attempt at one preset, with its ledger row; see `stream_call`."""
    return _Attempt(call, _limited(request, preset, call.call_site), preset).stream()


def warm_up(*, call_site: str) -> None:
    """Import what answers a call site, so that the first turn does not wait for it.

    For a worker's start; takes up to four seconds with a provider.
    """
    backend_for(resolve_preset(call_site=call_site))


async def _backend(preset: ResolvedPreset) -> Backend:
    """Return a preset's backend; a first import must not hold up other streams."""
    backend = ready_backend(preset)
    if backend is None:
        backend = await asyncio.to_thread(backend_for, preset)
    return backend


def _limited(request: LLMRequest, preset: ResolvedPreset, call_site: str) -> LLMRequest:
    """Return the request within the limits of preset and call site."""
    limit = min(
        request.max_output_tokens,
        preset.max_output_tokens,
        find_call_site(call_site).output_limit,
    )
    temperature = request.temperature
    if temperature is None:
        temperature = preset.temperature
    return replace(request, max_output_tokens=limit, temperature=temperature)


class _Attempt:
    """One attempt: what it has come to, and its row in the ledger."""

    def __init__(
        self, call: CallInfo, request: LLMRequest, preset: ResolvedPreset
    ) -> None:
        self.call = call
        self.request = request
        self.preset = preset
        self.started_at = timezone.now()
        self.began = time.monotonic()
        self.first_token: float | None = None
        self.size = 0
        self.model = preset.model
        self.outcome = CallOutcome.STOPPED
        self.error_code = ""
        self.usage: Usage | None = None
        self.recorded = False

    async def stream(self) -> AsyncGenerator[BackendEvent, None]:
        try:
            events = (await _backend(self.preset)).stream(self.request)
            async with _closing(events):
                async for event in events:
                    await self._note(event)
                    yield event
            self._require_finish()
        except BackendError as error:
            self._fail(error)
            raise
        except Exception:
            self.outcome, self.error_code = CallOutcome.FAILED, "internal"
            raise
        finally:
            await self._record(strict=False)

    def _require_finish(self) -> None:
        if self.outcome is not CallOutcome.DONE:
            detail = f"{self.preset.name}: the stream ended without a finish"
            raise BackendError(code="cut_off", detail=detail, retryable=True)

    async def _note(self, event: BackendEvent) -> None:
        if self.first_token is None:
            self.first_token = time.monotonic()
        if isinstance(event, TextDelta):
            self.size += len(event.text.encode("utf-8", "replace"))
            return
        self.outcome = CallOutcome.DONE
        self.usage = event.usage
        self.model = event.model or self.preset.model
        # The row stands before anybody hears that the answer is complete.
        await self._record(strict=True)

    def _fail(self, error: BackendError) -> None:
        if self.outcome is not CallOutcome.DONE:
            self.outcome, self.error_code = CallOutcome.FAILED, error.code
            self.usage = error.usage

    def _entry(self) -> LedgerEntry:
        call = self.call
        first = self.first_token
        return LedgerEntry(
            tenant_id=call.tenant_id,
            conversation_id=call.conversation_id,
            turn_id=call.turn_id,
            attempt=call.attempt,
            step=call.step,
            call_site=call.call_site,
            preset=self.preset,
            model=self.model,
            outcome=self.outcome,
            error_code=self.error_code,
            usage=self.usage or estimate_usage(self.request, self.size),
            manifest=call.manifest,
            started_at=self.started_at,
            first_token_ms=None if first is None else _ms(first - self.began),
            duration_ms=_ms(time.monotonic() - self.began),
        )

    async def _record(self, *, strict: bool) -> None:
        """Write the row once, also while the task is being cancelled.

        With `strict` a failed write is raised; else it is logged, since a more
        telling error or a cancellation is under way.
        """
        if self.recorded:
            return
        self.recorded = True
        entry = self._entry()
        writing = asyncio.ensure_future(self.call.record(entry))
        cancelled = False
        while not writing.done():
            try:
                await asyncio.wait({writing})
            except asyncio.CancelledError:
                cancelled = True
        error = writing.exception()
        if error is not None:
            facts = {"usage": asdict(entry.usage), "call_site": entry.call_site}
            logger.error("ledger_write_failed", exc_info=error, extra=facts)
            if strict:
                raise error
        if cancelled:
            raise asyncio.CancelledError


@contextlib.asynccontextmanager
async def _closing(events: AsyncIterator[BackendEvent]) -> AsyncIterator[None]:
    try:
        yield
    finally:
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()


def _ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))


async def complete_async(*, call: CallInfo, request: LLMRequest) -> Completion:
    """Return a whole answer. Raises `BackendError`."""
    words: list[str] = []
    async with contextlib.aclosing(stream_call(call=call, request=request)) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                words.append(event.text)
            else:
                finished = event
    return Completion(
        text="".join(words),
        reason=finished.reason,
        usage=finished.usage,
        model=finished.model,
        tool_requests=finished.tool_requests,
    )


def complete(*, call: CallInfo, request: LLMRequest) -> Completion:
    """Return a whole answer, for callers without an event loop.

    Never inside a transaction, and never on a thread whose event loop runs: both
    are programming errors (`RuntimeError`). Raises `BackendError`.
    """
    return run_alone(complete_async(call=call, request=request))


def run_alone(work: Coroutine[Any, Any, T]) -> T:
    """Run provider work on an event loop of its own, and close its clients."""
    if connection.in_atomic_block:
        work.close()
        message = "a model is never called inside a transaction"
        raise RuntimeError(message)

    async def run() -> T:
        try:
            return await work
        finally:
            await close_clients()

    return asyncio.run(run())
