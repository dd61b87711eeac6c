"""One real model server for the whole suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.support.llama_server import LlamaServer
from tooling.llm.backends import close_clients

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


@pytest.fixture(scope="session")
def llama_server() -> Iterator[LlamaServer]:
    """A llama.cpp server with a small model, on loopback, with a key."""
    server = LlamaServer().start()
    yield server
    server.stop()


@pytest_asyncio.fixture
async def _clients_closed() -> AsyncIterator[None]:
    yield
    await close_clients()
