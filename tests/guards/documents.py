"""What documents say of the code, in a form that can be compared with it."""

from __future__ import annotations

import ast
import functools
import importlib
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps

from tests.guards.sources import APPS, ROOT, project_files, read, tree
from tooling.append_only import registered, trigger_names

MARKS = ("promise", "lesson", "case")
CODE = re.compile(r"`([^`\n]+)`")
DOTTED = re.compile(rf"^(?:{'|'.join(APPS)})(?:\.\w+)+(?<!\.sqlite3)$")
Mark = tuple[str, str]


def cells(document: str) -> Iterator[list[str]]:
    """Yield the cells of each row of each table of a document, headings left out."""
    lines = read(Path("docs") / document).splitlines()
    for before, line in zip(["", *lines], lines, strict=False):
        following = not before.startswith("|")
        if not line.startswith("|") or following or set(line) <= set("|- "):
            continue
        yield [cell.strip() for cell in line.strip("|").split(" | ")]


@functools.cache
def marked_tests() -> dict[Mark, frozenset[str]]:
    """Return the tests that carry each mark, as `path below tests::name`."""
    found: dict[Mark, set[str]] = defaultdict(set)
    for path in project_files():
        if path.parts[0] == "tests" and path.suffix == ".py":
            for name, mark in _marks_of(path):
                found[mark].add(f"{path.relative_to('tests').as_posix()}::{name}")
    return {mark: frozenset(names) for mark, names in found.items()}


def _marks_of(path: Path) -> Iterator[tuple[str, Mark]]:
    of_all = [
        mark
        for node in tree(path).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
        for mark in _marks_in(node.value)
    ]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own = [mark for each in node.decorator_list for mark in _marks_in(each)]
            shared = of_all if node.name.startswith("test") else []
            for mark in [*own, *shared]:
                yield node.name, mark


def _marks_in(expression: ast.expr) -> Iterator[Mark]:
    for node in ast.walk(expression):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in MARKS
        ):
            for argument in node.args:
                yield node.func.attr, str(ast.literal_eval(argument))


def dotted_names(text: str) -> set[str]:
    """Return what a text quotes as a name of ours, calls without their brackets."""
    quoted = (name.partition("(")[0] for name in CODE.findall(text))
    return {name for name in quoted if DOTTED.match(name)}


def resolves(name: str) -> bool:
    """Tell whether a dotted name is a module of ours or something in one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[length:]:
            if not hasattr(found, attribute):
                return False
            found = getattr(found, attribute)
        return True
    return False


@functools.cache
def names_in_the_database() -> frozenset[str]:
    """Return the names of our constraints and guards."""
    named = {
        constraint.name
        for model in apps.get_models()
        if model._meta.app_label in APPS  # noqa: SLF001 -- Django's own way
        for constraint in model._meta.constraints  # noqa: SLF001
    }
    return frozenset(named | {t for g in registered() for t in trigger_names(g)})


def environment_variables() -> dict[str, str]:
    """Return the variables that settings read, with a plain default, else ""."""
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(read(Path("config/settings/base.py")))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and ast.unparse(node.func.value) == "env"
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            found[str(node.args[0].value)] = _default_of(node)
    return found


def _default_of(call: ast.Call) -> str:
    for keyword in call.keywords:
        if keyword.arg == "default" and isinstance(keyword.value, ast.Constant):
            value = keyword.value.value
            return str(value).lower() if isinstance(value, bool) else str(value)
    return ""


def root_file(name: str) -> str:
    """Return a file of the project that must be there."""
    return (ROOT / name).read_text(encoding="utf-8")
