"""One normaliser a provider: its usage report to disjoint buckets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tooling.llm.types import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping


def usage_from_openai(report: Mapping[str, Any]) -> Usage:
    """Return the buckets of a chat completion's `usage`.

    `prompt_tokens` includes cached and cache-written tokens, `completion_tokens`
    includes reasoning. A report whose reasoning exceeds its completion counts the
    two apart, as some compatible servers do.
    """
    prompt = report.get("prompt_tokens_details") or {}
    completion = report.get("completion_tokens_details") or {}
    return _disjoint(
        whole_input=_count(report, "prompt_tokens"),
        cache_read=_count(prompt, "cached_tokens"),
        cache_write=_count(prompt, "cache_write_tokens"),
        whole_output=_count(report, "completion_tokens"),
        reasoning=_count(completion, "reasoning_tokens"),
    )


def usage_from_anthropic(report: Mapping[str, Any]) -> Usage:
    """Return the buckets of a message's `usage`.

    `input_tokens` excludes what was read from and written to the cache,
    `output_tokens` includes thinking.
    """
    read = _count(report, "cache_read_input_tokens")
    written = _count(report, "cache_creation_input_tokens")
    return _disjoint(
        whole_input=_count(report, "input_tokens") + read + written,
        cache_read=read,
        cache_write=written,
        whole_output=_count(report, "output_tokens"),
        reasoning=_count(report, "thinking_tokens"),
    )


def _disjoint(
    *,
    whole_input: int,
    cache_read: int,
    cache_write: int,
    whole_output: int,
    reasoning: int,
) -> Usage:
    apart = reasoning > whole_output
    return Usage(
        fresh=max(0, whole_input - cache_read - cache_write),
        cache_read=cache_read,
        cache_write=cache_write,
        output=whole_output if apart else whole_output - reasoning,
        reasoning=reasoning,
    )


def _count(report: Mapping[str, Any], key: str) -> int:
    value = report.get(key)
    return max(0, value) if isinstance(value, int) else 0
