"""Processes that tests start, watch and end by their id, and ports for them."""

from __future__ import annotations

import os
import pwd
import secrets
import signal
import socket
import subprocess
import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

LOOPBACK = "127.0.0.1"
# Below the range that kernels take for outgoing connections: a port that is free
# now is not taken by somebody's client a moment later.
PORT_RANGE = (20_000, 31_999)
_handed_out: set[int] = set()


class ProcessFailedError(RuntimeError):
    """A process ended or stayed silent when it should have come up."""


class Stoppable(Protocol):
    """Whatever a test starts and must stop."""

    def stop(self) -> None: ...


def free_port() -> int:
    """Return a loopback port that nobody listens on and that was not given before."""
    low, high = PORT_RANGE
    for _ in range(200):
        port = low + secrets.randbelow(high - low)
        if port not in _handed_out and _can_bind(port):
            _handed_out.add(port)
            return port
    message = "no free loopback port found"
    raise ProcessFailedError(message)


def _can_bind(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def wait_until(
    condition: Callable[[], bool],
    *,
    timeout: float = 30.0,
    interval: float = 0.05,
    what: str = "the condition",
) -> None:
    """Return once `condition()` is true; raise TimeoutError after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            message = f"waited {timeout:g} s for {what}"
            raise TimeoutError(message)
        time.sleep(interval)


class ManagedProcess:
    """One child process whose output goes to a log file.

    Its own process group is its own too, so that `kill9` reaches pool children.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path,
        log_path: Path,
        user: str | None = None,
    ) -> None:
        self.name = name
        self.command = list(command)
        self.env = dict(env)
        self.cwd = cwd
        self.log_path = log_path
        self.user = user
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process; output is appended to `log_path`."""
        with self.log_path.open("ab") as log:
            self._process = subprocess.Popen(
                self.command,
                cwd=self.cwd,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=self.user,
                group=_group_of(self.user),
                extra_groups=[] if self.user else None,
            )

    @property
    def pid(self) -> int:
        if self._process is None:
            message = f"{self.name} was not started"
            raise ProcessFailedError(message)
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def returncode(self) -> int | None:
        return None if self._process is None else self._process.poll()

    def send(self, number: signal.Signals) -> None:
        """Send a signal to this process alone."""
        if self.running:
            os.kill(self.pid, number)

    def kill9(self) -> None:
        """End the process and its children at once, without any clean-up."""
        if self._process is None:
            return
        if self.running:
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait(timeout=10)

    def terminate(self, *, timeout: float = 15.0) -> None:
        """Ask the process to end; kill it if it is still there after `timeout`."""
        self._end(signal.SIGTERM, timeout)

    def interrupt(self, *, timeout: float = 15.0) -> None:
        """As `terminate`, with SIGINT (PostgreSQL's fast shutdown)."""
        self._end(signal.SIGINT, timeout)

    def _end(self, number: signal.Signals, timeout: float) -> None:
        if self._process is None:
            return
        self.send(signal.SIGCONT)
        self.send(number)
        try:
            self._process.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.kill9()

    stop = terminate

    def wait(self, *, timeout: float = 30.0) -> int:
        """Wait for the process to end by itself and return its exit code."""
        if self._process is None:
            message = f"{self.name} was not started"
            raise ProcessFailedError(message)
        return self._process.wait(timeout=timeout)

    def wait_ready(self, ready: Callable[[], bool], *, timeout: float = 60.0) -> None:
        """Wait until `ready()`; raise with the end of the log if that never comes."""

        def up_or_gone() -> bool:
            return not self.running or ready()

        try:
            wait_until(up_or_gone, timeout=timeout, what=self.name)
        except TimeoutError as error:
            raise ProcessFailedError(self._report("is not ready")) from error
        if not self.running:
            raise ProcessFailedError(self._report(f"ended with {self.returncode}"))

    def log(self) -> str:
        """Return all that the process has written so far."""
        if not self.log_path.exists():
            return ""
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def _report(self, what: str) -> str:
        return f"{self.name} {what}; the end of its log:\n{self.log()[-4000:]}"


def _group_of(user: str | None) -> int | None:
    if user is None:
        return None
    return pwd.getpwnam(user).pw_gid
