"""A scripted server of Anthropic's messages wire, on this process's event loop."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]


def answer(
    *blocks: list[Event],
    usage: dict[str, int] | None = None,
    stop: str = "end_turn",
) -> list[Event]:
    """Return a whole stream: its blocks, each a list of deltas after a start."""
    start = {"input_tokens": 10, "output_tokens": 1, **(usage or {})}
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-stub",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": start,
    }
    events: list[Event] = [{"type": "message_start", "message": message}]
    for index, (begin, *deltas) in enumerate(blocks):
        events.append(
            {"type": "content_block_start", "index": index, "content_block": begin}
        )
        events.extend(
            {"type": "content_block_delta", "index": index, "delta": delta}
            for delta in deltas
        )
        events.append({"type": "content_block_stop", "index": index})
    delta = {"stop_reason": stop, "stop_sequence": None}
    output = {"output_tokens": (usage or {}).get("output_tokens", 5)}
    events.append({"type": "message_delta", "delta": delta, "usage": output})
    events.append({"type": "message_stop"})
    return events


def words(*pieces: str) -> list[Event]:
    """Return a text block that comes in pieces."""
    deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
    return [{"type": "text", "text": ""}, *deltas]


def tool_use(name: str, *pieces: str) -> list[Event]:
    """Return a tool call whose arguments come in pieces."""
    deltas = [{"type": "input_json_delta", "partial_json": p} for p in pieces]
    begin = {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}
    return [begin, *deltas]


@dataclass
class AnthropicStub:
    """Answers every request with `events`, or with `status` and `error`."""

    events: list[Event] = field(default_factory=list)
    status: int = 200
    error: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve one connection."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        self.headers.append(head)
        self.bodies.append(json.loads(await reader.readexactly(length)))
        leaving = asyncio.ensure_future(self._watch(reader))
        try:
            await self._answer(writer)
        except ConnectionError:
            self.left.set()
        finally:
            leaving.cancel()
            writer.close()

    async def _watch(self, reader: asyncio.StreamReader) -> None:
        await reader.read(1)
        self.left.set()

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        kind = "text/event-stream" if self.status == 200 else "application/json"
        writer.write(
            f"HTTP/1.1 {self.status} X\r\nContent-Type: {kind}\r\n"
            "Connection: close\r\n\r\n".encode()
        )
        if self.status != 200:
            body = {"type": "error", "error": self.error}
            writer.write(json.dumps(body).encode())
        for event in self.events if self.status == 200 else []:
            data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
            writer.write(data.encode())
            await writer.drain()
            await asyncio.sleep(self.pause)
        await writer.drain()
