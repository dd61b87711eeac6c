"""The servers that other tests lean on: they start, fail as asked, and go away."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest
import redis

from tests.support import servers, with_servers
from tests.support.servers import PostgresServer, RedisServer

if TYPE_CHECKING:
    from pathlib import Path


def test_postgres_copies_a_template_and_leaves_nothing() -> None:
    server = PostgresServer().start()
    try:
        with psycopg.connect(server.url) as connection:
            connection.execute("CREATE TABLE mark (value text)")
            connection.execute("INSERT INTO mark VALUES ('here')")
        copy = server.create_database("copy", template="dialogue")
        with psycopg.connect(copy) as connection:
            row = connection.execute("SELECT value FROM mark").fetchone()
        assert row == ("here",)
        server.drop_database("copy")
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(copy)
        pid = server.pid
    finally:
        server.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_postgres_runs_from_the_wheel_where_none_is_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(servers, "DEBIAN_POSTGRES", tmp_path)
    server = PostgresServer().start()
    try:
        with psycopg.connect(server.url) as connection:
            version = connection.execute("SHOW server_version").fetchone()
        assert version == ("18.6",)
    finally:
        server.stop()


def test_redis_restarts_empty_on_the_same_port(redis_server: RedisServer) -> None:
    port = redis_server.port
    redis_server.client().set("key", "value")
    redis_server.restart()
    assert redis_server.port == port
    assert redis_server.client().get("key") is None


def test_frozen_redis_accepts_and_does_not_answer(redis_server: RedisServer) -> None:
    redis_server.freeze()
    with pytest.raises(redis.TimeoutError):
        redis_server.client(socket_timeout=0.3).ping()
    redis_server.thaw()
    assert redis_server.client().ping()


def test_full_redis_refuses_writes_until_it_is_emptied(
    redis_server: RedisServer,
) -> None:
    redis_server.fill()
    with pytest.raises(redis.exceptions.OutOfMemoryError):
        redis_server.client().set("key", "value")
    redis_server.unfill()
    assert redis_server.client().set("key", "value")


def test_killed_redis_refuses_connections(redis_server: RedisServer) -> None:
    redis_server.kill()
    with pytest.raises(redis.ConnectionError):
        redis_server.client().ping()


def test_launcher_hands_addresses_on_and_returns_the_exit_code() -> None:
    program = (
        "import os, sys; "
        "ok = os.environ['DATABASE_URL'].startswith('postgres://') "
        "and os.environ['REDIS_URL'].startswith('redis://'); "
        "sys.exit(7 if ok else 1)"
    )
    assert with_servers.main(["--", sys.executable, "-c", program]) == 7


def test_launcher_without_a_command_says_how_to_use_it() -> None:
    assert with_servers.main([]) == 2
