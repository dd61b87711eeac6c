"""Whole answers, sums, and what a call may not hold up."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from tests.support import stub
from tooling.llm import service
from tooling.llm.backends import backend_for, ready_backend
from tooling.llm.presets import forget_presets, resolve_preset
from tooling.llm.service import CallInfo, complete
from tooling.llm.types import BackendError
from tooling.models import ModelCall, Preset

if TYPE_CHECKING:
    from tests.support.stub import StubProvider
    from tooling.llm.presets import ResolvedPreset
    from tooling.llm.types import Backend

from tests.tooling.llm.service.calling import REQUEST, SITE, collect, rows

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("_clients_closed"),
]


async def test_a_preset_is_looked_up_once_for_many_calls(
    call: CallInfo, stub_provider: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    await collect(call)

    def refuse(**_keywords: str) -> None:
        message = "the preset was looked up again"
        raise AssertionError(message)

    monkeypatch.setattr(service, "resolve_preset", refuse)
    await collect(call)
    forget_presets()
    with pytest.raises(AssertionError):
        await collect(call)
    assert len(await rows()) == 2


@pytest.mark.lesson("chat-R20")
async def test_the_total_is_the_sum_of_all_rows(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 2}
    stub_provider.script(
        stub.tool_call("weather_get", "{}", usage=usage),
        stub.text("done", usage=usage),
        stub.cut("lost words"),
    )
    await collect(call)
    await collect(call)
    with pytest.raises(BackendError):
        await collect(call)
    costs = [row.cost_nano_usd or 0 for row in await rows()]
    assert costs[:2] == [10 * 100 + 2 * 1000] * 2
    assert costs[2] > 0


def test_a_whole_answer_for_callers_without_a_loop(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.text("a short title"))
    answer = complete(call=call, request=REQUEST)
    assert answer.text == "a short title"
    assert answer.usage.reported
    assert ModelCall.objects.get().outcome == "done"


@pytest.mark.lesson("chat-R18")
def test_whole_and_streamed_answers_cost_the_same(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    usage = {"prompt_tokens": 50, "cached_tokens": 20, "completion_tokens": 7}
    stub_provider.script(default=stub.text("one two three", usage=usage))
    complete(call=call, request=REQUEST)
    asyncio.run(collect(call))
    costs = ModelCall.objects.values_list("cost_nano_usd", flat=True)
    assert list(costs) == [30 * 100 + 20 * 10 + 7 * 1000] * 2


def test_a_model_is_never_called_inside_a_transaction(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    with (
        transaction.atomic(),
        pytest.raises(RuntimeError, match="inside a transaction"),
    ):
        complete(call=call, request=REQUEST)
    assert stub_provider.requests() == []


async def test_a_slow_import_does_not_hold_up_the_loop(
    call: CallInfo,
    preset: Preset,
    stub_provider: StubProvider,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A model of its own: the backend of an equal preset may be made already.
    await Preset.objects.filter(pk=preset.pk).aupdate(model="never-used-before")
    ticks = 0

    def slow(preset: ResolvedPreset) -> Backend:
        time.sleep(0.3)
        return backend_for(preset)

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    monkeypatch.setattr(service, "backend_for", slow)
    ticking = asyncio.create_task(tick())
    await collect(call)
    ticking.cancel()
    assert ticks >= 10


def test_a_worker_can_warm_up(preset: Preset) -> None:
    service.warm_up(call_site=SITE.name)
    assert ready_backend(resolve_preset(call_site=SITE.name)) is not None
