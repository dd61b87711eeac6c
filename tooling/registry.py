"""The registry of tools: typed schemas, one tier each, names that cannot be forged.

Each app has a `tools.py`, found as the admin finds `admin.py`, whose functions
register here. A model reaches a tool through `tooling.gate` alone.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.module_loading import autodiscover_modules
from pydantic import BaseModel, ConfigDict

from tooling.llm.types import ToolSpec
from tooling.policy import Principal
from tooling.tiers import Tier, fold_name, is_dispose_name


class ToolArguments(BaseModel):
    """Base of every tool's arguments: strict, no unknown fields."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class NoArguments(ToolArguments):
    """For a tool that takes nothing."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a running tool may know. All ids come from rows, never from a model.

    `principal` is of kind MODEL; `human_message_id` is the message that is being
    answered; `now` is the time at which the call was judged.
    """

    principal: Principal
    conversation_id: uuid.UUID
    turn_id: uuid.UUID
    human_message_id: uuid.UUID
    call_id: str
    language: str
    now: dt.datetime


@dataclass(frozen=True, slots=True)
class CardRef:
    """A live card that a page shows with the result: kind and the row's key."""

    kind: str
    id: uuid.UUID


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gives back: plain JSON for the model, cards for the person."""

    data: dict[str, Any]
    cards: tuple[CardRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One line of what a call would change: a name for people, and both values.

    `before` is empty where nothing stood there; all three are in the active
    language.
    """

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PaidCall:
    """The model call that a held-back read makes, and its bounds.

    `summary` says to staff, translated, what it does. `input_chars` is the most text
    that is sent, instructions included; `output_tokens` the most that is asked for.
    """

    call_site: str
    input_chars: int
    output_tokens: int
    summary: str | Promise


ToolFunction = Callable[..., ToolResult]
PreviewFunction = Callable[..., list[Change]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A registered tool. `held_back` marks reads that cost money, `paid` says how.

    A held-back read runs outside a transaction, since it waits for a model.

    `preview(*, context: ToolContext, arguments) -> list[Change]` says what a call
    would change and changes nothing; it raises what the call itself would raise.
    """

    name: str
    tier: Tier
    description: str
    arguments: type[ToolArguments]
    run: ToolFunction
    held_back: bool = False
    preview: PreviewFunction | None = None
    paid: PaidCall | None = None
    schema: dict[str, Any] = field(default_factory=dict)

    def spec(self) -> ToolSpec:
        """Return the tool as it is served to a model."""
        return ToolSpec(self.name, self.description, self.schema)


_TOOLS: dict[str, Tool] = {}


def register_tool(
    *,
    name: str,
    tier: Tier,
    arguments: type[ToolArguments],
    description: str,
    held_back: bool = False,
    preview: PreviewFunction | None = None,
    paid: PaidCall | None = None,
) -> Callable[[ToolFunction], ToolFunction]:
    """Register a function `run(*, context: ToolContext, arguments) -> ToolResult`.

    Raises `ImproperlyConfigured`, which stops start-up: for a dispose name, a name
    that is not its own folded form, a second name equal after folding, and a tier
    that is none.
    """

    def decorate(run: ToolFunction) -> ToolFunction:
        _check_name(name, run)
        if tier not in Tier.values:
            message = f"tool {name}: a tool without a tier is never served"
            raise ImproperlyConfigured(message)
        _TOOLS[name] = Tool(
            name=name,
            tier=tier,
            description=description,
            arguments=arguments,
            run=run,
            # What makes a paid call is held back, whatever its author forgot.
            held_back=held_back or paid is not None,
            preview=preview,
            paid=paid,
            schema=_schema(arguments),
        )
        return run

    return decorate


def _check_name(name: str, run: ToolFunction) -> None:
    if is_dispose_name(name):
        message = f"tool {name}: a dispose verb can never be registered"
        raise ImproperlyConfigured(message)
    if fold_name(name) != name or not name.isascii():
        message = f"tool {name!r}: names are plain lower-case ASCII"
        raise ImproperlyConfigured(message)
    known = _TOOLS.get(name)
    if known is not None and known.run.__qualname__ != run.__qualname__:
        message = f"tool {name}: registered twice"
        raise ImproperlyConfigured(message)


def _schema(arguments: type[ToolArguments]) -> dict[str, Any]:
    schema = arguments.model_json_schema()
    schema.pop("title", None)
    schema.pop("description", None)
    return schema


def find_tool(name: str) -> Tool | None:
    """Return the tool of exactly this name. No aliases, no folding, no prefixes."""
    return _TOOLS.get(name)


def all_tools() -> tuple[Tool, ...]:
    """Return every registered tool by name."""
    return tuple(_TOOLS[name] for name in sorted(_TOOLS))


def held_back_tools() -> tuple[Tool, ...]:
    """Return the reads that cost money by name, opened or not: for staff's screen."""
    return tuple(tool for tool in all_tools() if tool.held_back)


def autodiscover() -> None:
    """Import every app's `tools` module. Called once when apps are ready."""
    autodiscover_modules("tools")
