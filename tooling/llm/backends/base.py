"""What backends over the provider library share: time-outs, events, errors.

One request is streamed by the library's model; the loop over tools is not its
business. Time-outs are ours and never span a `yield`, so that a slow reader does
not count as a silent provider.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
import orjson
from pydantic_ai.messages import (
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)

from tooling.boundary import clean_text
from tooling.llm.backends.clients import Connection, PerLoop, host_of
from tooling.llm.backends.errors import describe
from tooling.llm.estimates import estimate_usage
from tooling.llm.types import (
    BackendError,
    BackendEvent,
    Finished,
    FinishReason,
    LLMRequest,
    TextDelta,
    ToolRequest,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from pydantic_ai.messages import ModelMessage, ModelResponseStreamEvent
    from pydantic_ai.models import ModelRequestParameters, StreamedResponse
    from pydantic_ai.settings import ModelSettings

    from tooling.llm.presets import ResolvedPreset

_REASONS = {
    "stop": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "tool_call": FinishReason.TOOL_CALLS,
    "content_filter": FinishReason.CONTENT_FILTER,
}


@dataclass(frozen=True, slots=True)
class Wire:
    """A request in the library's terms."""

    messages: list[ModelMessage]
    settings: ModelSettings
    parameters: ModelRequestParameters


@dataclass(slots=True)
class Progress:
    """How far an answer has come; `size` in bytes of output."""

    opened: bool = False
    events: int = 0
    size: int = 0


class LibraryBackend(ABC):
    """A `Backend` over one of the provider library's models."""

    kind: str

    def __init__(self, preset: ResolvedPreset) -> None:
        self.preset = preset
        self.host = host_of(preset.base_url) or preset.kind
        self._connections = PerLoop(self._connect)

    @abstractmethod
    def _connect(self) -> Connection:
        """Return a new connection. Raises `BackendError` when there is no key."""

    @abstractmethod
    def _wire(self, request: LLMRequest) -> Wire:
        """Return the request in the library's terms."""

    @abstractmethod
    def _usage(self, response: StreamedResponse) -> Usage | None:
        """Return the usage of a response so far, None if none was reported."""

    def stream(self, request: LLMRequest) -> AsyncGenerator[BackendEvent, None]:
        """Yield text as it comes and `Finished` once. Raises `BackendError`."""
        return self._stream(request)

    async def _stream(self, request: LLMRequest) -> AsyncGenerator[BackendEvent, None]:
        connection = self._connections.get()
        wire = self._wire(request)
        progress = Progress()
        stack = AsyncExitStack()
        try:
            events = self._events(connection, wire, request, stack, progress)
            async with contextlib.aclosing(events):
                async for event in events:
                    yield event
        except Exception as error:  # noqa: BLE001 (whatever an answer may provoke)
            # Chained causes hold the provider's words, and with them the prompt.
            raise self._failure(error, request, connection.key, progress) from None
        finally:
            with contextlib.suppress(httpx2.HTTPError, OSError):
                await stack.aclose()

    async def _events(
        self,
        connection: Connection,
        wire: Wire,
        request: LLMRequest,
        stack: AsyncExitStack,
        progress: Progress,
    ) -> AsyncGenerator[BackendEvent, None]:
        clock = asyncio.get_running_loop().time
        deadline = clock() + self.preset.first_token_seconds
        opening = connection.model.request_stream(
            wire.messages, wire.settings, wire.parameters
        )
        async with asyncio.timeout_at(deadline):
            response = await stack.enter_async_context(opening)
        progress.opened = True
        events = aiter(response)
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    event = await anext(events)
            except StopAsyncIteration:
                break
            text, size = _written(event)
            progress.events += 1
            progress.size += size
            if text:
                yield TextDelta(text)
            deadline = clock() + self.preset.read_seconds
        yield self._finished(response, request, progress)

    def _finished(
        self, response: StreamedResponse, request: LLMRequest, progress: Progress
    ) -> Finished:
        reason = _REASONS.get(response.finish_reason or "", FinishReason.STOP)
        asked = tuple(_tool_requests(response, reason))
        if asked and reason is FinishReason.STOP:
            reason = FinishReason.TOOL_CALLS
        usage = self._usage(response) or estimate_usage(request, progress.size)
        return Finished(
            reason=reason,
            usage=usage,
            model=clean_text(response.model_name or self.preset.model),
            tool_requests=asked,
        )

    def _failure(
        self, error: Exception, request: LLMRequest, key: str, progress: Progress
    ) -> BackendError:
        if isinstance(error, BackendError):
            failure = error
        elif isinstance(error, TimeoutError):
            failure = self._timed_out(progress)
        else:
            failure = describe(
                error, request=request, key=key, host=self.host, opened=progress.opened
            )
        if progress.opened or failure.code in {"timeout", "cut_off", "bad_response"}:
            # The provider has read the prompt, and bills what it wrote.
            failure.usage = estimate_usage(request, progress.size)
        return failure

    def _timed_out(self, progress: Progress) -> BackendError:
        if progress.events:
            detail = f"{self.host}: silent for {self.preset.read_seconds:g} s"
        else:
            detail = f"{self.host}: no token in {self.preset.first_token_seconds:g} s"
        return BackendError(code="timeout", detail=detail, retryable=True)

    async def aclose(self) -> None:
        """Close the running loop's connections."""
        connection = self._connections.pop()
        if connection is not None:
            await connection.http.aclose()


def _written(event: ModelResponseStreamEvent) -> tuple[str, int]:
    """Return the answer's text in an event, and the bytes of output behind it."""
    if isinstance(event, PartStartEvent):
        part: Any = event.part
        text = part.content if isinstance(part, TextPart) else ""
        if isinstance(part, ToolCallPart):
            return "", len(part.tool_name) + len(str(part.args or ""))
        return clean_text(text), _size(getattr(part, "content", ""))
    if isinstance(event, PartDeltaEvent):
        delta: Any = event.delta
        if isinstance(delta, ToolCallPartDelta):
            return "", len(str(delta.args_delta or ""))
        text = delta.content_delta if isinstance(delta, TextPartDelta) else ""
        return clean_text(text), _size(getattr(delta, "content_delta", ""))
    return "", 0


def _size(text: object) -> int:
    return len(text.encode("utf-8", "replace")) if isinstance(text, str) else 0


def _tool_requests(
    response: StreamedResponse, reason: FinishReason
) -> Iterator[ToolRequest]:
    for part in response.get().parts:
        if isinstance(part, ToolCallPart):
            args = part.args
            text = args if isinstance(args, str) else orjson.dumps(args or {}).decode()
            if not text.strip() and reason is not FinishReason.LENGTH:
                # Some servers send nothing for a tool that takes nothing.
                text = "{}"
            yield ToolRequest(
                id=clean_text(part.tool_call_id),
                name=clean_text(part.tool_name),
                arguments=clean_text(text),
            )
