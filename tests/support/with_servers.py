"""Run a command with PostgreSQL and Redis of its own.

`python -m tests.support.with_servers -- COMMAND …` starts both servers on free
loopback ports, sets `DATABASE_URL` and `REDIS_URL`, runs the command, stops the
servers and ends with the command's exit code.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys

from tests.support.servers import PostgresServer, RedisServer

USAGE = "usage: python -m tests.support.with_servers -- COMMAND …\n"


def main(arguments: list[str]) -> int:
    """Run the command that follows `--`; return its exit code."""
    if arguments[:1] != ["--"] or len(arguments) == 1:
        sys.stderr.write(USAGE)
        return 2
    # A terminated launcher must still stop its servers.
    signal.signal(signal.SIGTERM, _exit_on_signal)
    with contextlib.ExitStack() as cleanup:
        postgres, redis = PostgresServer(), RedisServer()
        cleanup.callback(postgres.stop)
        cleanup.callback(redis.stop)
        postgres.start()
        redis.start()
        urls = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        return subprocess.run(
            arguments[1:], env={**os.environ, **urls}, check=False
        ).returncode


def _exit_on_signal(number: int, _frame: object) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
