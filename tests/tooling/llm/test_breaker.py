"""A server that is down is left alone for a while, and checked before use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import stub
from tests.support.backend_contract import Target
from tests.support.processes import free_port
from tooling.llm.backends import backend_for
from tooling.llm.backends.sidecar import SidecarBackend
from tooling.llm.breaker import CircuitBreaker
from tooling.llm.types import BackendError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.stub import StubProvider
    from tooling.llm.presets import ResolvedPreset


def test_it_opens_after_failures_in_a_row_and_closes_on_success() -> None:
    breaker = CircuitBreaker(threshold=3, pause=5)
    breaker.fail(10)
    breaker.fail(10)
    breaker.succeed()
    breaker.fail(11)
    breaker.fail(11)
    assert breaker.wait(11) == 0
    breaker.fail(11)
    assert breaker.wait(12) == 4
    assert breaker.wait(16) == 0
    breaker.fail(16)
    assert breaker.wait(17) == 4
    breaker.succeed()
    assert breaker.wait(17) == 0


@pytest.mark.usefixtures("_clients_closed")
async def test_a_dead_sidecar_is_left_alone(
    make_preset: Callable[..., ResolvedPreset],
) -> None:
    url = f"http://127.0.0.1:{free_port()}/v1"
    target = Target(backend_for(make_preset(kind="sidecar", base_url=url)))
    details = []
    for _ in range(4):
        with pytest.raises(BackendError) as caught:
            await target.collect(target.ask())
        assert caught.value.code == "unreachable"
        details.append(caught.value.detail)
    assert "left alone" in details[3]
    assert "left alone" not in details[2]


@pytest.mark.usefixtures("_clients_closed")
async def test_a_refused_request_does_not_open_it(
    make_preset: Callable[..., ResolvedPreset], stub_provider: StubProvider
) -> None:
    stub_provider.script(default=stub.error(400))
    backend = backend_for(make_preset(kind="sidecar"))
    target = Target(backend)
    for _ in range(4):
        with pytest.raises(BackendError):
            await target.collect(target.ask())
    assert isinstance(backend, SidecarBackend)
    assert backend.breaker.wait(0) == 0
