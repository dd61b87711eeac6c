"""The judge on messages that were written for it, before it was tuned on them."""

from __future__ import annotations

import pytest

from tests.tooling.intent.confusion import DOC, MESSAGES, generated_part, read_messages
from tooling.intent import IntentLabel, judge_intent

COMMAND = IntentLabel.EXECUTION_COMMAND
TEMPTING = MESSAGES.with_name("tempting.txt").read_text("utf-8").splitlines()


def test_there_are_enough_messages_of_both_languages() -> None:
    messages = read_messages(MESSAGES)
    assert len(messages) >= 300
    assert sum(one["lang"] == "fr" for one in messages) >= 150
    assert len({one["text"] for one in messages}) == len(messages)
    assert len({one["category"] for one in messages}) >= 25


def test_no_message_is_taken_for_a_command() -> None:
    wrong = []
    for one in read_messages(MESSAGES):
        verdict = judge_intent(one["text"], pending=one["pending"])
        if not verdict.tools <= set(one["tools"]):
            wrong.append(one["text"])
    assert wrong == []


def test_labels_and_tools_are_right_for_nearly_all() -> None:
    messages = read_messages(MESSAGES)
    right = 0
    for one in messages:
        verdict = judge_intent(one["text"], pending=one["pending"])
        same = verdict.label == one["label"]
        right += same
        if same and verdict.label is COMMAND:
            assert verdict.tools == set(one["tools"]), one["text"]
    assert right >= 0.95 * len(messages)


def test_the_tables_of_the_page_are_up_to_date() -> None:
    assert generated_part() in DOC.read_text(encoding="utf-8")


@pytest.mark.promise("A3", "D56")
@pytest.mark.parametrize("line", TEMPTING)
def test_what_comes_close_to_an_order_is_none(line: str) -> None:
    verdict = judge_intent(line.replace("\\n", "\n"), pending="mission_create")
    assert verdict.label is not COMMAND
