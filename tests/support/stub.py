"""The stub provider as tests hold it: its process, its script, what it saw."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2

from tests.support.processes import (
    LOOPBACK,
    ManagedProcess,
    ProcessFailedError,
    free_port,
    wait_until,
)

if TYPE_CHECKING:
    from tests.support.stub_script import Step

ROOT = Path(__file__).resolve().parents[2]


class StubProvider:
    """A running stub provider; see `tests.support.stub_provider` for its steps."""

    def __init__(self, *, api_key: str | None = None) -> None:
        self.api_key = api_key
        self.port = free_port()
        self._folder = tempfile.TemporaryDirectory(prefix="dialogue-stub-")
        command = [sys.executable, "-m", "tests.support.stub_provider"]
        command += ["--port", str(self.port)]
        command += ["--api-key", api_key] if api_key else []
        self.process = ManagedProcess(
            "stub provider",
            command,
            env={"PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            log_path=Path(self._folder.name) / "stub.log",
        )
        self._client = httpx2.Client(base_url=self.origin, timeout=10, trust_env=False)

    @property
    def origin(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def url(self) -> str:
        """The base address that a preset is given."""
        return f"{self.origin}/v1"

    def start(self) -> StubProvider:
        """Start the process (again, after a kill); returns once it answers."""
        self.process.start()
        self.process.wait_ready(self._answers)
        return self

    def _answers(self) -> bool:
        try:
            return self._client.get("/health").status_code == 200
        except httpx2.TransportError:
            return False

    def script(self, *steps: Step, default: Step | None = None) -> None:
        """Replace the script by these steps, and the answer that follows them."""
        body: dict[str, Any] = {"steps": list(steps)}
        if default is not None:
            body["default"] = default
        # As ASCII: a script may hold what is no character, by its escape.
        answer = self._client.post("/script", content=json.dumps(body).encode())
        if answer.status_code != 200:
            raise ProcessFailedError(answer.text)

    def reset(self) -> None:
        """Forget script and records."""
        self._client.post("/reset").raise_for_status()

    def requests(self) -> list[dict[str, Any]]:
        """Return recorded requests, each `{"headers": …, "body": …}`, oldest first."""
        return list(self._client.get("/requests").json())

    def log(self) -> list[dict[str, Any]]:
        """Return one record per completion, oldest first."""
        return list(self._client.get("/log").json())

    def wait_for_requests(self, count: int, *, timeout: float = 30.0) -> None:
        """Return once at least `count` completions were asked for."""
        wait_until(
            lambda: len(self.log()) >= count,
            timeout=timeout,
            what=f"{count} requests to the stub provider",
        )

    def stop(self) -> None:
        """End the process and remove its log."""
        self.process.stop()
        self._client.close()
        self._folder.cleanup()


def text(content: str, **more: object) -> Step:
    """An answer in words, with any of the keys that a `text` step takes."""
    return {"type": "text", "text": content, **more}


def tool_call(name: str, arguments: str, **more: object) -> Step:
    """A call of one tool with raw argument text."""
    calls = [{"name": name, "arguments": arguments}]
    return {"type": "tool_calls", "calls": calls, **more}


def tool_calls(*calls: tuple[str, str], **more: object) -> Step:
    """Calls of several tools in one answer, each `(name, raw arguments)`."""
    listed = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return {"type": "tool_calls", "calls": listed, **more}


def error(status: int, **more: object) -> Step:
    """An error answer; `retry_after`, `message`, `code` as given."""
    return {"type": "error", "status": status, **more}


def cut(content: str, **more: object) -> Step:
    """Words, then a broken connection (`mode` "reset") or a quiet end ("quiet")."""
    return {"type": "cut", "text": content, **more}


def broken_json(content: str = "", **more: object) -> Step:
    """Words, then a line that is no JSON."""
    return {"type": "broken_json", "text": content, **more}


def stopped_for_length(name: str, arguments: str, **more: object) -> Step:
    """A tool call whose arguments end in the middle, finish reason `length`."""
    return {"type": "length", "name": name, "arguments": arguments, **more}


def endless(*, interval_ms: int = 20, **more: object) -> Step:
    """Words without end, until the client leaves."""
    return {"type": "endless", "interval_ms": interval_ms, **more}
