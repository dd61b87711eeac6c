"""Which of the project's modules a module reaches, by its imports alone."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable
from pathlib import Path

from tests.guards.sources import APPS, python_files, tree


@functools.cache
def modules() -> dict[str, Path]:
    """Return the project's modules by dotted name, migrations left out."""
    return {module_name(path): path for path in python_files(*APPS)}


def module_name(path: Path) -> str:
    """Return the dotted name of a file."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def imports_of(module: str) -> frozenset[str]:
    """Return the project's modules that a module imports, anywhere in it.

    What serves types alone (`if TYPE_CHECKING`) is left out: it never runs.
    """
    found: set[str] = set()
    for node in _running(tree(modules()[module])):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found & modules().keys())


def _running(node: ast.AST) -> Iterable[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        yield child
        yield from _running(child)


def reached(start: str, *, but: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return what `start` reaches, each module with the one that imports it.

    Modules in `but` are not entered.
    """
    found = {start: ""}
    ahead = [start]
    while ahead:
        module = ahead.pop()
        for target in imports_of(module) - but:
            if target not in found:
                found[target] = module
                ahead.append(target)
    return found


def way_to(target: str, found: dict[str, str]) -> str:
    """Return the chain of imports that leads to a module that was reached."""
    chain = [target]
    while found[chain[-1]]:
        chain.append(found[chain[-1]])
    return " <- ".join(chain)
