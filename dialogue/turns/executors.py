"""Bounded threads for the ORM and for tools, beside the runner's event loop."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import connection

P = ParamSpec("P")
R = TypeVar("R")

_rows = ThreadPoolExecutor(max_workers=8, thread_name_prefix="turn-rows")
# A slow tool must not keep other turns' rows waiting.
_tools = ThreadPoolExecutor(max_workers=16, thread_name_prefix="turn-tools")


def _give_back() -> None:
    """Return the connection to the driver's pool; keep SQLite's, which is a file."""
    if connection.vendor == "postgresql" or connection.errors_occurred:
        connection.close()


async def in_rows_thread(
    function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Run a short piece of ORM work."""
    return await _run(_rows, function, *args, **kwargs)


async def in_tool_thread(
    function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
) -> R:
    """Run a tool."""
    return await _run(_tools, function, *args, **kwargs)


async def _run(
    pool: ThreadPoolExecutor,
    function: Callable[P, R],
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    context = contextvars.copy_context()

    def call() -> R:
        try:
            return context.run(function, *args, **kwargs)
        finally:
            _give_back()

    return await asyncio.get_running_loop().run_in_executor(pool, call)
