"""A model provider without delay, light enough to measure against.

`python -m tests.bench.provider --port N` speaks OpenAI's chat completions, streamed,
over connections that stay open. It does not look into a request, but for one mark in
its last message: `[[stream 100 50]]` asks for 100 tokens, one every 50 ms. Every
token carries the time at which it was sent: `t123.456789` in seconds of the system's
monotonic clock.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import re
import time

import orjson

TOKENS = 8
_PACE = re.compile(rb"\[\[stream (\d+) (\d+)\]\]")
_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
_USAGE = {"prompt_tokens": 10, "completion_tokens": TOKENS, "total_tokens": 18}


def _event(**more: object) -> bytes:
    head = {"id": "b", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return b"data: " + orjson.dumps({**head, **more}) + b"\n\n"


def _delta(delta: dict[str, str], reason: str | None = None) -> bytes:
    return _event(choices=[{"index": 0, "delta": delta, "finish_reason": reason}])


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


_OPENING = _chunk(_delta({"role": "assistant", "content": ""}))
_ENDING = (
    _chunk(_delta({}, "stop"))
    + _chunk(_event(choices=[], usage=_USAGE))
    + _chunk(b"data: [DONE]\n\n")
    + b"0\r\n\r\n"
)


def _token() -> bytes:
    return _chunk(_delta({"content": f"t{time.monotonic():.6f} "}))


class Connection(asyncio.Protocol):
    """One client's connection: requests in, answers out, in turn."""

    def __init__(self) -> None:
        self._received = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        if isinstance(transport, asyncio.Transport):
            self._transport = transport

    def connection_lost(self, _error: Exception | None) -> None:
        """Stop what is under way."""
        self._transport = None

    def data_received(self, data: bytes) -> None:
        """Collect a request; answer once it is whole."""
        self._received += data
        head, found, body = self._received.partition(b"\r\n\r\n")
        if not found:
            return
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        if len(body) >= (int(length.group(1)) if length else 0):
            self._received = b""
            self._answer(body)

    def _answer(self, body: bytes) -> None:
        # The mark may stand in the history too: the last message counts.
        pace = _PACE.search(body, max(body.rfind(b"[[stream "), 0))
        if pace is None:
            self._write(_HEAD + _OPENING + _token() * TOKENS + _ENDING)
            return
        count, milliseconds = (int(part) for part in pace.groups())
        self._write(_HEAD + _OPENING)
        loop = asyncio.get_running_loop()
        self._tick(count, milliseconds / 1000, loop.time())

    def _tick(self, left: int, seconds: float, due: float) -> None:
        if self._transport is None:
            return
        if not left:
            self._write(_ENDING)
            return
        self._write(_token())
        loop = asyncio.get_running_loop()
        loop.call_at(due + seconds, self._tick, left - 1, seconds, due + seconds)

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)


async def serve(port: int) -> None:
    """Serve on loopback until cancelled."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", port, backlog=1024)
    async with server:
        await server.serve_forever()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(description="A model provider without delay.")
    parser.add_argument("--port", type=int, required=True)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
