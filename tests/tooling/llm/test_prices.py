"""Costs: integer nano-dollars, no token twice, unknown is unpriced."""

from __future__ import annotations

import datetime as dt
import types
from decimal import Decimal

import pytest

from tooling.llm.backends.usage import usage_from_anthropic, usage_from_openai
from tooling.llm.presets import PLANNER_PRESET, Prices, ResolvedPreset
from tooling.llm.prices import Cost, price_call
from tooling.llm.types import Usage

AT = dt.datetime(2026, 6, 1, tzinfo=dt.UTC)
OPENAI = ResolvedPreset("p", "openai", "gpt-4o")
ANTHROPIC = ResolvedPreset("p", "anthropic", "claude-sonnet-4-5")
# What the providers' own documents show, and the invoice for it.
OPENAI_REPORT = {
    "prompt_tokens": 2006,
    "completion_tokens": 300,
    "total_tokens": 2306,
    "prompt_tokens_details": {"cached_tokens": 1920, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 120},
}
ANTHROPIC_REPORT = {
    "input_tokens": 50,
    "cache_creation_input_tokens": 248,
    "cache_read_input_tokens": 1800,
    "output_tokens": 503,
}


def cost(preset: ResolvedPreset, usage: Usage, model: str = "") -> Cost:
    """Return the cost at a fixed time."""
    return price_call(preset=preset, model=model or preset.model, usage=usage, at=AT)


@pytest.mark.lesson("chat-R19")
def test_openai_reports_become_disjoint_buckets() -> None:
    usage = usage_from_openai(OPENAI_REPORT)
    assert usage == Usage(fresh=86, cache_read=1920, output=180, reasoning=120)
    assert usage.fresh + usage.cache_read + usage.cache_write == 2006
    assert usage.output + usage.reasoning == 300


@pytest.mark.lesson("chat-R19")
def test_anthropic_reports_become_disjoint_buckets() -> None:
    usage = usage_from_anthropic(ANTHROPIC_REPORT)
    assert usage == Usage(fresh=50, cache_read=1800, cache_write=248, output=503)


@pytest.mark.parametrize(
    "report",
    [
        {},
        {"prompt_tokens": None, "completion_tokens": -4},
        {"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 9}},
        {"prompt_tokens": "7", "completion_tokens_details": None},
    ],
)
def test_odd_reports_never_make_negative_tokens(report: dict[str, object]) -> None:
    usage = usage_from_openai(report)
    assert min(usage.fresh, usage.output, usage.reasoning, usage.cache_read) >= 0


def test_reasoning_that_is_counted_apart_is_not_subtracted() -> None:
    report = {
        "completion_tokens": 10,
        "completion_tokens_details": {"reasoning_tokens": 90},
    }
    usage = usage_from_openai(report)
    assert (usage.output, usage.reasoning) == (10, 90)


@pytest.mark.lesson("chat-R19")
def test_cached_tokens_are_charged_once_by_the_list() -> None:
    # gpt-4o: 2.50 a million fresh, 1.25 cached, 10.00 out.
    found = cost(OPENAI, usage_from_openai(OPENAI_REPORT))
    assert found.nano_usd == 86 * 2500 + 1920 * 1250 + 300 * 10_000
    assert found.version.startswith("genai-prices/")


def test_a_name_that_only_the_provider_knows_is_priced_as_the_presets_model() -> None:
    usage = Usage(fresh=10, output=5)
    assert cost(OPENAI, usage, model="internal-build-7") == cost(OPENAI, usage)


def test_the_providers_own_address_has_the_providers_prices() -> None:
    usage = Usage(fresh=10, output=5)
    addressed = ResolvedPreset(
        "p", "openai", "gpt-4o", base_url="https://api.openai.com/v1"
    )
    assert cost(addressed, usage) == cost(OPENAI, usage)


@pytest.mark.lesson("chat-R18", "chat-R22")
def test_a_list_that_says_free_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    free = types.SimpleNamespace(total_price=Decimal(0))
    monkeypatch.setattr("genai_prices.calc_price", lambda *_a, **_k: free)
    assert cost(OPENAI, Usage(fresh=10)) == Cost(None, "unpriced")
    assert "price_list_says_free" in caplog.text


@pytest.mark.lesson("chat-R19")
def test_cache_writes_are_charged_once_by_the_list() -> None:
    # claude-sonnet-4-5: 3.00 a million fresh, 0.30 read, 3.75 written, 15.00 out.
    found = cost(ANTHROPIC, usage_from_anthropic(ANTHROPIC_REPORT))
    assert found.nano_usd == 50 * 3000 + 1800 * 300 + 248 * 3750 + 503 * 15_000


def test_stated_prices_win() -> None:
    prices = Prices(fresh=7, output=11, cache_read=2, cache_write=13)
    preset = ResolvedPreset("local", "sidecar", "m", prices=prices, version="v1")
    usage = Usage(fresh=10, cache_read=20, cache_write=30, output=40, reasoning=50)
    assert cost(preset, usage) == Cost(
        10 * 7 + 20 * 2 + 30 * 13 + 90 * 11, "preset/local@v1"
    )


def test_a_stated_price_of_nothing_is_nothing() -> None:
    preset = ResolvedPreset("local", "sidecar", "m", prices=Prices(0, 0, 0, 0))
    assert cost(preset, Usage(fresh=10, output=5)).nano_usd == 0


def test_the_planner_is_free() -> None:
    assert cost(PLANNER_PRESET, Usage(fresh=9, output=9)) == Cost(0, "planner/free")


@pytest.mark.lesson("chat-R22")
@pytest.mark.parametrize(
    "preset",
    [
        ResolvedPreset("p", "openai", "no-such-model-anywhere"),
        ResolvedPreset("p", "openai", "gpt-4o", base_url="http://127.0.0.1:9/v1"),
        ResolvedPreset("p", "sidecar", "gpt-4o", base_url="http://127.0.0.1:9/v1"),
    ],
)
def test_an_unknown_price_is_unpriced_never_nothing(preset: ResolvedPreset) -> None:
    assert cost(preset, Usage(fresh=10, output=5)) == Cost(None, "unpriced")


@pytest.mark.lesson("chat-R22")
@pytest.mark.parametrize("price", [1_000_001, -1])
def test_a_price_out_of_range_is_unpriced(price: int) -> None:
    preset = ResolvedPreset("p", "openai", "m", prices=Prices(price, price, 0, 0))
    assert cost(preset, Usage(fresh=10, output=5)) == Cost(None, "unpriced")


def test_the_longest_price_version_fits_its_column() -> None:
    preset = ResolvedPreset(
        "n" * 60, "openai", "m", prices=Prices(1, 1, 1, 1), version="20260601T000000Z"
    )
    assert len(cost(preset, Usage(fresh=1)).version) <= 60
