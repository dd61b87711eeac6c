"""Serve Dialogue."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_PORT = "8000"
# Open streams would hold the server up for as long as their readers stay.
GRACE_SECONDS = 10
BACKLOG = 2048


class _Server(uvicorn.Server):
    """Says where it is once it is ready."""

    def __init__(self, config: uvicorn.Config, *, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


class Command(BaseCommand):
    """The ASGI server, with the embedded worker where the shape has one."""

    help = "Serve Dialogue (with its worker, unless --no-worker or Redis is used)"

    def add_arguments(self, parser: CommandParser) -> None:
        """Take where to listen."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", default=os.environ.get("PORT", DEFAULT_PORT))
        parser.add_argument(
            "--no-worker", action="store_true", help="run no turns in this process"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Listen, say where, and serve until a signal ends it."""
        if not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
            message = "Static files are missing. Run: manage.py collectstatic"
            raise CommandError(message)
        if options["no_worker"]:
            os.environ["DIALOGUE_WORKER"] = "off"
        host, port = options["host"], _checked_port(options["port"])
        listening = _listen(host, port)
        where = f"http://{host}:{listening.getsockname()[1]}/"
        server = _Server(_config(), ready=lambda: self._say(where))
        # Ctrl+C: uvicorn has closed everything by then, and raises the signal anew.
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
        if not server.started:
            sys.exit(1)

    def _say(self, where: str) -> None:
        self.stdout.write(f"Dialogue is ready at {where} (Ctrl+C stops it)")
        self.stdout.flush()


def _config() -> uvicorn.Config:
    behind_proxy = settings.SECURE_PROXY_SSL_HEADER is not None
    return uvicorn.Config(
        f"{settings.ASGI_APPLICATION.replace('.application', ':application')}",
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws="none",
        proxy_headers=behind_proxy,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=30,
    )


def _checked_port(port: str) -> int:
    if not str(port).isdecimal() or not 0 <= int(port) < 65536:
        message = f"PORT is {port!r}; it must be a number from 1 to 65535."
        raise CommandError(message)
    return int(port)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        message = f"{host}:{port} cannot be used: {error.strerror}."
        if error.errno == errno.EADDRINUSE:
            message = (
                f"Port {port} is in use. Set PORT to another number, for example "
                f"PORT={port + 1} make run."
            )
        raise CommandError(message) from error
    listening.setblocking(False)
    return listening
