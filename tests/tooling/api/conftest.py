from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.support.api import Someone, client_of, make_member


@pytest.fixture
def member(db: None) -> Someone:
    return make_member("acme", "member")


@pytest.fixture
def client(member: Someone) -> APIClient:
    return client_of(member)
