"""What every backend must do, whatever model is behind it.

A suite subclasses `BackendContract` and gives a `target` fixture.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import pytest

from tooling.llm.types import (
    Backend,
    BackendEvent,
    Finished,
    FinishReason,
    LLMRequest,
    PromptMessage,
    TextDelta,
    ToolRequest,
    ToolSpec,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

WEATHER = ToolSpec(
    name="weather_get",
    description="The weather of a city.",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
)


def _nothing(_kind: str) -> None:
    """For a model that cannot be scripted."""


@dataclass(frozen=True)
class Target:
    """A backend under test. `will(kind)` scripts it: talk, length or endless."""

    backend: Backend
    question: str = "What can you do for me? Tell me in a few sentences."
    will: Callable[[str], None] = field(default=_nothing)
    closed_within: Callable[[float], None] | None = None

    def ask(self, **more: Any) -> LLMRequest:
        """Return a request of one message."""
        messages = (PromptMessage("user", self.question),)
        return LLMRequest(system="You are helpful.", messages=messages, **more)

    def stream(self, request: LLMRequest) -> AsyncGenerator[BackendEvent, None]:
        """Return the backend's stream, which is a generator that can be closed."""
        return cast("AsyncGenerator[BackendEvent, None]", self.backend.stream(request))

    async def collect(self, request: LLMRequest) -> list[BackendEvent]:
        """Return all events of one call."""
        async with aclosing(self.stream(request)) as events:
            return [event async for event in events]


def finish_of(events: list[BackendEvent]) -> Finished:
    """Return the last event, which ends the call."""
    last = events[-1]
    assert isinstance(last, Finished)
    return last


def text_of(events: list[BackendEvent]) -> str:
    """Return the streamed text."""
    return "".join(event.text for event in events if isinstance(event, TextDelta))


@pytest.mark.promise("D38")
class BackendContract:
    """The tests that one backend after another passes."""

    async def test_text_comes_in_pieces_and_ends_once(self, target: Target) -> None:
        target.will("talk")
        events = await target.collect(target.ask(max_output_tokens=40))
        pieces = [event for event in events if isinstance(event, TextDelta)]
        ends = [event for event in events if isinstance(event, Finished)]
        assert len(pieces) > 1
        assert all(piece.text for piece in pieces)
        assert len(ends) == 1
        assert events[-1] is ends[0]

    async def test_usage_is_reported(self, target: Target) -> None:
        target.will("talk")
        events = await target.collect(target.ask(max_output_tokens=40))
        usage = finish_of(events).usage
        assert usage.reported
        assert usage.fresh + usage.cache_read + usage.cache_write > 0
        assert usage.output > 0

    async def test_stops_for_length(self, target: Target) -> None:
        target.will("length")
        events = await target.collect(target.ask(max_output_tokens=4))
        assert finish_of(events).reason is FinishReason.LENGTH

    async def test_closing_ends_the_call_within_a_second(self, target: Target) -> None:
        target.will("endless")
        async with aclosing(target.stream(target.ask())) as events:
            await anext(events)
            left = time.monotonic()
        assert time.monotonic() - left < 1
        self._expect_closed(target, left)
        await self._expect_usable(target)

    async def test_cancelling_ends_the_call_within_a_second(
        self, target: Target
    ) -> None:
        target.will("endless")
        begun = asyncio.Event()

        async def read() -> None:
            async with aclosing(target.stream(target.ask())) as events:
                async for _ in events:
                    begun.set()

        task = asyncio.create_task(read())
        await asyncio.wait_for(begun.wait(), 30)
        left = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - left < 1
        self._expect_closed(target, left)
        await self._expect_usable(target)

    async def test_takes_tool_results_back(self, target: Target) -> None:
        target.will("talk")
        history = (
            PromptMessage("user", "What is the weather in Lyon, and in Lille?"),
            PromptMessage(
                "assistant",
                tool_calls=(
                    ToolRequest("call_1", "weather_get", '{"city": "Lyon"}'),
                    ToolRequest("call_2", "weather_get", '{"city": "Li'),
                ),
            ),
            PromptMessage("tool", '{"sky": "clear"}', (), "call_1", "weather_get"),
            PromptMessage("tool", '{"error": "cut"}', (), "call_2", "weather_get"),
        )
        request = LLMRequest(
            system="You are helpful.", messages=history, max_output_tokens=40
        )
        events = await target.collect(request)
        assert text_of(events)

    async def test_answers_several_at_once(self, target: Target) -> None:
        target.will("talk")
        request = target.ask(max_output_tokens=12)
        answers = await asyncio.gather(*(target.collect(request) for _ in range(3)))
        assert all(text_of(events) for events in answers)

    def _expect_closed(self, target: Target, left: float) -> None:
        if target.closed_within is not None:
            target.closed_within(left + 1)

    async def _expect_usable(self, target: Target) -> None:
        target.will("talk")
        events = await target.collect(target.ask(max_output_tokens=8))
        assert text_of(events)
