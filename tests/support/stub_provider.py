"""A model provider on loopback that plays a script (OpenAI chat completions).

`python -m tests.support.stub_provider --port N [--api-key KEY]`

- `POST /v1/chat/completions`, `GET /v1/models`, `GET /health`: what a product calls.
- `POST /script` `{"steps": […], "default": {…}}` replaces the script;
  `POST /reset` clears script and records.
- `GET /requests`: recorded bodies with their headers, oldest first.
- `GET /log`: one record per completion: `opened_at`, `closed_at` (monotonic
  seconds), `finished`, `client_closed`, `tokens_sent`, `step`.

Steps (`type` and what it takes; all take `first_byte_ms`, `usage`, `match`, `repeat`):
- `text`: `text` or `tokens`, `interval_ms`, `finish_reason`
- `tool_calls`: `calls` `[{name, arguments (raw string), id?}]`, `text`
- `length`: `name`, `arguments`: the answer stops for length inside the arguments
- `error`: `status`, `message`, `code`, `retry_after`
- `cut`: text, then the connection breaks; `mode` "reset" (default) or "quiet"
- `broken_json`: text, then a data line that is no JSON
- `endless`: words every `interval_ms` until the client leaves
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import time
from typing import Any

from tests.support.stub_answers import Exchange, error_body, play, respond
from tests.support.stub_script import BadStepError, Script, check_history

MAX_BODY = 64 * 1024 * 1024


class StubServer:
    """Holds the script and the records; answers each connection once."""

    def __init__(self, *, api_key: str | None = None) -> None:
        self.api_key = api_key
        self._serial = itertools.count(1)
        self.reset()

    def reset(self) -> None:
        """Forget the script and all that was recorded."""
        self.script = Script()
        self.requests: list[dict[str, Any]] = []
        self.log: list[dict[str, Any]] = []

    async def handle(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve one connection, whatever the client does to it."""
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            method, path, headers, body = await _read_request(reader)
            await self._route(method, path, headers, body, reader, writer)
        with contextlib.suppress(ConnectionError):
            writer.close()
            await writer.wait_closed()

    async def _route(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        body: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        target = (method, path.partition("?")[0])
        if target == ("POST", "/v1/chat/completions"):
            await self._complete(headers, body, reader, writer)
        elif target == ("GET", "/v1/models"):
            models = {"object": "list", "data": [{"id": "stub", "object": "model"}]}
            await self._if_authorised(headers, writer, models)
        else:
            status, answer = self._control(target, body)
            await respond(writer, status, answer)

    def _control(self, target: tuple[str, str], body: bytes) -> tuple[int, object]:
        if target == ("POST", "/script"):
            try:
                self.script.load(json.loads(body))
            except BadStepError as error:
                return 400, error_body(str(error))
            return 200, {"loaded": len(self.script.steps)}
        if target == ("POST", "/reset"):
            self.reset()
            return 200, {}
        answers: dict[tuple[str, str], object] = {
            ("GET", "/requests"): self.requests,
            ("GET", "/log"): self.log,
            ("GET", "/health"): {"status": "ok"},
        }
        if target in answers:
            return 200, answers[target]
        return 404, error_body("no such path")

    async def _if_authorised(
        self, headers: dict[str, str], writer: asyncio.StreamWriter, answer: object
    ) -> None:
        if self._authorised(headers):
            await respond(writer, 200, answer)
        else:
            await respond(writer, 401, error_body("wrong key", "invalid_api_key"))

    def _authorised(self, headers: dict[str, str]) -> bool:
        wanted = f"Bearer {self.api_key}"
        return self.api_key is None or headers.get("authorization") == wanted

    async def _complete(
        self,
        headers: dict[str, str],
        body: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        if not self._authorised(headers):
            await respond(writer, 401, error_body("wrong key", "invalid_api_key"))
            return
        try:
            request = json.loads(body)
            self.requests.append({"headers": headers, "body": request})
            check_history(request.get("messages"))
        except ValueError as error:
            await respond(writer, 400, error_body(str(error), "invalid_request"))
            return
        step = self.script.take(request)
        exchange = Exchange(writer, request, step, next(self._serial))
        self.log.append(exchange.record)
        await self._play_until_client_leaves(exchange, reader)

    async def _play_until_client_leaves(
        self, exchange: Exchange, reader: asyncio.StreamReader
    ) -> None:
        playing = asyncio.ensure_future(play(exchange))
        leaving = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait({playing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            exchange.record["client_closed"] = not playing.done()
            if playing.done():
                playing.result()
                exchange.record["finished"] = True
        except ConnectionError:
            exchange.record["client_closed"] = True
        finally:
            exchange.record["closed_at"] = time.monotonic()
            for task in (playing, leaving):
                task.cancel()
            await asyncio.gather(playing, leaving, return_exceptions=True)


async def _read_request(
    reader: asyncio.StreamReader,
) -> tuple[str, str, dict[str, str], bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    length = min(int(headers.get("content-length", "0")), MAX_BODY)
    return method, path, headers, await reader.readexactly(length)


async def serve(port: int, *, api_key: str | None = None) -> None:
    """Serve on loopback until cancelled."""
    stub = StubServer(api_key=api_key)
    server = await asyncio.start_server(
        stub.handle, "127.0.0.1", port, backlog=1024, limit=1024 * 1024
    )
    async with server:
        await server.serve_forever()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(description="A scripted model provider.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--api-key")
    arguments = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(arguments.port, api_key=arguments.api_key))


if __name__ == "__main__":
    main()
