"""The product as it is measured: real processes, a durable database, a provider."""

from __future__ import annotations

import contextlib
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.machine import cpu_seconds, resident_megabytes
from tests.bench.wire import Connection, EventReader, Unexpected
from tests.support.people import MEMBER, TENANT
from tests.support.processes import LOOPBACK, ManagedProcess, free_port
from tests.support.servers import PostgresServer
from tests.support.stack import ROOT, Shape, Stack, StackFactory


class DurableFactory(StackFactory):
    """Makes stacks whose PostgreSQL syncs every commit to disk."""

    @property
    def postgres(self) -> PostgresServer:
        """The server of the grown stack."""
        if self._postgres is None:
            self._postgres = PostgresServer(durable=True, max_connections=200).start()
        return self._postgres


@dataclass
class Rig:
    """A running product of one shape, and ways to use and to weigh it."""

    stack: Stack
    factory: DurableFactory
    provider: ManagedProcess
    provider_port: int

    @property
    def port(self) -> int:
        return int(self.stack.env["PORT"])

    @property
    def token(self) -> str:
        return self.stack.tokens[MEMBER.email]

    def path(self, rest: str) -> str:
        """Return the address of something in the tenant."""
        return f"/api/v1/t/{TENANT}/{rest}"

    def connection(self) -> Connection:
        """Return a client's connection to the product."""
        return Connection(self.port, self.token)

    async def reader(self, conversation: str) -> EventReader:
        """Open a stream of what comes from now on."""
        path = self.path(f"conversations/{conversation}/events?after=now")
        return await EventReader.open(self.port, self.token, path)

    async def conversation(self, client: Connection) -> str:
        """Begin a conversation; return its id."""
        path = self.path("conversations")
        return str((await client.json("POST", path, {"track": "Build"}))["id"])

    async def post(self, client: Connection, conversation: str, text: str) -> None:
        """Send a message; returns once it is stored."""
        path = self.path(f"conversations/{conversation}/messages")
        await client.json("POST", path, {"text": text})

    async def wait(self, client: Connection, conversation: str, text: str) -> None:
        """Send a message; returns once its turn is done."""
        path = self.path(f"conversations/{conversation}/messages")
        answer = await client.json("POST", path, {"text": text}, "Prefer: wait=30\r\n")
        if answer["turn"]["state"] != "done":
            message = f"a turn ended so: {answer['turn']}"
            raise Unexpected(message)

    def processes(self) -> dict[str, int]:
        """Return the ids of the product's processes and of its servers, by name."""
        found = {"web": self.stack.web.pid}
        if self.stack.workers:
            found["worker"] = self.stack.worker.pid
        if self.stack.redis is not None:
            found["database"] = self.factory.postgres.pid
            found["redis"] = self.stack.redis.pid
        return found

    def cpu(self) -> dict[str, float]:
        """Return each process's seconds of processor time so far."""
        return {name: cpu_seconds(pid) for name, pid in self.processes().items()}

    def memory(self) -> dict[str, float]:
        """Return the megabytes that the product's own processes hold."""
        own = {name: self.processes().get(name) for name in ("web", "worker")}
        return {name: resident_megabytes(pid) for name, pid in own.items() if pid}

    def cold_start(self) -> float:
        """Start the web process anew; return the seconds until it is ready."""
        web = self.stack.web
        web.kill9()
        began = time.monotonic()
        web.start()
        self.stack.wait_ready(web)
        return time.monotonic() - began


@contextmanager
def running(shape: Shape) -> Iterator[Rig]:
    """Give a product that runs, and take it away afterwards."""
    with contextlib.ExitStack() as cleanup:
        folder = Path(
            cleanup.enter_context(tempfile.TemporaryDirectory(prefix="dialogue-bench-"))
        )
        port = free_port()
        provider = _provider(port, folder)
        cleanup.callback(provider.stop)
        factory = DurableFactory(folder)
        cleanup.callback(factory.close)
        stack = factory.make(shape, start=False, **_settings(port))
        # The database's log then tells whose statement is whose.
        stack.env["PGAPPNAME"] = "web"
        stack.start_web()
        if shape == "grown":
            stack.env["PGAPPNAME"] = "worker"
            stack.start_worker()
        yield Rig(stack, factory, provider, port)


def _settings(provider_port: int) -> dict[str, str]:
    return {
        "DIALOGUE_LLM_KIND": "openai",
        "DIALOGUE_LLM_BASE_URL": f"http://{LOOPBACK}:{provider_port}/v1",
        "DIALOGUE_LLM_MODEL": "bench",
    }


def _provider(port: int, folder: Path) -> ManagedProcess:
    process = ManagedProcess(
        "provider",
        [sys.executable, "-m", "tests.bench.provider", "--port", str(port)],
        env={"PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        log_path=folder / "provider.log",
    )
    process.start()
    process.wait_ready(lambda: can_connect(port))
    return process


def can_connect(port: int) -> bool:
    """Tell whether somebody listens on a loopback port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((LOOPBACK, port)) == 0


# --- rows that are there before anything is measured ----------

_SEED = """
from datetime import timedelta
from django.utils import timezone
from dialogue.models import Conversation, ConversationMessage, MessageRole
from tooling.ids import new_id
from tooling.models import Tenant, User
tenant = Tenant.objects.get(slug='acme')
person = User.objects.get(email='member@acme.test')
now = timezone.now()
"""

_HISTORY = """
conversation = Conversation.objects.create(
    tenant=tenant, track='Build', title='History', created_by=person,
    message_seq=count)
ConversationMessage.objects.bulk_create([
    ConversationMessage(
        id=new_id(), tenant=tenant, conversation=conversation, seq=seq,
        role=MessageRole.USER if seq % 2 else MessageRole.ASSISTANT,
        author=person if seq % 2 else None,
        text=f'This is message {seq} of a long talk.', created_at=now)
    for seq in range(1, count + 1)], batch_size=1000)
result = str(conversation.pk)
"""

_LIST = """
for first in range(0, count, 2000):
    Conversation.objects.bulk_create([
        Conversation(
            id=new_id(), tenant=tenant, track='Build', created_by=person,
            title=f'Conversation {number}',
            active_at=now - timedelta(seconds=number))
        for number in range(first, min(first + 2000, count))], batch_size=500)
result = count
"""


def seed_history(rig: Rig, count: int) -> str:
    """Make a conversation of `count` messages; return its id."""
    result: Any = rig.stack.evaluate(f"{_SEED}count = {count}{_HISTORY}")
    return str(result)


def seed_list(rig: Rig, count: int) -> None:
    """Make `count` more conversations."""
    rig.stack.evaluate(f"{_SEED}count = {count}{_LIST}", timeout=300.0)
