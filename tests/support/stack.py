"""A running product as real processes, of either shape, for black-box tests.

`StackFactory.make(shape)` gives a `Stack` of its own: data folder, database (a copy
of one that was migrated and peopled once), ports, secret key; in the grown shape a
Redis of its own too. Nothing in it is patched.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import httpx2
import psycopg

from tests.support.clients import PageClient, api_client
from tests.support.people import PASSWORD, Person, seed_program
from tests.support.processes import LOOPBACK, ManagedProcess, free_port, wait_until
from tests.support.servers import PostgresServer, RedisServer

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
Shape = Literal["embedded", "grown"]
SHAPES: tuple[Shape, ...] = ("embedded", "grown")
READY_SECONDS = 60.0
# Handed on from the tests' own environment; all else is the stack's.
_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "OPENBLAS_CORETYPE")


class CommandFailedError(AssertionError):
    """A management command of the product ended with an error."""


@dataclass(frozen=True, slots=True)
class Template:
    """What a new stack of a shape begins as a copy of."""

    data_dir: Path
    database: str | None
    tokens: dict[str, str]


@dataclass(slots=True)
class Stack:
    """One running product. Rows are read by `sql`, rules are met over HTTP."""

    shape: Shape
    folder: Path
    env: dict[str, str]
    tokens: dict[str, str]
    redis: RedisServer | None = None
    webs: list[ManagedProcess] = field(default_factory=list)
    workers: list[ManagedProcess] = field(default_factory=list)
    cleanup: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    # --- processes ---------------------------------------------------------------

    def start(self) -> Stack:
        """Start what the shape has: one web process, and when grown one worker."""
        self.start_web()
        if self.shape == "grown":
            self.start_worker()
        return self

    @property
    def web(self) -> ManagedProcess:
        """The first web process."""
        return self.webs[0]

    @property
    def worker(self) -> ManagedProcess:
        """Whatever runs turns: the first worker, or the web process if embedded."""
        return self.workers[0] if self.workers else self.web

    @property
    def base_url(self) -> str:
        return f"http://{LOOPBACK}:{self.env['PORT']}"

    def url_of_web(self, index: int) -> str:
        """Address of the web process with this index; the first is `base_url`."""
        return f"http://{LOOPBACK}:{self.webs[index].env['PORT']}"

    def start_web(self) -> ManagedProcess:
        """Start one more web process, and wait until it is ready."""
        port = self.env["PORT"] if not self.webs else str(free_port())
        command = ["manage.py", "serve", "--host", LOOPBACK, "--port", port]
        if self.shape == "grown":
            command.append("--no-worker")
        web = self._spawn(f"web-{len(self.webs)}", command, {"PORT": port})
        self.webs.append(web)
        self.wait_ready(web)
        return web

    def start_worker(self) -> ManagedProcess:
        """Start one more worker process (grown shape)."""
        command = ["-m", "celery", "-A", "config", "worker", "--pool", "threads"]
        command += ["-c", "4", "-l", "INFO", "-n", f"worker-{len(self.workers)}@stack"]
        worker = self._spawn(f"worker-{len(self.workers)}", command, {})
        self.workers.append(worker)
        _wait_for_worker(worker, after=0)
        return worker

    def restart(self, process: ManagedProcess, **env: str) -> None:
        """Kill a process of this stack if it runs, and start it again."""
        process.kill9()
        process.env.update(env)
        written = len(process.log())
        process.start()
        if process in self.webs:
            self.wait_ready(process)
        elif process in self.workers:
            _wait_for_worker(process, after=written)

    def wait_ready(self, web: ManagedProcess) -> None:
        """Wait until a web process answers `/readyz` with 200."""
        url = f"http://{LOOPBACK}:{web.env['PORT']}/readyz"
        web.wait_ready(lambda: _status(url) == 200, timeout=READY_SECONDS)

    def _spawn(
        self, name: str, arguments: list[str], env: dict[str, str]
    ) -> ManagedProcess:
        process = ManagedProcess(
            name,
            [sys.executable, *arguments],
            env={**self.env, **env},
            cwd=ROOT,
            log_path=self.folder / f"{name}.log",
        )
        # The data go with the stack: nothing is worth a graceful end.
        self.cleanup.callback(process.kill9)
        process.start()
        return process

    def logs(self, *, characters: int = 6000) -> str:
        """Return the ends of what all processes wrote."""
        parts = [
            f"--- {process.name} (exit code {process.returncode}) ---\n"
            f"{process.log()[-characters:]}"
            for process in [*self.webs, *self.workers]
        ]
        return "\n".join(parts)

    def stop(self) -> None:
        """End every process and server of this stack and remove its data."""
        self.cleanup.close()

    # --- the database and commands --------------------------------------------------

    def sql(self, query: str, *arguments: object) -> list[tuple[Any, ...]]:
        """Run one statement beside the product and return its rows.

        Placeholders are `?`. UUIDs come back as 32 hexadecimal digits on both
        databases; booleans of SQLite come back as 0 and 1.
        """
        plain = [
            each.hex if isinstance(each, uuid.UUID) else each for each in arguments
        ]
        if self.shape == "grown":
            return _postgres_rows(self.env["DATABASE_URL"], query, plain)
        path = Path(self.env["DIALOGUE_DATA_DIR"]) / "dialogue.sqlite3"
        return _sqlite_rows(path, query, plain)

    def count(self, table: str, where: str = "1 = 1", *arguments: object) -> int:
        """Return the number of rows of a table, with an optional condition."""
        query = f"SELECT count(*) FROM {table} WHERE {where}"  # noqa: S608
        return int(self.sql(query, *arguments)[0][0])

    def manage(
        self,
        *arguments: str,
        timeout: float = 120.0,
        env: dict[str, str] | None = None,
    ) -> str:
        """Run a management command; return what it wrote to standard output."""
        return _manage({**self.env, **(env or {})}, *arguments, timeout=timeout)

    def shell(self, code: str, **options: Any) -> str:
        """Run Python code inside the product, in a process of its own."""
        return self.manage("shell", "--no-imports", "-c", code, **options).strip()

    def evaluate(self, code: str, **options: Any) -> Any:
        """As `shell`, for code that sets `result`; returns that, by way of JSON."""
        return _evaluate(code, lambda program: self.shell(program, **options))

    def spawn_shell(self, code: str) -> ManagedProcess:
        """Start Python code inside the product and do not wait for it."""
        name = f"shell-{secrets.token_hex(4)}"
        return self._spawn(name, ["manage.py", "shell", "--no-imports", "-c", code], {})

    # --- clients --------------------------------------------------------------------

    def client(
        self, person: Person | str, *, password: str = PASSWORD, language: str = "en"
    ) -> PageClient:
        """Return a new client that has signed in as this person."""
        email = person if isinstance(person, str) else person.email
        client = PageClient(self.base_url, language=language)
        self.cleanup.callback(client.close)
        client.sign_in(email, password)
        return client

    def visitor(self, *, language: str = "en") -> PageClient:
        """Return a client of nobody in particular."""
        client = PageClient(self.base_url, language=language)
        self.cleanup.callback(client.close)
        return client

    def api(self, token: Person | str) -> httpx2.Client:
        """Return a client of `/api/v1/` for a person of the seed, or a raw token."""
        secret = token if isinstance(token, str) else self.tokens[token.email]
        client = api_client(self.base_url, secret)
        self.cleanup.callback(client.close)
        return client

    def wait_for(
        self, condition: Callable[[], bool], *, timeout: float = 60.0, what: str = ""
    ) -> None:
        """Wait for a condition; on time-out the message names it."""
        wait_until(
            condition, timeout=timeout, interval=0.1, what=what or "the condition"
        )


class StackFactory:
    """Makes stacks; owns the PostgreSQL server and the templates they begin from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.active: list[Stack] = []
        self._postgres: PostgresServer | None = None
        self._templates: dict[Shape, Template] = {}

    @property
    def postgres(self) -> PostgresServer:
        """The server of all grown stacks, started at the first use."""
        if self._postgres is None:
            self._postgres = PostgresServer(max_connections=200).start()
        return self._postgres

    def make(self, shape: Shape, *, start: bool = True, **env: str) -> Stack:
        """Return a new stack with `env` on top of its settings; started by default."""
        template = self.template(shape)
        folder = self.folder / f"{shape}-{secrets.token_hex(4)}"
        data_dir = folder / "data"
        shutil.copytree(template.data_dir, data_dir)
        settings = {**_base_env(data_dir), "PORT": str(free_port())}
        stack = Stack(shape, folder, settings, template.tokens)
        if shape == "grown":
            self._add_servers(stack, template)
        stack.env.update(env)
        stack.cleanup.callback(self._forget, stack)
        self.active.append(stack)
        try:
            return stack.start() if start else stack
        except BaseException:
            stack.stop()
            raise

    def _add_servers(self, stack: Stack, template: Template) -> None:
        name = f"stack_{secrets.token_hex(6)}"
        stack.env["DATABASE_URL"] = self.postgres.create_database(
            name, template=template.database
        )
        stack.cleanup.callback(self.postgres.drop_database, name)
        stack.redis = RedisServer().start()
        stack.cleanup.callback(stack.redis.stop)
        stack.env["REDIS_URL"] = stack.redis.url

    def _forget(self, stack: Stack) -> None:
        self.active.remove(stack)
        shutil.rmtree(stack.folder, ignore_errors=True)

    def template(self, shape: Shape) -> Template:
        """Return the shape's template; it is made at the first use."""
        if shape not in self._templates:
            self._templates[shape] = self._make_template(shape)
        return self._templates[shape]

    def _make_template(self, shape: Shape) -> Template:
        data_dir = self.folder / f"{shape}-template"
        data_dir.mkdir(parents=True)
        env = _base_env(data_dir)
        database = None
        if shape == "grown":
            database = "template_dialogue"
            env["DATABASE_URL"] = self.postgres.create_database(database)
        _manage(env, "migrate", "--verbosity", "0")
        _manage(env, "collectstatic", "--noinput", "--verbosity", "0")

        def shell(program: str) -> str:
            return _manage(env, "shell", "--no-imports", "-c", program)

        return Template(data_dir, database, _evaluate(seed_program(), shell))

    def close(self) -> None:
        """Stop every stack that is left, then the server."""
        for stack in list(self.active):
            stack.stop()
        if self._postgres is not None:
            self._postgres.stop()


