"""The project's own files, as the guards read them."""

from __future__ import annotations

import ast
import functools
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "tooling", "dialogue", "decisions", "missions")


@functools.cache
def project_files() -> tuple[Path, ...]:
    """Return every file of the project that is not ignored, relative to its root."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = (Path(name) for name in listed.stdout.split("\0") if name)
    return tuple(sorted(path for path in paths if (ROOT / path).is_file()))


def python_files(*folders: str, migrations: bool = False) -> tuple[Path, ...]:
    """Return the Python files under these top-level folders; of all if none is named.

    Migrations are written by a command and left out unless asked for.
    """
    return tuple(
        path
        for path in project_files()
        if path.suffix == ".py"
        and (not folders or path.parts[0] in folders)
        and (migrations or "migrations" not in path.parts)
    )


def read(path: Path) -> str:
    """Return a file's text; "" for one that is no text."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@functools.cache
def tree(path: Path) -> ast.Module:
    """Return a Python file, parsed."""
    return ast.parse(read(path), filename=str(path))


def imported_packages(path: Path) -> set[str]:
    """Return the top-level names of what a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def attributes(path: Path) -> set[str]:
    """Return the names that a file takes from any object by a dot."""
    nodes = ast.walk(tree(path))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)}
