"""The server's application: static files beside Django, and the embedded worker."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from django.core.asgi import get_asgi_application
from starlette.routing import Mount, Router
from starlette.staticfiles import StaticFiles

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Scope

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")
django_application: Any = get_asgi_application()

from django.conf import settings  # noqa: E402 -- after Django's set-up

from tooling.health import register_check  # noqa: E402 -- after Django's set-up

WORKER = "dialogue.turns.worker"
# A name with its content's hash never changes what it holds.
_HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")
_FOR_EVER = "public, max-age=31536000, immutable"
_FOR_A_WHILE = "public, max-age=300"


class CachedStaticFiles(StaticFiles):
    """Static files with their time to live, served without Django."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file with cache headers."""
        response = await super().get_response(path, scope)
        kept = _FOR_EVER if _HASHED.search(path) else _FOR_A_WHILE
        response.headers["Cache-Control"] = kept
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


@asynccontextmanager
async def lifespan(_application: Any) -> AsyncIterator[None]:
    """Run the embedded worker for as long as the server runs."""
    stop = await asyncio.to_thread(_start_worker)
    try:
        yield
    finally:
        await asyncio.to_thread(stop)


def _start_worker() -> Callable[[], None]:
    """Start the worker in this process where the shape has none elsewhere."""
    elsewhere = settings.GROWN or os.environ.get("DIALOGUE_WORKER") == "off"
    if elsewhere or find_spec(WORKER) is None:
        return lambda: None
    worker = import_module(WORKER)
    worker.start_embedded()
    register_check("worker", lambda: None if worker.worker.alive else "has ended")
    stop: Callable[[], None] = worker.stop_embedded
    return stop


def _router() -> Router:
    static = CachedStaticFiles(directory=settings.STATIC_ROOT, check_dir=False)
    return Router(
        routes=[Mount(settings.STATIC_URL.rstrip("/"), app=static)],
        redirect_slashes=False,
        default=django_application,
        lifespan=lifespan,
    )


application = _router()
