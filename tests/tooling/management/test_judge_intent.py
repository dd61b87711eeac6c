"""`manage.py judge_intent`: JSON lines in, JSON lines out."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

ROOT = Path(__file__).parents[3]


def judge(
    monkeypatch: pytest.MonkeyPatch, *lines: bytes
) -> tuple[list[dict[str, Any]], int]:
    """Feed lines to the command and return its answers and its exit code."""
    stdin = io.TextIOWrapper(io.BytesIO(b"\n".join(lines) + b"\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    out = io.StringIO()
    code = 0
    try:
        call_command("judge_intent", stdout=out)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return [json.loads(line) for line in out.getvalue().splitlines()], code


@pytest.mark.promise("A3")
def test_each_line_is_answered_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, code = judge(
        monkeypatch,
        '{"text": "Crée une tâche pour Anne."}'.encode(),
        b'{"text": "Yes.", "pending": "mission_update"}',
        b'{"text": "Yes.", "pending": null, "id": 7}',
    )
    assert answers == [
        {
            "label": "execution_command",
            "tools": ["mission_add_task", "task_create"],
            "span": [0, 24],
        },
        {"label": "execution_command", "tools": ["mission_update"], "span": [0, 4]},
        {"label": "other", "tools": [], "span": None},
    ]
    assert code == 0


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"{", "unsafe_json"),
        (b"\xff\xfe", "unsafe_json"),
        (b"[1]", "bad_line"),
        (b'{"pending": "task_create"}', "bad_line"),
        (b'{"text": 3}', "bad_line"),
        (b'{"text": "Yes.", "pending": ["task_create"]}', "bad_line"),
        (b'{"text": "a\\u0000b"}', "unsafe_text"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, line: bytes, error: str
) -> None:
    answers, code = judge(monkeypatch, line, b'{"text": "Hello"}')
    assert answers[0]["error"] in {error, "unsafe_json"}
    assert answers[0]["line"] == 1
    assert answers[1]["label"] == "other"
    assert code == 1


def test_it_needs_no_database() -> None:
    run = subprocess.run(
        [sys.executable, "manage.py", "judge_intent"],
        input=b'{"text": "Which missions are open?"}\n',
        capture_output=True,
        cwd=ROOT,
        env={
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
            "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
            "PATH": "",
        },
        check=False,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr.decode()
    assert json.loads(run.stdout)["label"] == "question"
