"""Run one call that a model asked for: judge, run, keep. The only way to a tool.

The verdict is reached here, where the tool runs, from facts read now: a toggle that
was turned off a moment ago stops this call. A write or a proposal, its record and
its result are one transaction, so a call is done with a record or not done at all.
"""

from __future__ import annotations

import hashlib
import logging
import uuid
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from pydantic import ValidationError

from tooling.boundary import (
    check_json,
    clean_text,
    is_storable,
    parse_json,
    payload_hash,
)
from tooling.errors import DomainError
from tooling.gate.judge import (
    CallFacts,
    Decision,
    Gate,
    GateContext,
    Verdict,
    is_served,
    judge,
)
from tooling.gate.loops import same_calls_before
from tooling.gate.messages import refusal
from tooling.llm.types import ToolRequest, ToolSpec
from tooling.models import ToolCall, ToolCallState
from tooling.registry import Tool, ToolArguments, ToolContext, all_tools, find_tool
from tooling.selectors import features_of, released_reads
from tooling.tiers import Tier

log = logging.getLogger(__name__)

MAX_RESULT_BYTES = 32_000
INCOMPLETE = "arguments_incomplete"
OnBlocked = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Executed:
    """What came of a call: plain JSON for the model, card references for people."""

    call_id: str
    name: str
    state: str
    verdict: str
    gate: str
    result: dict[str, Any]
    cards: tuple[dict[str, str], ...] = ()
    tool_call_id: uuid.UUID | None = None

    @property
    def incomplete(self) -> bool:
        """Tell whether the model's arguments were cut off or no JSON."""
        return self.result.get("error") == INCOMPLETE


def gate_context(
    *,
    context: ToolContext,
    intent_tools: frozenset[str],
    attempt: int = 1,
    calls_before: int = 0,
    same_before: int = 0,
) -> GateContext:
    """Read, now, every fact that the verdict depends on."""
    ran = ToolCall.objects.filter(
        turn_id=context.turn_id, tier=Tier.WRITE, state=ToolCallState.DONE
    ).count()
    return GateContext(
        conversation_id=context.conversation_id,
        now=context.now,
        switch_on=settings.WRITE_TOOLS_SERVED,
        toggle_on=features_of(tenant_id=context.principal.tenant_id).write_tools,
        intent_tools=intent_tools,
        released=released_reads(),
        ran_this_turn=ran,
        cap_per_turn=settings.WRITES_PER_TURN,
        calls_before=calls_before,
        cap_per_answer=settings.TOOL_CALLS_PER_ANSWER,
        same_before=same_before,
    )


def served_tools(context: GateContext) -> tuple[ToolSpec, ...]:
    """Return the tools that a model is told of."""
    return tuple(
        tool.spec() for tool in all_tools() if is_served(facts_of(tool), context)
    )


def facts_of(tool: Tool) -> CallFacts:
    """Return what the gate needs to know of a registered tool."""
    return CallFacts(name=tool.name, tier=tool.tier, held_back=tool.held_back)


def execute_call(
    *,
    request: ToolRequest,
    context: ToolContext,
    intent_tools: frozenset[str],
    attempt: int,
    cut_off: bool,
    on_blocked: OnBlocked,
    calls_before: int = 0,
) -> Executed:
    """Judge a call and run it if the verdict says so. Never raises for bad input.

    `calls_before` counts the calls that the same answer asked for before this one.
    `cut_off` marks a call whose arguments the provider did not finish: it is refused
    whatever it holds. `on_blocked(tool_call=, context=, now=)` hears of an
    allow-listed write that a gate stopped, in the call's own transaction.
    """
    tool = find_tool(request.name)
    facts = facts_of(tool) if tool else CallFacts(name=request.name)
    now = gate_context(
        context=context,
        intent_tools=intent_tools,
        attempt=attempt,
        calls_before=calls_before,
        same_before=same_calls_before(
            request=request, context=context, attempt=attempt
        ),
    )
    verdict = judge(facts, now)
    call = _Call(request, context, attempt, tool, verdict, on_blocked)
    with translation.override(context.language):
        if not verdict.runs or tool is None:
            return call.keep_refusal(now)
        arguments = call.parse(cut_off=cut_off)
        if isinstance(arguments, Executed):
            return arguments
        if tool.tier is Tier.READ:
            return call.run_read(tool, arguments)
        return call.run_once(tool, arguments)


