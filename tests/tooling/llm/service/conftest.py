"""A priced preset on the stub, and a call of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tooling.ids import new_id
from tooling.llm import service
from tooling.llm.service import CallInfo
from tooling.models import Preset

if TYPE_CHECKING:
    from tests.support.stub import StubProvider
    from tooling.models import Tenant

from tests.tooling.llm.service.calling import PRICED, SITE


@pytest.fixture
def preset(tenant: Tenant, stub_provider: StubProvider) -> Preset:
    """The default preset: the stub, with prices, two retries that do not dawdle."""
    return Preset.objects.create(
        name="main",
        backend="openai",
        model="stub-model",
        base_url=stub_provider.url,
        is_default=True,
        retries=2,
        max_output_tokens=300,
        **PRICED,
    )


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "BACKOFF_SECONDS", 0.02)


@pytest.fixture
def call(tenant: Tenant, preset: Preset) -> CallInfo:
    return CallInfo(
        tenant_id=tenant.pk,
        call_site=SITE.name,
        conversation_id=new_id(),
        turn_id=new_id(),
        attempt=2,
        step=3,
        manifest={"system": "abc", "messages": [1, 4]},
    )
