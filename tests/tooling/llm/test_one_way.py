"""Nothing reaches a provider outside the LLM layer, or outside the ledger."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
APPS = ("config", "missions", "decisions", "dialogue", "tooling")
PROVIDERS = {"pydantic_ai", "openai", "anthropic", "genai_prices"}


def imports_of(path: Path) -> set[str]:
    """Return the names that a file imports, dotted."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def product_files() -> list[Path]:
    """Return the product's own modules."""
    return [path for app in APPS for path in (ROOT / app).rglob("*.py")]


@pytest.mark.promise("D30")
def test_provider_libraries_stay_inside_the_layer() -> None:
    layer = ROOT / "tooling" / "llm"
    outside = [
        str(path.relative_to(ROOT))
        for path in product_files()
        if not path.is_relative_to(layer)
        and {name.partition(".")[0] for name in imports_of(path)} & PROVIDERS
    ]
    assert outside == []


@pytest.mark.lesson("chat-R20")
def test_backends_are_asked_for_by_the_service_alone() -> None:
    users = {
        str(path.relative_to(ROOT))
        for path in product_files()
        if "tooling.llm.backends.backend_for" in imports_of(path)
    }
    assert users == {"tooling/llm/service.py"}


@pytest.mark.lesson("chat-R20")
def test_only_the_service_and_the_connection_test_make_attempts() -> None:
    users = {
        str(path.relative_to(ROOT))
        for path in product_files()
        if "tooling.llm.service.stream_once" in imports_of(path)
    }
    assert users == {"tooling/llm/check.py"}


def test_start_up_imports_no_provider_library() -> None:
    program = (
        "import os, sys, django\n"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings.test'\n"
        "django.setup()\n"
        "import tooling.llm.service, tooling.llm.check\n"
        f"print(sorted({PROVIDERS!r} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
