"""The connection test says which step fails, and with what."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.support import stub
from tests.support.processes import LOOPBACK, free_port
from tests.support.stub import StubProvider
from tooling.llm.check import check_connection
from tooling.llm.presets import PLANNER_PRESET
from tooling.models import ModelCall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tooling.llm.check import ConnectionReport
    from tooling.llm.presets import ResolvedPreset
    from tooling.models import Tenant

pytestmark = pytest.mark.django_db(transaction=True)


def outcome(report: ConnectionReport) -> list[tuple[str, bool]]:
    """Return names and results of the steps."""
    return [(step.name, step.ok) for step in report.steps]


@pytest.fixture
def keyed_stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProvider]:
    """A provider that wants the key `right-key`."""
    provider = StubProvider(api_key="right-key").start()
    yield provider
    provider.stop()


@pytest.mark.parametrize("kind", ["openai", "sidecar"])
def test_all_is_well(
    tenant: Tenant, make_preset: Callable[..., ResolvedPreset], kind: str
) -> None:
    preset = make_preset(kind=kind, model="stub")
    report = check_connection(preset=preset, tenant_id=tenant.pk)
    steps = ["address", "connect", "authenticate", "complete"]
    assert outcome(report) == [(name, True) for name in steps]
    assert report.ok
    row = ModelCall.objects.get()
    assert (row.call_site, row.outcome) == ("Tooling:ConnectionTest", "done")


def test_the_planner_answers_too(tenant: Tenant) -> None:
    report = check_connection(preset=PLANNER_PRESET, tenant_id=tenant.pk)
    assert outcome(report) == [("complete", True)]


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/v1", "nonsense", "http://[::1/v1"])
def test_an_address_that_is_none(
    tenant: Tenant, make_preset: Callable[..., ResolvedPreset], url: str
) -> None:
    preset = make_preset(base_url=url)
    report = check_connection(preset=preset, tenant_id=tenant.pk)
    assert outcome(report) == [("address", False)]
    assert not report.ok


def test_a_name_that_nobody_has(
    tenant: Tenant,
    make_preset: Callable[..., ResolvedPreset],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def unknown(*_args: object, **_more: object) -> None:
        raise OSError(-2, "Name or service not known")

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", unknown)
    preset = make_preset(base_url="http://no-such-host.invalid/v1")
    report = check_connection(preset=preset, tenant_id=tenant.pk)
    assert outcome(report) == [("address", False)]
    assert "no-such-host.invalid" in report.steps[0].detail


def test_a_port_that_is_shut(
    tenant: Tenant, make_preset: Callable[..., ResolvedPreset]
) -> None:
    preset = make_preset(base_url=f"http://{LOOPBACK}:{free_port()}/v1")
    report = check_connection(preset=preset, tenant_id=tenant.pk)
    assert outcome(report) == [("address", True), ("connect", False)]


@pytest.mark.parametrize(("key", "fine"), [("right-key", True), ("wrong-key", False)])
def test_the_key_is_tried(
    tenant: Tenant,
    make_preset: Callable[..., ResolvedPreset],
    keyed_stub: StubProvider,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    fine: bool,
) -> None:
    monkeypatch.setenv("TEST_LLM_KEY", key)
    preset = make_preset(base_url=keyed_stub.url, key_env="TEST_LLM_KEY")
    report = check_connection(preset=preset, tenant_id=tenant.pk)
    assert report.ok is fine
    if not fine:
        assert outcome(report)[-1] == ("authenticate", False)
        assert "HTTP 401" in report.steps[-1].detail
    assert key not in str(report)


def test_a_key_that_is_not_there(
    tenant: Tenant, make_preset: Callable[..., ResolvedPreset]
) -> None:
    preset = make_preset(key_env="TEST_NO_KEY")
    report = check_connection(preset=preset, tenant_id=tenant.pk)
    assert outcome(report)[-1] == ("authenticate", False)
    assert "TEST_NO_KEY" in report.steps[-1].detail


def test_a_model_that_does_not_answer(
    tenant: Tenant,
    make_preset: Callable[..., ResolvedPreset],
    stub_provider: StubProvider,
) -> None:
    stub_provider.script(
        stub.error(404, message="no such model", code="model_not_found")
    )
    report = check_connection(preset=make_preset(), tenant_id=tenant.pk)
    assert outcome(report)[-1] == ("complete", False)
    assert "HTTP 404 model_not_found: no such model" in report.steps[-1].detail
    assert ModelCall.objects.get().outcome == "failed"
