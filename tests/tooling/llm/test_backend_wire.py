"""What goes over the OpenAI wire, and what its failures become."""

from __future__ import annotations

import os
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import stub
from tests.support.backend_contract import WEATHER, Target, finish_of, text_of
from tests.support.processes import free_port
from tooling.llm.backends import backend_for
from tooling.llm.types import (
    BackendError,
    FinishReason,
    LLMRequest,
    PromptMessage,
    ToolRequest,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.stub import StubProvider
    from tooling.llm.presets import ResolvedPreset

pytestmark = pytest.mark.usefixtures("_clients_closed")
SECRET = "a very particular sentence that nobody else would write"


@pytest.fixture
def target(make_preset: Callable[..., ResolvedPreset]) -> Target:
    return Target(backend_for(make_preset()), question=SECRET)


async def fails(target: Target, request: LLMRequest | None = None) -> BackendError:
    """Return the error of one call."""
    with pytest.raises(BackendError) as caught:
        await target.collect(request or target.ask())
    return caught.value


async def test_the_whole_request_arrives(
    target: Target, stub_provider: StubProvider
) -> None:
    call = ToolRequest("c1", "weather_get", '{"city": "Lyon"}')
    messages = (
        PromptMessage("user", "first"),
        PromptMessage("assistant", "looking", (call,)),
        PromptMessage("tool", "clear", (), "c1", "weather_get"),
        PromptMessage("assistant", "It is clear."),
        PromptMessage("user", "second"),
    )
    request = LLMRequest(
        system="rules",
        messages=messages,
        tools=(WEATHER,),
        max_output_tokens=77,
        temperature=0.3,
    )
    await target.collect(request)
    body = stub_provider.requests()[0]["body"]
    function = {"name": "weather_get", "arguments": '{"city": "Lyon"}'}
    assert body["messages"] == [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": "first"},
        {
            "role": "assistant",
            "content": "looking",
            "tool_calls": [{"id": "c1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "clear"},
        {"role": "assistant", "content": "It is clear."},
        {"role": "user", "content": "second"},
    ]
    assert body["tools"][0]["function"]["name"] == "weather_get"
    assert body["tools"][0]["function"]["parameters"] == WEATHER.parameters
    assert body["max_tokens"] == 77
    assert body["temperature"] == 0.3
    assert body["stream_options"] == {"include_usage": True}


async def test_arguments_that_are_no_json_do_not_poison_the_history(
    target: Target, stub_provider: StubProvider
) -> None:
    call = ToolRequest("c1", "weather_get", '{"city": "Ly')
    messages = (
        PromptMessage("user", "first"),
        PromptMessage("assistant", "", (call,)),
        PromptMessage("tool", "refused", (), "c1", "weather_get"),
    )
    await target.collect(LLMRequest(system="", messages=messages))
    sent = stub_provider.requests()[0]["body"]["messages"][1]["tool_calls"][0]
    assert sent["function"]["arguments"] == '{"unparsed":"{\\"city\\": \\"Ly"}'


async def test_a_schema_becomes_a_response_format(
    target: Target, stub_provider: StubProvider
) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    await target.collect(target.ask(json_schema=schema))
    sent = stub_provider.requests()[0]["body"]["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["schema"] == schema


async def test_tool_calls_keep_their_raw_text(
    target: Target, stub_provider: StubProvider
) -> None:
    calls = [("weather_get", '{"city":  "Lyon"'), ("no_such_tool", '{"a": 1}')]
    stub_provider.script(stub.tool_calls(*calls, text="let me see"))
    events = await target.collect(target.ask(tools=(WEATHER,)))
    finished = finish_of(events)
    assert text_of(events) == "let me see"
    assert finished.reason is FinishReason.TOOL_CALLS
    assert [(c.name, c.arguments) for c in finished.tool_requests] == calls
    assert len({call.id for call in finished.tool_requests}) == 2


async def test_a_stop_for_length_inside_arguments_is_told(
    target: Target, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.stopped_for_length("weather_get", '{"city": "Ly'))
    finished = finish_of(await target.collect(target.ask(tools=(WEATHER,))))
    assert finished.reason is FinishReason.LENGTH
    assert finished.tool_requests[0].arguments == '{"city": "Ly'


@pytest.mark.lesson("chat-R19")
async def test_cached_and_reasoning_tokens_are_counted_once(
    target: Target, stub_provider: StubProvider
) -> None:
    stated = {
        "prompt_tokens": 1000,
        "cached_tokens": 800,
        "completion_tokens": 50,
        "reasoning_tokens": 30,
    }
    stub_provider.script(stub.text("short", usage=stated))
    finished = finish_of(await target.collect(target.ask()))
    assert finished.usage == Usage(fresh=200, cache_read=800, output=20, reasoning=30)


FAILURES: list[tuple[dict[str, Any], str, bool]] = [
    (stub.error(401), "unauthorized", False),
    (stub.error(403), "unauthorized", False),
    (stub.error(400), "bad_request", False),
    (stub.error(422), "bad_request", False),
    (stub.error(404), "bad_request", False),
    (stub.error(400, code="context_length_exceeded"), "context_too_long", False),
    (
        stub.error(400, message="This model's maximum context length is 8192 tokens"),
        "context_too_long",
        False,
    ),
    (stub.error(400, code="content_filter"), "refused", False),
    (stub.error(429), "rate_limited", True),
    (stub.error(429, code="insufficient_quota"), "rate_limited", False),
    (stub.error(402), "rate_limited", False),
    (stub.error(413), "context_too_long", False),
    (stub.error(500), "unavailable", True),
    (stub.error(503), "unavailable", True),
    (stub.error(529), "unavailable", True),
    (stub.cut("some words"), "cut_off", True),
    (stub.cut("some words", mode="quiet"), "cut_off", True),
    (stub.cut("", mode="quiet"), "cut_off", True),
    (stub.broken_json("some words"), "bad_response", True),
]


@pytest.mark.case("A03")
@pytest.mark.parametrize(("step", "code", "retryable"), FAILURES)
async def test_each_failure_has_its_code(
    target: Target,
    stub_provider: StubProvider,
    step: dict[str, Any],
    code: str,
    retryable: bool,
) -> None:
    stub_provider.script(step)
    error = await fails(target)
    assert (error.code, error.retryable) == (code, retryable)
    assert error.status in {step.get("status"), None}


async def test_words_that_came_before_a_break_are_paid_for(
    target: Target, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.cut("twelve bytes"))
    error = await fails(target)
    assert error.usage.output == 3
    assert error.usage.fresh > 0
    assert not error.usage.reported


async def test_a_refused_request_costs_nothing(
    target: Target, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.error(401))
    assert (await fails(target)).usage == Usage()


async def test_retry_after_is_kept(target: Target, stub_provider: StubProvider) -> None:
    stub_provider.script(stub.error(429, retry_after=7))
    assert (await fails(target)).retry_after == 7


async def test_a_server_that_is_not_there(
    make_preset: Callable[..., ResolvedPreset],
) -> None:
    preset = make_preset(base_url=f"http://127.0.0.1:{free_port()}/v1")
    error = await fails(Target(backend_for(preset)))
    assert (error.code, error.retryable) == ("unreachable", True)


async def test_a_provider_that_says_nothing(
    make_preset: Callable[..., ResolvedPreset], stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.text("late", first_byte_ms=5000))
    target = Target(backend_for(make_preset(first_token_seconds=0.3)))
    began = time.monotonic()
    error = await fails(target)
    assert (error.code, error.retryable) == ("timeout", True)
    assert time.monotonic() - began < 2


async def test_a_provider_that_falls_silent(
    make_preset: Callable[..., ResolvedPreset], stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.text("one two", interval_ms=5000))
    target = Target(backend_for(make_preset(read_seconds=0.3)))
    error = await fails(target)
    assert error.code == "timeout"
    assert "silent" in error.detail


async def test_a_slow_reader_is_no_silent_provider(
    make_preset: Callable[..., ResolvedPreset], stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.text("one two three"))
    target = Target(backend_for(make_preset(read_seconds=0.2)))
    words = []
    async with aclosing(target.stream(target.ask())) as events:
        async for event in events:
            words.append(event)
            time.sleep(0.3)
    assert finish_of(words).reason is FinishReason.STOP


@pytest.mark.parametrize("quoted", [SECRET, SECRET[5:40], f"bad value: {SECRET[:25]}…"])
async def test_a_detail_never_repeats_the_prompt(
    target: Target, stub_provider: StubProvider, quoted: str
) -> None:
    stub_provider.script(stub.error(400, message=f"cannot use {quoted}"))
    error = await fails(target)
    assert "particular" not in str(error)
    assert "withheld" in error.detail
    assert error.__cause__ is None


async def test_a_detail_never_shows_the_key(
    make_preset: Callable[..., ResolvedPreset],
    stub_provider: StubProvider,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TEST_LLM_KEY", "plain-looking-key")
    stub_provider.script(stub.error(401, message="wrong key plain-looking-key given"))
    error = await fails(Target(backend_for(make_preset(key_env="TEST_LLM_KEY"))))
    assert "plain-looking-key" not in str(error)
    assert "wrong key" in error.detail
    headers = stub_provider.requests()[0]["headers"]
    assert headers["authorization"] == "Bearer plain-looking-key"


async def test_a_named_key_that_is_not_there_reaches_nobody(
    make_preset: Callable[..., ResolvedPreset], stub_provider: StubProvider
) -> None:
    error = await fails(Target(backend_for(make_preset(key_env="TEST_NO_KEY"))))
    assert error.code == "unauthorized"
    assert "TEST_NO_KEY" in error.detail
    assert stub_provider.requests() == []


@pytest.mark.parametrize(("mode", "fine"), [(0o600, True), (0o640, False)])
async def test_a_key_file_is_for_its_owner_only(
    make_preset: Callable[..., ResolvedPreset],
    stub_provider: StubProvider,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    mode: int,
    fine: bool,
) -> None:
    path = tmp_path / "key"
    path.write_text("from-a-file\n", encoding="utf-8")
    path.chmod(mode)
    monkeypatch.setenv("TEST_LLM_KEY_FILE", os.fspath(path))
    target = Target(backend_for(make_preset(key_env="TEST_LLM_KEY")))
    if fine:
        await target.collect(target.ask())
        headers = stub_provider.requests()[0]["headers"]
        assert headers["authorization"] == "Bearer from-a-file"
    else:
        error = await fails(target)
        assert error.code == "unauthorized"
        assert "0640" in error.detail
        assert stub_provider.requests() == []
