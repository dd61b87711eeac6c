"""Clients with tokens, and the clock where the scene plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
import time_machine
from rest_framework.test import APIClient

from tests.decisions.support import LATER
from tests.missions.support import user_of
from tests.support.api import Someone, make_token
from tooling.models import Tenant
from tooling.policy import Principal, Scope


@pytest.fixture(autouse=True)
def _soon_after() -> Iterator[None]:
    """The clock of the API stands where the scene plays."""
    with time_machine.travel(LATER):
        yield


@pytest.fixture
def token_of() -> Callable[..., APIClient]:
    """`token_of(principal, scopes)`: a client that bears a token of theirs."""

    def call(
        principal: Principal, scopes: Sequence[str] = tuple(Scope.values)
    ) -> APIClient:
        tenant = Tenant.objects.get(pk=principal.tenant_id)
        someone = Someone(user_of(principal), tenant, principal.role)
        client = APIClient()
        secret = make_token(someone, scopes=list(scopes))[1]
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
        return client

    return call
