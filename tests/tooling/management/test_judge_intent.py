"""The command that judges messages line by line."""

from __future__ import annotations

import io
import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tooling.management.commands.judge_intent import MAX_LINE


class Recorder(io.StringIO):
    """Counts how often it is flushed."""

    flushed = 0

    def flush(self) -> None:
        self.flushed += 1


def judge(
    monkeypatch: pytest.MonkeyPatch, lines: bytes
) -> tuple[list[dict[str, Any]], bool, int]:
    out = Recorder()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(lines)))
    failed = False
    try:
        call_command("judge_intent", stdout=out)
    except CommandError as error:
        failed = error.returncode == 1
    return (
        [json.loads(line) for line in out.getvalue().splitlines()],
        failed,
        out.flushed,
    )


def test_each_line_has_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [
        {"text": "Add a task 'Call' to the mission."},
        {"text": "Yes, do it.", "pending": "mission_create"},
        {"text": "hello"},
    ]
    lines = "\n".join(json.dumps(one) for one in asked).encode()
    answers, failed, flushed = judge(monkeypatch, lines)
    assert not failed
    assert answers == [
        {
            "label": "execution_command",
            "tools": ["mission_add_task", "task_create"],
            "span": [0, 33],
        },
        {"label": "execution_command", "tools": ["mission_create"], "span": [0, 11]},
        {"label": "other", "tools": [], "span": None},
    ]
    assert flushed >= len(asked)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", "not_json"),
        (b"", "not_json"),
        (b"\xff\xfe", "not_json"),
        (b"[" * 100_000, "not_json"),
        (b"[]", "not_a_message"),
        (b'{"text": "hi", "tools": []}', "not_a_message"),
        (b"{}", "text_missing"),
        (b'{"text": 3}', "text_missing"),
        (b'{"text": "hi", "pending": 3}', "pending_not_text"),
        (b"x" * (MAX_LINE + 1), "line_too_long"),
    ],
)
def test_a_bad_line_is_named_in_its_place(
    monkeypatch: pytest.MonkeyPatch, line: bytes, code: str
) -> None:
    lines = b'{"text": "hello"}\n' + line + b'\n{"text": "hello"}\n'
    answers, failed, _ = judge(monkeypatch, lines)
    assert failed
    assert [one.get("label") for one in answers] == ["other", None, "other"]
    assert answers[1] == {"error": code, "line": 2}


def test_odd_characters_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = b'{"text": "\\ud800 \\u0000 hello"}\n'
    answers, failed, _ = judge(monkeypatch, lines)
    assert not failed
    assert answers[0]["label"] == "other"
