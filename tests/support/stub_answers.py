"""How the stub provider plays a step: streamed or whole, sound or broken."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from typing import TYPE_CHECKING, Any

from tests.support.stub_script import Step, tokens_of, tool_calls_of, usage_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found"}


class Exchange:
    """One completion request on its connection, with what is recorded of it."""

    def __init__(
        self,
        writer: asyncio.StreamWriter,
        request: dict[str, Any],
        step: Step,
        serial: int,
    ) -> None:
        self.writer = writer
        self.request = request
        self.step = step
        self.serial = serial
        self.record: dict[str, Any] = {
            "serial": serial,
            "step": step["type"],
            "opened_at": time.monotonic(),
            "closed_at": None,
            "finished": False,
            "client_closed": False,
            "tokens_sent": 0,
        }

    @property
    def streams(self) -> bool:
        return bool(self.request.get("stream"))

    async def pause(self, key: str) -> None:
        """Sleep for as many milliseconds as the step states under `key`."""
        await asyncio.sleep(float(self.step.get(key, 0)) / 1000)

    async def open_stream(self) -> None:
        self.writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            b"Cache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n"
            b"Connection: close\r\n\r\n"
        )
        await self.writer.drain()

    async def send_line(self, data: str) -> None:
        """Send one server-sent event as one HTTP chunk."""
        body = f"data: {data}\n\n".encode()
        self.writer.write(f"{len(body):x}\r\n".encode() + body + b"\r\n")
        await self.writer.drain()

    async def send_delta(
        self, delta: dict[str, Any], finish_reason: str | None = None
    ) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        await self.send_line(
            json.dumps(self._envelope("chat.completion.chunk", choices=[choice]))
        )

    async def send_text(self, tokens: AsyncIterator[str]) -> None:
        await self.send_delta({"role": "assistant", "content": ""})
        async for token in tokens:
            await self.send_delta({"content": token})
            self.record["tokens_sent"] += 1

    async def close_stream(self, finish_reason: str) -> None:
        """Send the closing chunks: reason, usage where asked for, end mark."""
        await self.send_delta({}, finish_reason)
        options = self.request.get("stream_options") or {}
        if options.get("include_usage"):
            usage = usage_of(self.step, self.request)
            chunk = self._envelope("chat.completion.chunk", choices=[], usage=usage)
            await self.send_line(json.dumps(chunk))
        await self.send_line("[DONE]")
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    def whole(self, message: dict[str, Any], finish_reason: str) -> dict[str, Any]:
        """Return the body of an answer that is not streamed."""
        choice = {"index": 0, "message": message, "finish_reason": finish_reason}
        return self._envelope(
            "chat.completion",
            choices=[choice],
            usage=usage_of(self.step, self.request),
        )

    def _envelope(self, kind: str, **more: object) -> dict[str, Any]:
        return {
            "id": f"stub-{self.serial}",
            "object": kind,
            "created": 1_700_000_000,
            "model": self.request.get("model", "stub"),
            **more,
        }

    async def words(self) -> AsyncIterator[str]:
        """Yield the step's pieces at its pace; an endless step never stops."""
        endless = self.step["type"] == "endless"
        pieces = itertools.cycle(["word "]) if endless else iter(tokens_of(self.step))
        for number, piece in enumerate(pieces):
            if number:
                await self.pause("interval_ms")
            yield piece


async def play(exchange: Exchange) -> None:
    """Answer one completion request as its step says."""
    await exchange.pause("first_byte_ms")
    step = exchange.step
    if step["type"] == "error":
        await _play_error(exchange)
    elif exchange.streams:
        await exchange.open_stream()
        await _STREAMED[step["type"]](exchange)
    else:
        await _play_whole(exchange)


async def _play_error(exchange: Exchange) -> None:
    step = exchange.step
    headers = {}
    if "retry_after" in step:
        headers["Retry-After"] = str(step["retry_after"])
    status = int(step.get("status", 503))
    body = error_body(step.get("message", "scripted error"), step.get("code"))
    await respond(exchange.writer, status, body, headers)


async def _stream_text(exchange: Exchange) -> None:
    await exchange.send_text(exchange.words())
    await exchange.close_stream(exchange.step.get("finish_reason", "stop"))


async def _stream_calls(exchange: Exchange) -> None:
    step = exchange.step
    if step.get("text"):
        await exchange.send_text(exchange.words())
    for index, call in enumerate(tool_calls_of(step, exchange.serial)):
        arguments = call["function"]["arguments"]
        head = {**call, "function": {**call["function"], "arguments": ""}}
        await exchange.send_delta({"tool_calls": [{"index": index, **head}]})
        middle = len(arguments) // 2
        for part in (arguments[:middle], arguments[middle:]):
            delta = {"index": index, "function": {"arguments": part}}
            await exchange.send_delta({"tool_calls": [delta]})
            await exchange.pause("interval_ms")
    await exchange.close_stream(_reason_of(step))


async def _stream_cut(exchange: Exchange) -> None:
    await exchange.send_text(exchange.words())
    if exchange.step.get("mode", "reset") == "quiet":
        exchange.writer.write(b"0\r\n\r\n")
        await exchange.writer.drain()
    else:
        exchange.writer.transport.abort()


async def _stream_broken(exchange: Exchange) -> None:
    await exchange.send_text(exchange.words())
    await exchange.send_line('{"id": "stub", "choices": [{"delta": {"content": "x')
    await exchange.close_stream("stop")


_STREAMED = {
    "text": _stream_text,
    "endless": _stream_text,
    "tool_calls": _stream_calls,
    "length": _stream_calls,
    "cut": _stream_cut,
    "broken_json": _stream_broken,
}


async def _play_whole(exchange: Exchange) -> None:
    step = exchange.step
    if step["type"] == "cut":
        exchange.writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{")
        await exchange.writer.drain()
        exchange.writer.transport.abort()
        return
    if step["type"] == "broken_json":
        await respond_raw(exchange.writer, 200, b'{"choices": [{', {})
        return
    if step["type"] == "endless":
        async for _ in exchange.words():
            pass
    message: dict[str, Any] = {"role": "assistant", "content": step.get("text")}
    if step["type"] in {"tool_calls", "length"}:
        message["tool_calls"] = tool_calls_of(step, exchange.serial)
    elif "tokens" in step:
        message["content"] = "".join(tokens_of(step))
    body = exchange.whole(message, _reason_of(step))
    await respond(exchange.writer, 200, body)


def _reason_of(step: Step) -> str:
    by_type = {"tool_calls": "tool_calls", "length": "length"}
    return str(step.get("finish_reason", by_type.get(step["type"], "stop")))


def error_body(message: str, code: str | None = None) -> dict[str, Any]:
    """Return an error in the provider's shape."""
    return {"error": {"message": message, "type": "stub_error", "code": code}}


async def respond(
    writer: asyncio.StreamWriter,
    status: int,
    body: object,
    headers: dict[str, str] | None = None,
) -> None:
    """Send a whole JSON answer."""
    await respond_raw(writer, status, json.dumps(body).encode(), headers or {})


async def respond_raw(
    writer: asyncio.StreamWriter, status: int, body: bytes, headers: dict[str, str]
) -> None:
    """Send a whole answer with the given bytes as its JSON body."""
    lines = [f"HTTP/1.1 {status} {_REASONS.get(status, 'Scripted')}"]
    lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    lines += ["Connection: close", *(f"{k}: {v}" for k, v in headers.items())]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    await writer.drain()
