"""A client that costs next to nothing: HTTP/1.1 on plain asyncio.

Client, product, database and provider share the machine's cores, so whatever the
client burns is missing elsewhere.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any, Self

import orjson

from tests.support.processes import LOOPBACK

TIMEOUT = 60.0
# On a busy machine two hundred streams need their time to run dry.
TURN_TIMEOUT = 280.0
ENDED = frozenset({"done", "failed", "stopped", "interrupted"})
_STAMP = re.compile(rb"t(\d+\.\d{6}) ")


class Unexpected(Exception):
    """The product did not answer as it should: there is nothing to measure."""


class Connection:
    """One kept connection, one request at a time."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self._head = f"Host: {LOOPBACK}\r\nAuthorization: Bearer {token}\r\n"
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    async def send(
        self, method: str, path: str, body: Any = None, headers: str = ""
    ) -> tuple[int, bytes]:
        """Send a request; return status and body. `headers` are whole lines."""
        async with asyncio.timeout(TIMEOUT):
            data = b"" if body is None else orjson.dumps(body)
            kind = "" if body is None else "Content-Type: application/json\r\n"
            head = (
                f"{method} {path} HTTP/1.1\r\n{self._head}{kind}{headers}"
                f"Content-Length: {len(data)}\r\n\r\n"
            )
            reader, writer = await self._open()
            writer.write(head.encode() + data)
            return await _read_answer(reader)

    async def json(
        self, method: str, path: str, body: Any = None, headers: str = ""
    ) -> Any:
        """Send a request and return the JSON of its answer; refusals raise."""
        status, data = await self.send(method, path, body, headers)
        if status >= 300:
            message = f"{method} {path}: {status} {data[:500]!r}"
            raise Unexpected(message)
        return orjson.loads(data)

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(
                LOOPBACK, self.port
            )
        return self._reader, self._writer


async def _read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head.split(" ", 2)[1])
    length = re.search(r"content-length: *(\d+)", head)
    if length:
        return status, await reader.readexactly(int(length.group(1)))
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append((await reader.readexactly(size + 2))[:-2])
    await reader.readline()
    return status, b"".join(parts)


class EventReader(asyncio.Protocol):
    """An open stream of one conversation, and when its events came.

    `arm()` before a message is sent; then `first_text` and the result of `ended` are
    the times of the answer's first text and of the turn's end.
    """

    def __init__(self) -> None:
        self.lags: list[float] = []
        self.first_text = 0.0
        self.opened: asyncio.Future[None] = asyncio.Future()
        self.ended: asyncio.Future[float] = asyncio.Future()
        self.transport: asyncio.Transport | None = None
        self._buffer = b""

    @classmethod
    async def open(cls, port: int, token: str, path: str) -> EventReader:
        """Open a stream; returns once it has begun."""
        loop = asyncio.get_running_loop()
        transport, reader = await loop.create_connection(cls, LOOPBACK, port)
        reader.transport = transport
        head = f"GET {path} HTTP/1.1\r\nHost: {LOOPBACK}\r\n"
        transport.write(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
        async with asyncio.timeout(TIMEOUT):
            await reader.opened
        return reader

    def arm(self) -> None:
        """Get ready for the next turn."""
        self.first_text = 0.0
        self.ended = asyncio.Future()

    async def end(self) -> float:
        """Return when the turn ended."""
        async with asyncio.timeout(TURN_TIMEOUT):
            return await self.ended

    def close(self) -> None:
        """Leave the stream."""
        if self.transport is not None:
            self.transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """Nobody waits for a stream that has gone."""
        for waiting in (self.opened, self.ended):
            if not waiting.done():
                waiting.cancel()

    def data_received(self, data: bytes) -> None:
        """Take events; each is one chunk, so that chunk sizes are lines beside."""
        at = time.monotonic()
        *events, self._buffer = (self._buffer + data).split(b"\n\n")
        for event in events:
            self._take(event, at)

    def _take(self, event: bytes, at: float) -> None:
        if not self.opened.done():
            if b" 200 " not in event[:20]:
                self.opened.set_exception(Unexpected(event[:300].decode()))
                return
            self.opened.set_result(None)
        if b"event: text\n" in event:
            self.first_text = self.first_text or at
            self.lags += [at - float(sent) for sent in _STAMP.findall(event)]
        elif b"event: message\n" in event and b'"role":"assistant"' in event:
            # An answer that is whole at once comes as its message, with no text before.
            self.first_text = self.first_text or at
        elif b"event: turn\n" in event:
            self._take_turn(orjson.loads(event.partition(b"data: ")[2]), at)

    def _take_turn(self, turn: dict[str, Any], at: float) -> None:
        if turn["state"] not in ENDED or self.ended.done():
            return
        if turn["state"] == "done":
            self.ended.set_result(at)
        else:
            self.ended.set_exception(Unexpected(f"a turn ended so: {turn}"))