def _base_env(data_dir: Path) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return {
        **inherited,
        "DJANGO_SETTINGS_MODULE": "config.settings.base",
        "DJANGO_SECRET_KEY": secrets.token_urlsafe(50),
        "DJANGO_ALLOWED_HOSTS": "127.0.0.1,localhost",
        "DJANGO_SECURE": "false",
        "DIALOGUE_DATA_DIR": str(data_dir),
        "DIALOGUE_INPROCESSTOOLS_WRITEENABLED": "true",
        "DIALOGUE_MFA_REQUIRED": "false",
        "DIALOGUE_PLANNER_DELAY_MS": "2",
        "DJANGO_LOG_LEVEL": "INFO",
        "PYTHONUNBUFFERED": "1",
    }


def _manage(env: dict[str, str], *arguments: str, timeout: float = 120.0) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    if done.returncode != 0:
        command = " ".join(arguments)[:200]
        message = f"manage.py {command}: {done.returncode}\n{done.stdout}{done.stderr}"
        raise CommandFailedError(message)
    return done.stdout


def _evaluate(code: str, shell: Callable[[str], str]) -> Any:
    marker = "result-as-json:"
    ending = f"import json, sys\nsys.stdout.write({marker!r} + json.dumps(result))"
    written = shell(f"{code}\n{ending}")
    return json.loads(written.rpartition(marker)[2])


def _wait_for_worker(worker: ManagedProcess, *, after: int) -> None:
    """Wait until a worker says that it is ready, `after` so many characters of log."""
    worker.wait_ready(lambda: " ready." in worker.log()[after:], timeout=READY_SECONDS)


def _status(url: str) -> int:
    try:
        return httpx2.get(url, timeout=5, trust_env=False).status_code
    except httpx2.TransportError:
        return 0


def _sqlite_rows(path: Path, query: str, arguments: list[object]) -> list[Any]:
    connection = sqlite3.connect(path, timeout=20, isolation_level=None)
    with contextlib.closing(connection):
        connection.execute("PRAGMA foreign_keys = ON")
        return connection.execute(query, arguments).fetchall()


def _postgres_rows(url: str, query: str, arguments: list[object]) -> list[Any]:
    statement = query.replace("%", "%%").replace("?", "%s").encode()
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement, arguments)
        if cursor.description is None:
            return []
        return [tuple(_plain(value) for value in row) for row in cursor.fetchall()]


def _plain(value: object) -> object:
    return value.hex if isinstance(value, uuid.UUID) else value
