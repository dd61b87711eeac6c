"""Hundreds of messages with the reading that a person gave them."""

from __future__ import annotations

import pytest

from tests.tooling.intent import confusion
from tests.tooling.intent.confusion import Message
from tooling.intent import IntentLabel

MESSAGES = confusion.read_messages()
COMMAND = IntentLabel.EXECUTION_COMMAND


def test_the_messages_are_many_and_half_of_them_french() -> None:
    french = sum(message.lang == "fr" for message in MESSAGES)
    assert len(MESSAGES) >= 300
    assert 0.45 <= french / len(MESSAGES) <= 0.55
    assert len({message.text for message in MESSAGES}) > 0.98 * len(MESSAGES)


@pytest.mark.promise("A3", "D56")
@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.id)
def test_nothing_but_a_command_is_one(message: Message) -> None:
    intent = message.judged()
    if message.label is not COMMAND:
        assert intent.label is not COMMAND
        assert intent.tools == frozenset()
    elif intent.label is COMMAND:
        assert intent.tools == message.tools


@pytest.mark.promise("A3", "D53")
def test_labels_are_right_for_all_but_one_in_twenty() -> None:
    wrong = [m.id for m in MESSAGES if m.judged().label is not m.label]
    assert len(wrong) <= len(MESSAGES) * 0.05, wrong


def test_the_page_is_up_to_date() -> None:
    assert confusion.page_table() == confusion.render()
