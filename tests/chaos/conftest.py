"""Products to break, and what must hold of them afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flows.api_client import IDEA, Caller
from tests.support.people import MEMBER
from tests.support.stack import Shape, Stack

Make = Callable[..., Stack]
# Found sooner than in production, so that a test need not wait for it as long.
QUICK = {"DIALOGUE_SWEEP_SECONDS": "3"}


@pytest.fixture
def victim(make_stack: Make, shape: Shape) -> Stack:
    """A product of this test's own."""
    return make_stack(shape, **QUICK)


@pytest.fixture
def faulty(make_stack: Make, shape: Shape, tmp_path: Path) -> Callable[[str], Stack]:
    """`faulty("on_commit:missions.Mission")`: a product that dies there, once."""

    def make(fault: str) -> Stack:
        return make_stack(
            shape,
            DJANGO_SETTINGS_MODULE="tests.chaos.settings",
            FAULT=fault,
            FAULT_ONCE=str(tmp_path / "struck"),
            **QUICK,
        )

    return make


def proposed(stack: Stack) -> str:
    """Return a conversation in which one proposal was just made."""
    member = Caller.of(stack, MEMBER)
    conversation = member.new_conversation()
    turn = member.ask(conversation, IDEA)
    assert turn["state"] == "done", turn
    return conversation
