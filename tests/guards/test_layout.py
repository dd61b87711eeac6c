"""What lies in the project, and what its files may not say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.guards.sources import project_files, python_files, read

pytestmark = pytest.mark.shape("embedded", reason="reads files only")

TOP_LEVEL = {
    ".ci",
    ".env.example",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "config",
    "decisions",
    "deploy",
    "dialogue",
    "docs",
    "locale",
    "manage.py",
    "missions",
    "pyproject.toml",
    "requirements-dev.lock",
    "requirements.lock",
    "tests",
    "tooling",
}
LOCAL_PATH = re.compile(r"(?<![\w/.<}])/(?:work|root|home|Users)/\w")
REGISTRY = re.compile(
    r"\b(?:pypi|pythonhosted|npmjs|(?:deb|security)\.debian)\.(?:org|com)\b"
)
UNFINISHED = re.compile(r"#.*\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
BARE_NOQA = re.compile(r"#\s*no" r"qa(?!:)")


def test_only_known_names_at_the_top() -> None:
    assert {path.parts[0] for path in project_files()} <= TOP_LEVEL


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(LOCAL_PATH, id="paths of one machine"),
        pytest.param(REGISTRY, id="registry hosts"),
    ],
)
def test_no_file_names_a_place(pattern: re.Pattern[str]) -> None:
    found = [path for path in project_files() if pattern.search(read(path))]
    assert found == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_locks_name_hashes_and_no_address(name: str) -> None:
    text = read(Path(name))
    assert "://" not in text
    pins = re.findall(r"^([a-z0-9-]+)==\S+.*\\\n    --hash=sha256:", text, re.MULTILINE)
    assert len(pins) == len(re.findall(r"^[a-z0-9-]+==", text, re.MULTILINE))
    assert len(pins) > 50


def test_development_lock_holds_the_runtime_lock() -> None:
    pin = re.compile(r"^([a-z0-9-]+==\S+)", re.MULTILINE)
    runtime = set(pin.findall(read(Path("requirements.lock"))))
    development = set(pin.findall(read(Path("requirements-dev.lock"))))
    assert runtime <= development


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(UNFINISHED, id="marks of unfinished work"),
        pytest.param(BARE_NOQA, id="silenced checks without a name"),
    ],
)
def test_no_python_file_says(pattern: re.Pattern[str]) -> None:
    found = [path for path in python_files() if pattern.search(read(path))]
    assert found == []
