"""A running stack: real processes that can be met, killed and started again."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from tests.support.clients import SignInError
from tests.support.people import MEMBER, OPERATOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.stack import Shape, Stack


def test_is_ready_and_lets_its_people_in(stack: Stack) -> None:
    assert stack.visitor().get("/healthz").status_code == 200
    for person in (MEMBER, OPERATOR):
        home = stack.client(person).get("/")
        assert home.headers["location"] == f"/t/{person.tenant}/"


def test_lets_nobody_in_with_a_wrong_password(stack: Stack) -> None:
    with pytest.raises(SignInError):
        stack.client(MEMBER, password="not this one")


def test_answers_a_token_and_refuses_a_wrong_one(stack: Stack) -> None:
    path = f"t/{MEMBER.tenant}/conversations"
    assert stack.api(MEMBER).get(path).status_code == 200
    assert stack.api("dlg_" + "0" * 40).get(path).status_code == 401


def test_comes_back_after_a_kill(
    shape: Shape, make_stack: Callable[..., Stack]
) -> None:
    stack = make_stack(shape)
    first = stack.web.pid
    stack.web.kill9()
    assert not stack.web.running
    stack.restart(stack.web)
    assert stack.web.pid != first
    assert stack.visitor().get("/readyz").status_code == 200
    if stack.workers:
        stack.restart(stack.worker)
        assert stack.worker.running


def test_ends_when_asked_to(shape: Shape, make_stack: Callable[..., Stack]) -> None:
    stack = make_stack(shape)
    processes = [*stack.webs, *stack.workers]
    for process in processes:
        process.terminate(timeout=15)
    # By the signal, once they have closed what was open; not killed for lateness.
    codes = {process.name: process.returncode for process in processes}
    assert set(codes.values()) <= {0, -signal.SIGTERM}, codes