class _Call:
    """One call on its way; keeps exactly one `ToolCall` row."""

    def __init__(
        self,
        request: ToolRequest,
        context: ToolContext,
        attempt: int,
        tool: Tool | None,
        verdict: Verdict,
        on_blocked: OnBlocked,
    ) -> None:
        self.request = request
        self.context = context
        self.attempt = attempt
        self.tool = tool
        self.verdict = verdict
        self.on_blocked = on_blocked
        self.plain: dict[str, Any] = {}

    def parse(self, *, cut_off: bool) -> ToolArguments | Executed:
        """Return typed arguments, or the kept refusal of what is none."""
        assert self.tool is not None  # noqa: S101 -- narrowed by the caller
        try:
            plain = None if cut_off else self._plain()
            if plain is None:
                message = _("The arguments were incomplete, so nothing was done.")
                return self._keep(ToolCallState.FAILED, _error(INCOMPLETE, message))
            self.plain = plain
            return self.tool.arguments.model_validate(plain)
        except ValidationError as error:
            return self._keep(ToolCallState.FAILED, _invalid(error))
        except DomainError as error:
            return self._keep(ToolCallState.FAILED, _domain_error(error))

    def _plain(self) -> dict[str, Any] | None:
        text = self.request.arguments or "{}"
        if not is_storable(text):
            check_json(text, field="arguments")
        try:
            value = parse_json(text, field="arguments")
        except DomainError as error:
            if error.code == "unsafe_json" and error.__cause__ is not None:
                return None
            raise
        if isinstance(value, dict):
            return value
        return None

    def keep_refusal(self, now: GateContext) -> Executed:
        """Keep a call that the gate stopped, and tell who collects blocked writes."""
        try:
            self.plain = self._plain() or {}
        except DomainError:
            self.plain = {}
        surfaced = self.verdict.decision is Decision.SURFACE
        state = ToolCallState.SURFACED if surfaced else ToolCallState.REFUSED
        with transaction.atomic():
            kept = self._keep(state, refusal(self.verdict))
            if self._is_blocked_write(now):
                self.on_blocked(
                    tool_call=ToolCall.objects.get(pk=kept.tool_call_id or ""),
                    context=self.context,
                    now=self.context.now,
                )
        return kept

    def _is_blocked_write(self, now: GateContext) -> bool:
        return (
            self.tool is not None
            and self.tool.tier is Tier.WRITE
            and self.tool.name in now.allowlist
            # With the switch off nothing was served: a forged call is no idea.
            and self.verdict.gate is not Gate.SWITCH
        )

    def run_read(self, tool: Tool, arguments: ToolArguments) -> Executed:
        """Run a read; what it returns is kept, what it raises is told."""
        try:
            # A read that fails half-way must not leave the connection broken; one
            # that waits for a model must not hold a transaction.
            with nullcontext() if tool.held_back else transaction.atomic():
                result = tool.run(context=self.context, arguments=arguments)
            data = _bounded(result.data)
        except DomainError as error:
            return self._keep(ToolCallState.FAILED, _domain_error(error))
        except Exception:
            log.exception("tool failed", extra={"tool": tool.name})
            return self._keep_crash()
        cards = tuple({"kind": c.kind, "id": str(c.id)} for c in result.cards)
        return self._keep(ToolCallState.DONE, data, cards=cards)

    def run_once(self, tool: Tool, arguments: ToolArguments) -> Executed:
        """Run a write or a proposal at most once for its message and arguments.

        A repeated proposal asks its service again, which finds the one that stands:
        the model hears what became of it since.
        """
        key: str | None = self._once_key()
        rows = ToolCall.objects.filter(once_key=key)
        if tool.tier is Tier.PROPOSE and rows.exists():
            key = None
        try:
            with transaction.atomic():
                result = tool.run(context=self.context, arguments=arguments)
                cards = tuple({"kind": c.kind, "id": str(c.id)} for c in result.cards)
                data = _bounded(result.data)
                kept = self._keep(ToolCallState.DONE, data, cards=cards, once_key=key)
        except IntegrityError:
            earlier = rows.first()
            if key is None or earlier is None:
                log.exception("tool failed", extra={"tool": tool.name})
                return self._keep_crash()
            return self._repeat(earlier)
        except DomainError as error:
            return self._keep(ToolCallState.FAILED, _domain_error(error))
        except Exception:
            log.exception("tool failed", extra={"tool": tool.name})
            return self._keep_crash()
        return kept

    def _repeat(self, earlier: ToolCall) -> Executed:
        stored = earlier.result or {}
        data = {**stored.get("data", {}), "repeated": True}
        cards = tuple(stored.get("cards", ()))
        return self._keep(ToolCallState.DONE, data, cards=cards)

    def _keep_crash(self) -> Executed:
        message = _("The tool failed. Nothing was changed. Try again.")
        return self._keep(ToolCallState.FAILED, _error("tool_failed", message))

    def _once_key(self) -> str:
        parts = [
            str(self.context.human_message_id),
            self.request.name,
            payload_hash(self.plain),
        ]
        return hashlib.sha256("|".join(parts).encode()).hexdigest()

    def _keep(
        self,
        state: ToolCallState,
        data: dict[str, Any],
        *,
        cards: tuple[dict[str, str], ...] = (),
        once_key: str | None = None,
    ) -> Executed:
        row = ToolCall.objects.create(
            tenant_id=self.context.principal.tenant_id,
            conversation_id=self.context.conversation_id,
            turn_id=self.context.turn_id,
            attempt=self.attempt,
            human_message_id=self.context.human_message_id,
            provider_call_id=clean_text(self.request.id)[:120],
            name=clean_text(self.request.name)[:120],
            tier=self.tool.tier if self.tool else "",
            arguments=self.plain,
            arguments_hash=payload_hash(self.plain),
            verdict=self.verdict.decision.value,
            gate=self.verdict.gate.value,
            state=state,
            once_key=once_key,
            result={"data": data, "cards": list(cards)},
            started_at=self.context.now,
            ended_at=timezone.now(),
        )
        return Executed(
            call_id=self.request.id,
            name=row.name,
            state=state.value,
            verdict=row.verdict,
            gate=row.gate,
            result=data,
            cards=cards,
            tool_call_id=row.pk,
        )


def _error(code: str, message: str, field: str = "") -> dict[str, Any]:
    return {"error": code, "message": message, "field": field}


def _domain_error(error: DomainError) -> dict[str, Any]:
    return {**_error(error.code, str(error), error.field), **_plain_extra(error.extra)}


def _plain_extra(extra: dict[str, Any]) -> dict[str, Any]:
    return {"extra": check_json(extra)} if extra else {}


def _invalid(error: ValidationError) -> dict[str, Any]:
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    sentence = _("The arguments do not fit this tool, so nothing was done.")
    # For the model, which can mend its call; it is no sentence of the page.
    return {**_error("invalid_arguments", sentence, field), "detail": first["msg"]}


def _bounded(data: dict[str, Any]) -> dict[str, Any]:
    """Return a tool's result, checked; what is too long says so instead."""
    return check_json(data, max_bytes=MAX_RESULT_BYTES) or {}
