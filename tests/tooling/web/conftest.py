from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.support.api import Someone, make_member

PASSWORD = "plum orchard gate 7"


@pytest.fixture
def admin(db: None) -> Someone:
    return make_member("acme", "admin")


@pytest.fixture
def member(db: None) -> Someone:
    return make_member("acme", "member")


@pytest.fixture
def staff(admin: Someone) -> Someone:
    admin.user.is_staff = True
    admin.user.set_password(PASSWORD)
    admin.user.save()
    return admin


@pytest.fixture
def signed_in() -> Callable[[Someone], Client]:
    """Return a client with this person's session."""

    def make(someone: Someone) -> Client:
        client = Client()
        client.force_login(someone.user)
        return client

    return make
