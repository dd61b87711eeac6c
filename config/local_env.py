"""A trial on one machine: what `make run` does, with the standard library alone.

`check-port` says at once when the port is taken; `write` makes a `.env` where there
is none; `start` prepares the database and becomes the server; `manage` becomes a
management command of the same trial. Nothing else reads `.env`: tests and deployments
have an environment of their own.
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENV_FILE = ROOT / ".env"
DEFAULT_PORT = "8000"
TEMPLATE = """\
# Written by `make run` for a trial on this machine. Read by `make run` alone.
# A deployment sets its own environment: see docs/operations.md.

# Signs sessions and links. Keep it to yourself; a new value signs everybody out.
DJANGO_SECRET_KEY={secret_key}
DJANGO_ALLOWED_HOSTS=127.0.0.1,localhost
# Served over plain HTTP, on this machine only.
DJANGO_SECURE=false
# The deployment switch of the write and propose tools. It is on here, so that the
# trial shows all that Dialogue does; where it is not set, it is off.
DIALOGUE_INPROCESSTOOLS_WRITEENABLED=true
# Database, static files and other data.
DIALOGUE_DATA_DIR=.local
"""
RESET_BY = "make password EMAIL={email}"
WRITTEN = """\
Wrote .env for a local trial on this machine. The write switch is ON in it
(DIALOGUE_INPROCESSTOOLS_WRITEENABLED=true): the model may propose work.
"""


def write_env(path: Path) -> bool:
    """Write a trial's settings, readable by their owner alone.

    Returns False and touches nothing where the file is there already.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(TEMPLATE.format(secret_key=secrets.token_urlsafe(50)))
    return True


def read_env(path: Path) -> dict[str, str]:
    """Return the `NAME=value` lines of a file; quotes around a value are dropped."""
    values: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, equals, value = line.strip().partition("=")
        if equals and not name.startswith("#"):
            values[name.removeprefix("export ").strip()] = _unquoted(value.strip())
    return values


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def port_problem(port: str) -> str | None:
    """Return in one line why the server cannot take this port; None if it can."""
    if not port.isdecimal() or not 0 < int(port) < 65536:
        return f"PORT is {port!r}; it must be a number from 1 to 65535."
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(port)))
        except OSError:
            return f"Port {port} is in use: try PORT={int(port) + 1} make run"
    return None


def start(port: str) -> None:
    """Bring database and static files up to date, then become the server."""
    _load_settings()
    # Run by its path, so that it needs no library: its own folder must give way.
    sys.path[0] = str(ROOT)
    _prepare()
    _become(["serve", "--host", "127.0.0.1", "--port", port])


def manage(arguments: list[str]) -> None:
    """Become a management command with the trial's settings."""
    _load_settings()
    _become(arguments)


def _load_settings() -> None:
    for name, value in read_env(ENV_FILE).items():
        os.environ.setdefault(name, value)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")
    os.chdir(ROOT)


def _become(arguments: list[str]) -> None:
    command = [sys.executable, "manage.py", *arguments]
    os.execv(sys.executable, command)  # noqa: S606


def _prepare() -> None:
    import django
    from django.conf import settings
    from django.core.management import call_command

    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    call_command("first_run", reset_by=RESET_BY)
    # What is still buffered would be lost when the server takes this process over.
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Do one of `check-port`, `write`, `start`, `manage …`; return an exit code."""
    port = os.environ.get("PORT", DEFAULT_PORT)
    if arguments == ["write"]:
        if write_env(ENV_FILE):
            sys.stdout.write(WRITTEN)
        return 0
    if arguments[:1] == ["manage"]:
        if not ENV_FILE.exists():
            sys.stderr.write("There is no trial here yet: make run\n")
            return 1
        manage(arguments[1:])
        return 0
    if arguments not in (["check-port"], ["start"]):
        usage = "usage: local_env.py check-port | write | start | manage COMMAND\n"
        sys.stderr.write(usage)
        return 2
    problem = port_problem(port)
    if problem is not None:
        sys.stderr.write(problem + "\n")
        return 1
    if arguments == ["start"]:
        start(port)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
