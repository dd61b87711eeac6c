"""The same promises on Anthropic's wire."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.support.backend_contract import WEATHER, Target, finish_of, text_of
from tests.tooling.llm.anthropic_stub import AnthropicStub, answer, tool_use, words
from tooling.llm.backends import backend_for
from tooling.llm.check import ANTHROPIC_VERSION
from tooling.llm.presets import ResolvedPreset
from tooling.llm.types import (
    BackendError,
    FinishReason,
    LLMRequest,
    PromptMessage,
    ToolRequest,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [pytest.mark.promise("D39"), pytest.mark.usefixtures("_clients_closed")]


@pytest_asyncio.fixture
async def wire() -> AsyncIterator[AnthropicStub]:
    """The scripted server."""
    stub = AnthropicStub()
    server = await asyncio.start_server(stub.serve, "127.0.0.1", 0)
    stub.port = server.sockets[0].getsockname()[1]
    yield stub
    server.close()


@pytest.fixture
def target(wire: AnthropicStub, monkeypatch: pytest.MonkeyPatch) -> Target:
    monkeypatch.setenv("TEST_ANTHROPIC_KEY", "key-for-anthropic")
    preset = ResolvedPreset(
        name="a",
        kind="anthropic",
        model="claude-stub",
        base_url=f"http://127.0.0.1:{wire.port}/v1",
        key_env="TEST_ANTHROPIC_KEY",
    )
    return Target(backend_for(preset))


@pytest.mark.lesson("chat-R19")
async def test_text_and_disjoint_usage(target: Target, wire: AnthropicStub) -> None:
    usage = {
        "input_tokens": 50,
        "cache_read_input_tokens": 1800,
        "cache_creation_input_tokens": 248,
        "output_tokens": 503,
    }
    wire.events = answer(words("one ", "two ", "three"), usage=usage)
    events = await target.collect(target.ask(temperature=0.2, max_output_tokens=99))
    finished = finish_of(events)
    assert text_of(events) == "one two three"
    assert len(events) == 4
    assert finished.usage == Usage(
        fresh=50, cache_read=1800, cache_write=248, output=503
    )
    assert (finished.reason, finished.model) == (FinishReason.STOP, "claude-stub")
    assert wire.bodies[0]["max_tokens"] == 99
    assert "authorization: bearer key-for-anthropic" in wire.headers[0]
    assert f"anthropic-version: {ANTHROPIC_VERSION}" in wire.headers[0]


async def test_tool_calls_keep_their_raw_text(
    target: Target, wire: AnthropicStub
) -> None:
    call = tool_use("weather_get", '{"city":', '  "Lyon"}')
    wire.events = answer(words("let me see"), call, stop="tool_use")
    finished = finish_of(await target.collect(target.ask(tools=(WEATHER,))))
    assert finished.reason is FinishReason.TOOL_CALLS
    [asked] = finished.tool_requests
    assert (asked.name, asked.arguments) == ("weather_get", '{"city":  "Lyon"}')
    assert wire.bodies[0]["tools"][0]["name"] == "weather_get"


async def test_history_goes_there_in_its_own_shape(
    target: Target, wire: AnthropicStub
) -> None:
    wire.events = answer(words("fine"))
    calls = (
        ToolRequest("call:1", "weather_get", '{"city": "Lyon"}'),
        ToolRequest("call:2", "weather_get", '{"ci'),
    )
    messages = (
        PromptMessage("user", "first"),
        PromptMessage("assistant", "looking", calls),
        PromptMessage("tool", "clear", (), "call:1", "weather_get"),
        PromptMessage("tool", "refused", (), "call:2", "weather_get"),
    )
    await target.collect(LLMRequest("rules", messages, tools=(WEATHER,)))
    body = wire.bodies[0]
    assert "rules" in str(body["system"])
    roles = [message["role"] for message in body["messages"]]
    assert roles == ["user", "assistant", "user"]
    uses = [b for b in body["messages"][1]["content"] if b["type"] == "tool_use"]
    results = body["messages"][2]["content"]
    assert [use["id"] for use in uses] == ["call_1", "call_2"]
    assert [result["tool_use_id"] for result in results] == ["call_1", "call_2"]
    assert uses[1]["input"] == {"unparsed": '{"ci'}


async def test_a_stop_for_length(target: Target, wire: AnthropicStub) -> None:
    wire.events = answer(words("one"), stop="max_tokens")
    events = await target.collect(target.ask())
    assert finish_of(events).reason is FinishReason.LENGTH


async def test_a_cut_stream(target: Target, wire: AnthropicStub) -> None:
    wire.events = answer(words("one", "two"))[:-3]
    with pytest.raises(BackendError) as caught:
        await target.collect(target.ask())
    assert caught.value.code == "cut_off"
    assert caught.value.usage.output > 0


@pytest.mark.parametrize(
    ("status", "kind", "code"),
    [
        (401, "authentication_error", "unauthorized"),
        (429, "rate_limit_error", "rate_limited"),
        (529, "overloaded_error", "unavailable"),
        (400, "invalid_request_error", "bad_request"),
    ],
)
async def test_each_failure_has_its_code(
    target: Target, wire: AnthropicStub, status: int, kind: str, code: str
) -> None:
    wire.status = status
    wire.error = {"type": kind, "message": "scripted: key-for-anthropic"}
    with pytest.raises(BackendError) as caught:
        await target.collect(target.ask())
    assert caught.value.code == code
    assert "scripted" in caught.value.detail
    assert "key-for-anthropic" not in str(caught.value)


async def test_a_prompt_that_is_too_long(target: Target, wire: AnthropicStub) -> None:
    wire.status = 400
    message = "prompt is too long: 210000 tokens > 200000 maximum"
    wire.error = {"type": "invalid_request_error", "message": message}
    with pytest.raises(BackendError) as caught:
        await target.collect(target.ask())
    assert caught.value.code == "context_too_long"


async def test_leaving_closes_the_connection(
    target: Target, wire: AnthropicStub
) -> None:
    wire.pause = 0.02
    wire.events = answer(words(*["word "] * 500))
    async with aclosing(target.stream(target.ask())) as events:
        await anext(events)
    await asyncio.wait_for(wire.left.wait(), 1)
