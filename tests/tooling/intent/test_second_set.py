"""A second hand's messages and near-orders, and the cases that came with the task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tooling.intent import IntentLabel, judge_intent

HERE = Path(__file__).parent
COMMAND = IntentLabel.EXECUTION_COMMAND


def read(name: str) -> list[dict[str, Any]]:
    """Return the rows of a file of JSON lines."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


CASES = read("cases.jsonl")
MESSAGES = read("messages_second.jsonl")
TEMPTING = (HERE / "tempting.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.promise("A3")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_each_given_case_has_its_label_and_tools(case: dict[str, Any]) -> None:
    verdict = judge_intent(case["text"], pending=case["pending"])
    assert verdict.label == case["label"]
    assert verdict.tools == frozenset(case["tools"])


@pytest.mark.promise("A3", "D56")
def test_no_message_authorises_more_than_it_says() -> None:
    wrong = []
    for one in MESSAGES:
        verdict = judge_intent(one["text"], pending=one["pending"])
        if not verdict.tools <= set(one["tools"]):
            wrong.append(one["text"])
    assert wrong == []


def test_labels_are_right_for_nearly_all() -> None:
    read_as = [
        judge_intent(one["text"], pending=one["pending"]).label == one["label"]
        for one in MESSAGES
    ]
    assert sum(read_as) >= 0.95 * len(MESSAGES)


@pytest.mark.promise("A3", "D56")
@pytest.mark.parametrize("line", TEMPTING)
def test_what_comes_close_to_an_order_is_none(line: str) -> None:
    verdict = judge_intent(line.replace("\\n", "\n"), pending="mission_create")
    assert verdict.label is not COMMAND
