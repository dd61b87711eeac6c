"""What passes between Dialogue and a model backend: our own types, no provider's."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class FinishReason(enum.StrEnum):
    """Why a provider stopped writing."""

    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is served to a model. `parameters` is a JSON schema object."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A call that a model asks for.

    `arguments` is the model's text, unparsed: whoever runs the tool parses it
    strictly and refuses what does not parse.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt, in the shape that every chat wire shares.

    An assistant message may carry tool calls; a tool message answers exactly one.
    """

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    tool_calls: tuple[ToolRequest, ...] = ()
    tool_call_id: str = ""
    tool_name: str = ""


@dataclass(frozen=True, slots=True)
class LLMRequest:
    """One request to a model: system text, messages in order, served tools."""

    system: str
    messages: tuple[PromptMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    language: str = "en"
    max_output_tokens: int = 2048
    temperature: float | None = None
    json_schema: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call in disjoint buckets: no token is counted twice.

    `fresh + cache_read + cache_write` is the whole input, `output + reasoning` the
    whole output.
    """

    fresh: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0
    reported: bool = True


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More text of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of a call that ended by itself.

    `tool_requests` holds the calls asked for, in order; `model` is the name that
    the provider gave.
    """

    reason: FinishReason
    usage: Usage
    model: str = ""
    tool_requests: tuple[ToolRequest, ...] = ()


BackendEvent = TextDelta | Finished


@dataclass(eq=False, slots=True)
class BackendError(Exception):
    """A call to a provider that failed.

    `code` is one of: unreachable, timeout, rate_limited, unavailable, unauthorized,
    bad_request, context_too_long, cut_off, bad_response, refused. `retryable` says
    whether the same request may succeed later. `detail` is fit for a log and for
    staff: no key, no prompt text. `usage` is what the call cost all the same;
    `retry_after` the seconds that the provider asked to wait. Not frozen: whoever
    passes an exception on must be able to set its traceback.
    """

    code: str
    detail: str
    retryable: bool = False
    status: int | None = None
    usage: Usage = field(default_factory=Usage)
    retry_after: float | None = None

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class Backend(Protocol):
    """A way to reach a model: in this process or over HTTP."""

    kind: str

    def stream(self, request: LLMRequest) -> AsyncIterator[BackendEvent]:
        """Yield text as it comes and `Finished` once.

        Raises `BackendError`. Closing the iterator ends the provider's work
        within a second.
        """
        ...

    async def aclose(self) -> None:
        """Give back connections."""
        ...
