"""Browsers of the scene's people."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import time_machine
from django.test import Client

from tests.decisions.support import LATER
from tests.missions.support import user_of
from tooling.policy import Principal


@pytest.fixture(autouse=True)
def _soon_after() -> Iterator[None]:
    """The clock of pages stands where the scene plays."""
    with time_machine.travel(LATER):
        yield


@pytest.fixture
def signed_in() -> Callable[[Principal], Client]:
    """`signed_in(principal)`: the browser of a person who signed in."""

    def call(principal: Principal) -> Client:
        client = Client()
        client.force_login(user_of(principal))
        return client

    return call
