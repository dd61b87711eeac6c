"""The contract on the planner and on a scripted provider over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import stub
from tests.support.backend_contract import BackendContract, Target
from tests.support.processes import wait_until
from tooling.llm.backends import backend_for
from tooling.llm.planner import PlannerBackend

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.stub import StubProvider
    from tooling.llm.presets import ResolvedPreset

WORDS = "one two three four five six seven eight"


class TestPlanner(BackendContract):
    @pytest.fixture
    def target(self) -> Target:
        return Target(PlannerBackend(delay=0.01))


@pytest.mark.usefixtures("_clients_closed")
class TestScriptedProvider(BackendContract):
    @pytest.fixture(params=["openai", "sidecar"])
    def target(
        self,
        request: pytest.FixtureRequest,
        stub_provider: StubProvider,
        make_preset: Callable[..., ResolvedPreset],
    ) -> Target:
        steps = {
            "talk": stub.text(WORDS),
            "length": stub.text(WORDS, finish_reason="length"),
            "endless": stub.endless(),
        }

        def will(kind: str) -> None:
            stub_provider.script(default=steps[kind])

        def closed_within(deadline: float) -> None:
            def closed() -> bool:
                record = stub_provider.log()[0]
                return record["closed_at"] is not None

            wait_until(closed, timeout=5, what="the provider's connection to close")
            record = stub_provider.log()[0]
            assert record["client_closed"]
            assert record["closed_at"] < deadline

        preset = make_preset(kind=request.param)
        return Target(backend_for(preset), will=will, closed_within=closed_within)
