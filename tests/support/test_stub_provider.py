"""The stub provider plays what it is told and sees what a provider would see."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from tests.support import stub
from tests.support.processes import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

USER = {"role": "user", "content": "hello there"}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "t", "arguments": "{}"}}
    ],
}
ANSWER = {"role": "tool", "tool_call_id": "c1", "content": "done"}


@pytest.fixture(scope="module")
def running() -> Iterator[stub.StubProvider]:
    provider = stub.StubProvider().start()
    yield provider
    provider.stop()


@pytest.fixture
def provider(running: stub.StubProvider) -> stub.StubProvider:
    running.reset()
    return running


@pytest.fixture
def client(provider: stub.StubProvider) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=provider.url, timeout=5, trust_env=False) as client:
        yield client


def ask(client: httpx2.Client, *messages: dict[str, Any], **more: object) -> Any:
    body = {"model": "m", "messages": list(messages) or [USER], **more}
    return client.post("/chat/completions", json=body)


def chunks(client: httpx2.Client, **more: object) -> list[Any]:
    """Read a whole stream and return its data lines, parsed, without the end mark."""
    answer = ask(client, stream=True, **more)
    lines = [line.removeprefix("data: ") for line in answer.text.split("\n") if line]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def text_of(parts: list[Any]) -> str:
    deltas = [choice["delta"] for part in parts for choice in part["choices"]]
    return "".join(delta.get("content") or "" for delta in deltas)


def test_answers_ok_without_a_script(client: httpx2.Client) -> None:
    body = ask(client).json()
    assert body["choices"][0]["message"]["content"] == "ok"
    assert body["choices"][0]["finish_reason"] == "stop"


def test_steps_are_used_once_in_order(
    provider: stub.StubProvider, client: httpx2.Client
) -> None:
    provider.script(stub.text("one two"), stub.text("three"))
    said = [text_of(chunks(client)) for _ in range(3)]
    assert said == ["one two", "three", "ok"]


def test_a_step_may_wait_for_its_message(
    provider: stub.StubProvider, client: httpx2.Client
) -> None:
    provider.script(stub.text("for you", match="sesame"))
    assert text_of(chunks(client)) == "ok"
    sesame = {"role": "user", "content": "open sesame"}
    assert ask(client, sesame).json()["choices"][0]["message"]["content"] == "for you"


def test_usage_comes_in_a_stream_only_when_asked_for(
    provider: stub.StubProvider, client: httpx2.Client
) -> None:
    usage = {"prompt_tokens": 90, "cached_tokens": 64, "completion_tokens": 5}
    provider.script(stub.text("a", usage=usage), stub.text("a", usage=usage))
    assert all("usage" not in part for part in chunks(client))
    last = chunks(client, stream_options={"include_usage": True})[-1]
    assert last["choices"] == []
    assert last["usage"]["prompt_tokens"] == 90
    assert last["usage"]["prompt_tokens_details"]["cached_tokens"] == 64


def test_tool_arguments_arrive_in_parts_and_unchanged(
    provider: stub.StubProvider, client: httpx2.Client
) -> None:
    provider.script(stub.tool_calls(("first", '{"a": 1}'), ("second", "not json")))
    parts = chunks(client)
    calls: dict[int, str] = {}
    for part in parts:
        for call in part["choices"][0]["delta"].get("tool_calls", []):
            index = call["index"]
            calls[index] = calls.get(index, "") + call["function"]["arguments"]
    assert calls == {0: '{"a": 1}', 1: "not json"}
    assert parts[-1]["choices"][0]["finish_reason"] == "tool_calls"


def test_stops_for_length_inside_arguments(
    provider: stub.StubProvider, client: httpx2.Client
) -> None:
    provider.script(stub.stopped_for_length("propose", '{"title": "nigh'))
    choice = ask(client).json()["choices"][0]
    assert choice["finish_reason"] == "length"
    call = choice["message"]["tool_calls"][0]["function"]
    assert call == {"name": "propose", "arguments": '{"title": "nigh'}


@pytest.mark.parametrize("status", [401, 429, 503])
def test_errors_carry_status_and_retry_after(
    provider: stub.StubProvider, client: httpx2.Client, status: int
) -> None:
    provider.script(stub.error(status, retry_after=2, code="busy"))
    answer = ask(client)
    assert answer.status_code == status
    assert answer.headers["retry-after"] == "2"
    assert answer.json()["error"]["code"] == "busy"


def test_cut_breaks_the_connection(
    provider: stub.StubProvider, client: httpx2.Client
) -> None:
    provider.script(stub.cut("half an ans"))
    with pytest.raises(httpx2.TransportError):
        ask(client, stream=True)


def test_quiet_cut_ends_without_end_mark(
    provider: stub.StubProvider, client: httpx2.Client
) -> None:
    provider.script(stub.cut("half", mode="quiet"))
    answer = ask(client, stream=True)
    assert "half" in answer.text
    assert "[DONE]" not in answer.text


def test_broken_json_is_broken(
    provider: stub.StubProvider, client: httpx2.Client
) -> None:
    provider.script(stub.broken_json("fine"), stub.broken_json())
    with pytest.raises(json.JSONDecodeError):
        chunks(client)
    with pytest.raises(json.JSONDecodeError):
        ask(client).json()


def test_slow_first_byte(provider: stub.StubProvider) -> None:
    provider.script(stub.text("late", first_byte_ms=2000))
    hasty = httpx2.Client(base_url=provider.url, timeout=0.3, trust_env=False)
    with hasty, pytest.raises(httpx2.ReadTimeout):
        ask(hasty, stream=True)
    wait_until(lambda: provider.log()[0]["closed_at"] is not None, timeout=1.5)
    assert provider.log()[0]["client_closed"]


def test_records_when_the_client_leaves(
    provider: stub.StubProvider, client: httpx2.Client
) -> None:
    provider.script(stub.endless(interval_ms=5))
    body = {"model": "m", "messages": [USER], "stream": True}
    with client.stream("POST", "/chat/completions", json=body) as answer:
        lines = answer.iter_lines()
        assert next(lines).startswith("data: ")
        assert provider.log()[0]["closed_at"] is None
    wait_until(lambda: provider.log()[0]["closed_at"] is not None, timeout=2)
    record = provider.log()[0]
    assert record["client_closed"]
    assert not record["finished"]


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([], id="empty"),
        pytest.param([USER, CALL], id="unanswered at the end"),
        pytest.param([USER, CALL, USER, ANSWER], id="answered too late"),
        pytest.param([USER, ANSWER], id="result without call"),
        pytest.param([USER, CALL, ANSWER, ANSWER], id="answered twice"),
    ],
)
def test_refuses_a_history_that_providers_refuse(
    client: httpx2.Client, messages: list[dict[str, Any]]
) -> None:
    answer = client.post("/chat/completions", json={"messages": messages})
    assert answer.status_code == 400


def test_accepts_an_answered_call_and_records_the_body(
    provider: stub.StubProvider, client: httpx2.Client
) -> None:
    assert ask(client, USER, CALL, ANSWER).status_code == 200
    assert provider.requests()[0]["body"]["messages"] == [USER, CALL, ANSWER]


def test_refuses_a_wrong_key() -> None:
    provider = stub.StubProvider(api_key="right").start()
    try:
        with httpx2.Client(base_url=provider.url, trust_env=False) as client:
            refused = ask(client)
            client.headers["Authorization"] = "Bearer right"
            allowed = ask(client)
        assert (refused.status_code, allowed.status_code) == (401, 200)
    finally:
        provider.stop()
