"""The local trial: its settings file, and the port said at once."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from config import local_env

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shape("embedded", reason="touches no database")


def test_writes_private_settings_with_the_write_switch_on(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    assert local_env.write_env(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    values = local_env.read_env(path)
    assert values["DIALOGUE_INPROCESSTOOLS_WRITEENABLED"] == "true"
    assert values["DJANGO_ALLOWED_HOSTS"] == "127.0.0.1,localhost"
    assert len(values["DJANGO_SECRET_KEY"]) > 50


def test_leaves_settings_that_are_there_alone(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("DJANGO_SECRET_KEY=mine\n", encoding="utf-8")
    assert not local_env.write_env(path)
    assert path.read_text(encoding="utf-8") == "DJANGO_SECRET_KEY=mine\n"


def test_two_trials_have_two_keys(tmp_path: Path) -> None:
    paths = [tmp_path / "one", tmp_path / "two"]
    for path in paths:
        local_env.write_env(path)
    keys = {local_env.read_env(path)["DJANGO_SECRET_KEY"] for path in paths}
    assert len(keys) == 2


def test_reads_comments_exports_and_quotes(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("# A=1\nexport B='two words'\nC=a=b\n\n", encoding="utf-8")
    assert local_env.read_env(path) == {"B": "two words", "C": "a=b"}


def test_says_that_a_port_is_taken_in_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, local_env.__file__, "check-port"],
            env={"PORT": port},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert port in done.stderr


@pytest.mark.parametrize("port", ["0", "65536", "x", ""])
def test_refuses_what_is_no_port(port: str) -> None:
    assert "1 to 65535" in (local_env.port_problem(port) or "")


def test_a_command_runs_with_the_settings_of_the_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_env, "ENV_FILE", tmp_path / ".env")
    monkeypatch.setattr(os, "environ", {})
    monkeypatch.setattr(os, "chdir", lambda _path: None)
    became: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _path, argv: became.append(argv))
    command = ["manage", "set_password", "somebody@example.org"]
    assert local_env.main(command) == 1
    assert became == []
    local_env.write_env(tmp_path / ".env")
    assert local_env.main(command) == 0
    assert became == [[sys.executable, "manage.py", *command[1:]]]
    assert len(os.environ["DJANGO_SECRET_KEY"]) > 50
