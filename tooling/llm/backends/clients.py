"""HTTP clients of providers: one for each event loop that uses a backend.

A connection belongs to the loop that opened it. One loop a worker process runs all
turns and keeps its client; a page that tests a connection has a short loop of its
own and closes its client at the end.
"""

from __future__ import annotations

import asyncio
import ipaddress
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx2

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_ai.models import Model

    from tooling.llm.presets import ResolvedPreset

T = TypeVar("T")
# Our own time-outs come first; the client's are a backstop.
SLACK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Connection:
    """A library model, the client under it, and the key that it sends."""

    model: Model[Any]
    http: httpx2.AsyncClient
    key: str


class PerLoop(Generic[T]):
    """A value for each running event loop, made when the loop first asks."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._values: WeakKeyDictionary[asyncio.AbstractEventLoop, T] = (
            WeakKeyDictionary()
        )
        self._lock = threading.Lock()

    def get(self) -> T:
        """Return the running loop's value."""
        loop = asyncio.get_running_loop()
        with self._lock:
            value = self._values.get(loop)
            if value is None:
                value = self._values[loop] = self._make()
            return value

    def pop(self) -> T | None:
        """Take the running loop's value out and return it; None if there is none."""
        with self._lock:
            return self._values.pop(asyncio.get_running_loop(), None)


def http_client(preset: ResolvedPreset) -> httpx2.AsyncClient:
    """Return a new client with a preset's time-outs; it follows no redirect."""
    longest = max(preset.first_token_seconds, preset.read_seconds) + SLACK_SECONDS
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(longest, connect=preset.connect_seconds),
        limits=httpx2.Limits(max_connections=1000, max_keepalive_connections=100),
        # A proxy of the environment is no way to this machine.
        trust_env=not is_local(preset.base_url),
        follow_redirects=False,
    )


def is_local(address: str) -> bool:
    """Tell whether an address names this machine."""
    host = urlsplit(address).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_of(address: str) -> str:
    """Return host and port of an address, without any user or password."""
    parts = urlsplit(address)
    return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or ""
