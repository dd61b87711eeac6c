"""What tests of the service share: a call site, a request, and how to call."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from tooling.llm.call_sites import CallSite, register_call_site
from tooling.llm.service import CallInfo, stream_call
from tooling.llm.types import LLMRequest, PromptMessage
from tooling.models import ModelCall

if TYPE_CHECKING:
    from tooling.llm.types import BackendEvent

SITE = register_call_site(CallSite("Tests:Site", output_limit=500))
REQUEST = LLMRequest("rules", (PromptMessage("user", "hello"),), max_output_tokens=900)
PRICED = {"input_price": 100, "cache_read_price": 10, "output_price": 1000}


async def collect(call: CallInfo, **more: Any) -> list[BackendEvent]:
    """Return all events of one call."""
    async with aclosing(stream_call(call=call, request=REQUEST, **more)) as events:
        return [event async for event in events]


async def rows() -> list[ModelCall]:
    """Return the ledger, oldest first."""
    return [row async for row in ModelCall.objects.order_by("started_at", "id")]
