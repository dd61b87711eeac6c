"""What a call cost, in integer nano-dollars, and by which price list.

A price that is not known is `unpriced`, never 0; so is one outside a sane range.
"""

from __future__ import annotations

import contextlib
import logging
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from tooling.models.llm import BackendKind

if TYPE_CHECKING:
    import datetime as dt

    import genai_prices

    from tooling.llm.presets import Prices, ResolvedPreset
    from tooling.llm.types import Usage

logger = logging.getLogger(__name__)

UNPRICED = "unpriced"
PLANNER_FREE = "planner/free"
NANO = Decimal(10**9)
# One token at a thousandth of a dollar: above every price list, and below a slip
# between "a token" and "a million tokens".
MAX_NANO_PER_TOKEN = 1_000_000


@dataclass(frozen=True, slots=True)
class Cost:
    """Nano-dollars and the price list they come from; None and `unpriced`."""

    nano_usd: int | None
    version: str


def price_call(
    *, preset: ResolvedPreset, model: str, usage: Usage, at: dt.datetime
) -> Cost:
    """Return what `usage` of `model` at a preset cost at the time `at`."""
    if preset.kind == BackendKind.PLANNER:
        return Cost(0, PLANNER_FREE)
    if preset.prices is not None:
        nano = _stated(preset.prices, usage)
        return _checked(nano, f"preset/{preset.name[:30]}@{preset.version}", usage)
    if preset.kind == BackendKind.SIDECAR:
        return Cost(None, UNPRICED)
    return _listed(preset, model, usage, at)


def _stated(prices: Prices, usage: Usage) -> int:
    return (
        usage.fresh * prices.fresh
        + usage.cache_read * prices.cache_read
        + usage.cache_write * prices.cache_write
        + (usage.output + usage.reasoning) * prices.output
    )


def _listed(preset: ResolvedPreset, model: str, usage: Usage, at: dt.datetime) -> Cost:
    """Price by the bundled list, which is read without a network."""
    import genai_prices

    counted = genai_prices.Usage(
        input_tokens=usage.fresh + usage.cache_read + usage.cache_write,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
        output_tokens=usage.output + usage.reasoning,
    )
    total: Decimal | None = None
    # The name that the provider gave says more than ours, if the list knows it.
    for name in dict.fromkeys((model, preset.model)):
        with contextlib.suppress(LookupError, ValueError):
            total = _look_up(preset, name, counted, at)
            break
    if total is None:
        return Cost(None, UNPRICED)
    nano = int((total * NANO).to_integral_value(ROUND_HALF_UP))
    if nano == 0 and _tokens(usage):
        # A free entry of a price list is more often a gap than a gift.
        logger.warning("price_list_says_free", extra={"model": model})
        return Cost(None, UNPRICED)
    return _checked(nano, f"genai-prices/{genai_prices.__version__}", usage)


def _look_up(
    preset: ResolvedPreset, model: str, counted: genai_prices.Usage, at: dt.datetime
) -> Decimal:
    """Return dollars. Raises `LookupError` for a model that the list does not know."""
    import genai_prices

    if preset.base_url:
        found = genai_prices.calc_price(
            counted,
            model,
            provider_api_url=preset.base_url,
            genai_request_timestamp=at,
        )
    else:
        found = genai_prices.calc_price(
            counted, model, provider_id=preset.kind, genai_request_timestamp=at
        )
    return found.total_price


def _checked(nano: int, version: str, usage: Usage) -> Cost:
    if 0 <= nano <= _tokens(usage) * MAX_NANO_PER_TOKEN:
        return Cost(nano, version)
    logger.error("price_out_of_range", extra={"version": version, "nano_usd": nano})
    return Cost(None, UNPRICED)


def _tokens(usage: Usage) -> int:
    return (
        usage.fresh
        + usage.cache_read
        + usage.cache_write
        + usage.output
        + usage.reasoning
    )
