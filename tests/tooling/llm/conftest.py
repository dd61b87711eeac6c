"""A tenant, a ledger that may be emptied, and backends that reach the stub."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from django.db import connections

from tooling.append_only import maintenance
from tooling.llm.backends import close_clients
from tooling.llm.call_sites import CallSite, register_call_site
from tooling.llm.manifest import forget_parts
from tooling.llm.presets import ResolvedPreset, forget_presets
from tooling.models import ModelCall, Tenant

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from tests.support.stub import StubProvider

SITE = register_call_site(CallSite("Tests:Site", output_limit=500))


@pytest.fixture(autouse=True)
def _fresh_caches() -> Iterator[None]:
    forget_presets()
    forget_parts()
    yield
    forget_presets()
    forget_parts()


@pytest.fixture
def tenant(transactional_db: None) -> Iterator[Tenant]:
    """A tenant; ledger rows, which refuse deletion, are taken away at the end."""
    yield Tenant.objects.create(slug="acme", name="Acme")
    with maintenance():
        ModelCall.objects.all().delete()


@pytest.fixture
def make_preset(stub_provider: StubProvider) -> Callable[..., ResolvedPreset]:
    """Makes presets of the stub; a `version` of its own keeps backends apart."""
    made: list[ResolvedPreset] = []

    def make(**more: object) -> ResolvedPreset:
        values = {
            "name": "stub",
            "kind": "openai",
            "model": "stub-model",
            "base_url": stub_provider.url,
            "retries": 0,
            "version": f"test-{id(made)}-{len(made)}",
        }
        made.append(ResolvedPreset(**{**values, **more}))  # type: ignore[arg-type]
        return made[-1]

    return make


@pytest_asyncio.fixture
async def _clients_closed() -> AsyncIterator[None]:
    yield
    await close_clients()
    # The thread of the asynchronous ORM calls lives on, and so would its connection.
    await sync_to_async(connections.close_all)()
