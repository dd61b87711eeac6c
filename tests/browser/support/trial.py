"""A trial as a newcomer starts it: clone into an empty folder, then `make run`."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.support.processes import LOOPBACK, ManagedProcess, free_port
from tests.support.stack import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

READY = "Dialogue is ready at "
# The first start makes the virtual environment.
START_SECONDS = 900.0
_HANDED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SHELL")
_SETTINGS_OF_TOOLS = ("PIP_", "UV_", "SSL_", "HTTP", "http", "NO_PROXY", "no_proxy")


@dataclass(frozen=True, slots=True)
class Trial:
    """A running trial, and who may sign in."""

    base_url: str
    email: str
    password: str


def clone_into(folder: Path) -> Path:
    """Clone this repository, as it is committed, into a folder that is not there."""
    command = ["git", "clone", "--quiet", str(ROOT), str(folder)]
    subprocess.run(command, check=True)
    return folder


@contextmanager
def run_trial(
    folder: Path, *, known: Trial | None = None, **env: str
) -> Iterator[Trial]:
    """`make run` in a clone; ended with the block.

    Who may sign in is read from the output of the first start; `known` is what that
    gave, for a later start, which prints no password.
    """
    port = free_port()
    process = ManagedProcess(
        "make run",
        ["make", "run"],
        env={**_plain_environment(), "PORT": str(port), **env},
        cwd=folder,
        log_path=folder.parent / f"make-run-{port}.log",
    )
    process.start()
    try:
        process.wait_ready(lambda: READY in process.log(), timeout=START_SECONDS)
        base_url = f"http://{LOOPBACK}:{port}"
        if known is None:
            yield Trial(base_url, *_who_may_sign_in(process.log()))
        else:
            yield Trial(base_url, known.email, known.password)
    finally:
        process.terminate()


def _plain_environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name in _HANDED_ON or name.startswith(_SETTINGS_OF_TOOLS)
    }


def _who_may_sign_in(output: str) -> tuple[str, str]:
    found = re.search(r"e-mail +(\S+)\s+password +(\S+)", output)
    assert found, output
    return found[1], found[2]
