"""Estimates of tokens, for calls whose provider reported none.

Four bytes of UTF-8 are counted as one token, rounded up: enough to keep a stopped
or failed call from being booked as free, and marked as not reported.
"""

from __future__ import annotations

import orjson

from tooling.llm.types import LLMRequest, Usage

BYTES_PER_TOKEN = 4


def tokens_of_bytes(size: int) -> int:
    """Return the tokens that `size` bytes of UTF-8 are counted as."""
    return -(-size // BYTES_PER_TOKEN)


def estimate_tokens(text: str) -> int:
    """Return the tokens that a text is counted as."""
    return tokens_of_bytes(len(text.encode("utf-8", "surrogatepass")))


def estimate_input(request: LLMRequest) -> int:
    """Return the tokens that a whole request is counted as."""
    size = len(request.system.encode("utf-8", "surrogatepass"))
    for message in request.messages:
        size += len(message.text.encode("utf-8", "surrogatepass"))
        size += sum(len(c.name) + len(c.arguments) for c in message.tool_calls)
    for tool in request.tools:
        size += len(tool.name) + len(tool.description)
        size += len(orjson.dumps(tool.parameters))
    return tokens_of_bytes(size)


def estimate_usage(request: LLMRequest, output_bytes: int) -> Usage:
    """Return the usage of a call that wrote `output_bytes` bytes, as an estimate."""
    return Usage(
        fresh=estimate_input(request),
        output=tokens_of_bytes(output_bytes),
        reported=False,
    )
