"""A stack's database is its own copy; what is made in one is not in another."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from tests.support.people import OPERATOR, PEOPLE
from tests.support.stack import CommandFailedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.stack import Shape, Stack


def test_begins_with_people_and_is_its_own(
    shape: Shape, make_stack: Callable[..., Stack]
) -> None:
    first = make_stack(shape, start=False)
    second = make_stack(shape, start=False)
    assert first.count("tooling_user") == len(PEOPLE)
    first.sql("DELETE FROM tooling_personaltoken")
    assert first.count("tooling_personaltoken") == 0
    assert second.count("tooling_personaltoken") == len(PEOPLE)


def test_code_runs_inside_with_the_stack_s_settings(
    shape: Shape, make_stack: Callable[..., Stack]
) -> None:
    stack = make_stack(shape, start=False, DIALOGUE_PROPOSALS_PER_TURN="7")
    found = stack.evaluate(
        "from django.conf import settings\n"
        "from tooling.models import User\n"
        f"user = User.objects.get(email={OPERATOR.email!r})\n"
        "result = [settings.PROPOSALS_PER_TURN, settings.GROWN, user.id.hex]"
    )
    row = stack.sql("SELECT id FROM tooling_user WHERE email = ?", OPERATOR.email)
    assert found == [7, shape == "grown", row[0][0]]
    assert stack.count("tooling_user", "id = ?", uuid.UUID(found[2])) == 1


def test_a_failed_command_says_what_it_wrote(
    shape: Shape, make_stack: Callable[..., Stack]
) -> None:
    stack = make_stack(shape, start=False)
    with pytest.raises(CommandFailedError, match="no such thing"):
        stack.shell("raise RuntimeError('no such thing')")
