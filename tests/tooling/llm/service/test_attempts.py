"""Retries, fallback, and one ledger row for each attempt, however it ends."""

from __future__ import annotations

import asyncio
import datetime as dt
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import stub
from tests.support.backend_contract import finish_of, text_of
from tooling.llm import service
from tooling.llm.call_sites import UnknownCallSite
from tooling.llm.service import CallInfo, Waiting, stream_call
from tooling.llm.types import BackendError, Usage
from tooling.models import ModelCall, Preset

if TYPE_CHECKING:
    from tests.support.stub import StubProvider
    from tooling.llm.ledger import LedgerEntry

from tests.tooling.llm.service.calling import REQUEST, collect, rows

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("_clients_closed"),
]


@pytest.mark.promise("D31", "D32", "D39")
@pytest.mark.lesson("chat-R20")
async def test_a_call_has_one_row_that_says_all(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    usage = {"prompt_tokens": 50, "cached_tokens": 20, "completion_tokens": 7}
    stub_provider.script(stub.text("one two three", usage=usage))
    before = dt.datetime.now(dt.UTC)
    events = await collect(call)
    [row] = await rows()
    assert text_of(events) == "one two three"
    assert (row.tenant_id, row.conversation_id) == (
        call.tenant_id,
        call.conversation_id,
    )
    assert (row.turn_id, row.attempt, row.step) == (call.turn_id, 2, 3)
    assert row.call_site == "Tests:Site"
    assert (row.preset, row.backend, row.model) == ("main", "openai", "stub-model")
    assert (row.outcome, row.error_code) == ("done", "")
    assert (row.fresh_tokens, row.cache_read_tokens, row.output_tokens) == (30, 20, 7)
    assert row.usage_reported
    assert row.cost_nano_usd == 30 * 100 + 20 * 10 + 7 * 1000
    assert row.price_version.startswith("preset/main@")
    assert row.manifest == {"system": "abc", "messages": [1, 4]}
    assert row.first_token_ms is not None
    assert 0 <= row.first_token_ms <= row.duration_ms
    assert row.started_at >= before


async def test_the_row_stands_when_the_end_is_heard(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    async with aclosing(stream_call(call=call, request=REQUEST)) as events:
        async for event in events:
            last = event
            count = await ModelCall.objects.acount()
    assert finish_of([last]).reason == "stop"
    assert count == 1


async def test_the_smallest_limit_and_the_presets_temperature_are_sent(
    call: CallInfo, preset: Preset, stub_provider: StubProvider
) -> None:
    await Preset.objects.filter(pk=preset.pk).aupdate(temperature=0.4)
    await collect(call)
    body = stub_provider.requests()[0]["body"]
    assert (body["max_tokens"], body["temperature"]) == (300, 0.4)


async def test_an_unknown_call_site_reaches_nobody(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    with pytest.raises(UnknownCallSite):
        await collect(replace(call, call_site="Tests:Nobody"))
    assert stub_provider.requests() == []


@pytest.mark.lesson("chat-R20")
async def test_each_attempt_has_its_row(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.error(503), stub.error(429), stub.text("at last"))
    waits: list[Waiting] = []

    async def on_wait(waiting: Waiting) -> None:
        waits.append(waiting)

    events = await collect(call, on_wait=on_wait)
    assert text_of(events) == "at last"
    found = await rows()
    assert [(row.outcome, row.error_code) for row in found] == [
        ("failed", "unavailable"),
        ("failed", "rate_limited"),
        ("done", ""),
    ]
    assert [wait.code for wait in waits] == ["unavailable", "rate_limited"]
    assert len({row.call_site for row in found}) == 1


async def test_attempts_are_bounded(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    stub_provider.script(default=stub.error(503))
    with pytest.raises(BackendError) as caught:
        await collect(call)
    assert caught.value.code == "unavailable"
    assert len(await rows()) == 3


@pytest.mark.parametrize("status", [400, 401, 422])
async def test_what_cannot_pass_is_not_tried_again(
    call: CallInfo, stub_provider: StubProvider, status: int
) -> None:
    stub_provider.script(default=stub.error(status))
    with pytest.raises(BackendError):
        await collect(call)
    [row] = await rows()
    assert row.outcome == "failed"
    assert row.cost_nano_usd == 0


async def test_nothing_is_tried_again_once_words_were_shown(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.cut("half an answer"), stub.text("another"))
    with pytest.raises(BackendError) as caught:
        await collect(call)
    assert caught.value.code == "cut_off"
    [row] = await rows()
    assert (row.outcome, row.error_code) == ("failed", "cut_off")
    assert row.output_tokens == 4
    assert not row.usage_reported
    assert row.cost_nano_usd
    assert row.cost_nano_usd > 4 * 1000


async def test_a_provider_that_asks_for_patience_gets_it(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.error(429, retry_after=1), stub.text("thanks"))
    waits: list[Waiting] = []

    async def on_wait(waiting: Waiting) -> None:
        waits.append(waiting)

    await collect(call, on_wait=on_wait)
    opened = [record["opened_at"] for record in stub_provider.log()]
    assert opened[1] - opened[0] >= 1
    assert waits[0].seconds == 1


def test_pauses_grow_are_bounded_and_respect_the_provider(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service, "BACKOFF_SECONDS", 0.5)

    def pause(number: int, **more: Any) -> float | None:
        error = BackendError("rate_limited", "", **{"retryable": True, **more})
        return service.pause_before(error, number, draw=lambda: 1.0)

    assert [pause(n) for n in range(6)] == [0.5, 1, 2, 4, 8, 8]
    assert pause(0, retry_after=12.0) == 12
    assert pause(0, retry_after=20.1) is None
    assert pause(0, retryable=False) is None
    lowest = service.pause_before(
        BackendError("timeout", "", retryable=True), 0, draw=lambda: 0.0
    )
    assert lowest == 0.25


@pytest.mark.promise("A21", "D39")
async def test_a_listed_fallback_answers_and_the_ledger_says_so(
    call: CallInfo, preset: Preset, stub_provider: StubProvider
) -> None:
    other = await Preset.objects.acreate(
        name="spare", backend="openai", model="spare-model", base_url=stub_provider.url
    )
    await Preset.objects.filter(pk=preset.pk).aupdate(fallback=other, retries=0)
    stub_provider.script(stub.error(503), stub.text("from the spare"))
    events = await collect(call)
    assert text_of(events) == "from the spare"
    assert [(r.preset, r.outcome) for r in await rows()] == [
        ("main", "failed"),
        ("spare", "done"),
    ]


@pytest.mark.promise("A21")
async def test_without_a_listed_fallback_the_call_fails(
    call: CallInfo, preset: Preset, stub_provider: StubProvider
) -> None:
    await Preset.objects.acreate(
        name="spare", backend="openai", model="spare-model", base_url=stub_provider.url
    )
    await Preset.objects.filter(pk=preset.pk).aupdate(retries=0)
    stub_provider.script(stub.error(503), stub.text("from the spare"))
    with pytest.raises(BackendError):
        await collect(call)
    assert [row.preset for row in await rows()] == ["main"]


async def test_fallbacks_that_point_at_each_other_end(
    call: CallInfo, preset: Preset, stub_provider: StubProvider
) -> None:
    other = await Preset.objects.acreate(
        name="spare",
        backend="openai",
        model="m",
        base_url=stub_provider.url,
        fallback=preset,
        retries=0,
    )
    await Preset.objects.filter(pk=preset.pk).aupdate(fallback=other, retries=0)
    stub_provider.script(default=stub.error(503))
    with pytest.raises(BackendError):
        await collect(call)
    assert [row.preset for row in await rows()] == ["main", "spare"]


async def test_leaving_early_is_booked_as_stopped(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.endless())
    async with aclosing(stream_call(call=call, request=REQUEST)) as events:
        await anext(events)
    [row] = await rows()
    assert (row.outcome, row.error_code) == ("stopped", "")
    assert row.output_tokens >= 1
    assert row.fresh_tokens == 3
    assert not row.usage_reported
    assert row.cost_nano_usd


@pytest.mark.parametrize("cancels", [1, 3])
async def test_a_cancelled_call_is_booked_all_the_same(
    call: CallInfo, stub_provider: StubProvider, cancels: int
) -> None:
    stub_provider.script(stub.endless())
    begun = asyncio.Event()

    async def read() -> None:
        async with aclosing(stream_call(call=call, request=REQUEST)) as events:
            async for _ in events:
                begun.set()

    task = asyncio.create_task(read())
    await asyncio.wait_for(begun.wait(), 10)
    for _ in range(cancels):
        task.cancel()
        await asyncio.sleep(0.001)
    with pytest.raises(asyncio.CancelledError):
        await task
    [row] = await rows()
    assert row.outcome == "stopped"


async def test_the_callers_own_writer_is_used(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    kept: list[LedgerEntry] = []

    async def record(entry: LedgerEntry) -> None:
        kept.append(entry)

    await collect(replace(call, record=record))
    assert [entry.outcome for entry in kept] == ["done"]
    assert kept[0].usage == Usage(fresh=2, output=1)
    assert await rows() == []


async def test_an_answer_whose_row_cannot_be_written_is_no_answer(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    async def record(_entry: LedgerEntry) -> None:
        message = "the disk is full"
        raise OSError(message)

    with pytest.raises(OSError, match="disk"):
        await collect(replace(call, record=record))


async def test_a_telling_error_is_not_hidden_by_a_failed_write(
    call: CallInfo, stub_provider: StubProvider
) -> None:
    async def record(_entry: LedgerEntry) -> None:
        message = "the disk is full"
        raise OSError(message)

    stub_provider.script(stub.error(401))
    with pytest.raises(BackendError):
        await collect(replace(call, record=record))
