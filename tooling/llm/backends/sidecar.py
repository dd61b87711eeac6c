"""A model server beside Dialogue, over HTTP: checked before use, left alone if down.

Another backend answers in its place only if the preset lists one.
"""

from __future__ import annotations

import contextlib
import time
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx2

from tooling.llm.backends.openai import OpenAIBackend
from tooling.llm.breaker import CircuitBreaker
from tooling.llm.types import BackendError, BackendEvent, LLMRequest
from tooling.models.llm import BackendKind

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tooling.llm.backends.clients import Connection
    from tooling.llm.presets import ResolvedPreset

_DOWN = frozenset({"unreachable", "timeout", "unavailable"})
HEALTH_SECONDS = 3.0


class SidecarBackend(OpenAIBackend):
    """The OpenAI wire with a health check and a circuit breaker in front."""

    kind = BackendKind.SIDECAR.value

    def __init__(self, preset: ResolvedPreset) -> None:
        super().__init__(preset)
        self.breaker = CircuitBreaker()
        self._checked = False

    async def _stream(self, request: LLMRequest) -> AsyncGenerator[BackendEvent, None]:
        wait = self.breaker.wait(time.monotonic())
        if wait > 0:
            detail = f"{self.host}: left alone for {wait:.1f} s after repeated failures"
            raise BackendError(code="unreachable", detail=detail, retryable=True)
        try:
            await self._check()
            async with contextlib.aclosing(super()._stream(request)) as events:
                async for event in events:
                    self.breaker.succeed()
                    yield event
        except BackendError as error:
            if error.code in _DOWN:
                self._checked = False
                self.breaker.fail(time.monotonic())
            raise

    async def _check(self) -> None:
        """Ask for the server's health before its first use, and after a failure."""
        if self._checked:
            return
        await check_health(self._connections.get(), self.preset, self.host)
        self._checked = True


async def check_health(
    connection: Connection, preset: ResolvedPreset, host: str
) -> None:
    """Raise `BackendError` unless a server is up. A server without `/health` is."""
    root = preset.base_url.rstrip("/").removesuffix("/v1")
    timeout = httpx2.Timeout(HEALTH_SECONDS, connect=preset.connect_seconds)
    try:
        answer = await connection.http.get(f"{root}/health", timeout=timeout)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        detail = f"{host}: {type(error).__name__}"
        raise BackendError(code="unreachable", detail=detail, retryable=True) from None
    if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        detail = f"{host}: /health answers HTTP {answer.status_code}"
        raise BackendError(
            code="unavailable", detail=detail, retryable=True, status=answer.status_code
        )
