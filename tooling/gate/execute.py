"""Run one call that a model asked for: judge, run, keep. The only way to a tool.

The verdict is reached here, where the tool runs, from facts read now: a toggle that
was turned off a moment ago stops this call. A write or a proposal, its record and
its result are one transaction, so a call is done with a record or not done at all.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

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
from tooling.gate.facts import facts_of, gate_context
from tooling.gate.grants import GrantGone, grants_of, said_of, take_use
from tooling.gate.judge import (
    CallFacts,
    Decision,
    Gate,
    GateContext,
    Verdict,
    judge,
)
from tooling.gate.loops import same_calls_before
from tooling.gate.messages import refusal
from tooling.gate.results import (
    HELD_GATES,
    INCOMPLETE,
    ByHand,
    Executed,
    bounded,
    domain_error,
    done_already,
    failure,
    invalid,
    once_key,
)
from tooling.llm.types import ToolRequest
from tooling.models import ToolCall, ToolCallState
from tooling.registry import Tool, ToolArguments, ToolContext, find_tool
from tooling.tiers import Tier

__all__ = ["Call", "Executed", "execute_call"]

log = logging.getLogger(__name__)

# How often a call is judged again because its grant was taken from under it.
RACES = 8
OnBlocked = Callable[..., None]


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
    again = partial(
        _judge_and_run,
        request=request,
        context=context,
        intent_tools=intent_tools,
        attempt=attempt,
        cut_off=cut_off,
        on_blocked=on_blocked,
        calls_before=calls_before,
    )
    with translation.override(context.language):
        for _race in range(RACES):
            try:
                return again()
            except GrantGone:
                continue
        return again(with_grants=False)


def _judge_and_run(
    *,
    request: ToolRequest,
    context: ToolContext,
    intent_tools: frozenset[str],
    attempt: int,
    cut_off: bool,
    on_blocked: OnBlocked,
    calls_before: int,
    with_grants: bool = True,
) -> Executed:
    """Judge by the facts of this moment and act on it. Raises `GrantGone`."""
    tool = find_tool(request.name)
    facts = facts_of(tool) if tool else CallFacts(name=request.name)
    writes = facts.tier is Tier.WRITE
    now = gate_context(
        context=context,
        intent_tools=intent_tools,
        attempt=attempt,
        calls_before=calls_before,
        same_before=same_calls_before(
            request=request, context=context, attempt=attempt
        ),
        grants=grants_of(context) if writes and with_grants else (),
    )
    verdict = judge(facts, now)
    call = Call(request, context, attempt, tool, verdict, on_blocked)
    return call.carry_out(now, cut_off=cut_off)


class Call:
    """One call on its way; keeps exactly one `ToolCall` row."""

    def __init__(
        self,
        request: ToolRequest,
        context: ToolContext,
        attempt: int,
        tool: Tool | None,
        verdict: Verdict,
        on_blocked: OnBlocked,
        by_hand: ByHand | None = None,
    ) -> None:
        self.by_hand = by_hand
        self.request = request
        self.context = context
        self.attempt = attempt
        self.tool = tool
        self.verdict = verdict
        self.on_blocked = on_blocked
        self.plain: dict[str, Any] = {}

    def carry_out(self, now: GateContext, *, cut_off: bool) -> Executed:
        """Do what the verdict says, and keep it. Raises `GrantGone`."""
        if not self.verdict.runs or self.tool is None:
            return self.keep_refusal(now)
        arguments = self.parse(cut_off=cut_off)
        if isinstance(arguments, Executed):
            return arguments
        if self.tool.tier is Tier.READ:
            return self.run_read(self.tool, arguments)
        return self.run_once(self.tool, arguments)

    def parse(self, *, cut_off: bool) -> ToolArguments | Executed:
        """Return typed arguments, or the kept refusal of what is none."""
        assert self.tool is not None  # noqa: S101 -- narrowed by the caller
        try:
            plain = None if cut_off else self._plain()
            if plain is None:
                message = _("The arguments were incomplete, so nothing was done.")
                return self._keep(ToolCallState.FAILED, failure(INCOMPLETE, message))
            self.plain = plain
            return self.tool.arguments.model_validate(plain)
        except ValidationError as error:
            return self._keep(ToolCallState.FAILED, invalid(error))
        except DomainError as error:
            return self._keep(ToolCallState.FAILED, domain_error(error))

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
        earlier = self._ran_before() if surfaced else None
        if earlier is not None:
            return self._keep(state, done_already(self.verdict, earlier))
        blocked = self._is_blocked_write(now)
        with transaction.atomic():
            kept = self._keep(state, refusal(self.verdict))
            if blocked:
                self.on_blocked(
                    tool_call=ToolCall.objects.get(pk=kept.tool_call_id or ""),
                    context=self.context,
                    now=self.context.now,
                )
        return replace(kept, is_held=blocked and self.verdict.gate in HELD_GATES)

    def _ran_before(self) -> ToolCall | None:
        """Return the run of this very call for this message, by whatever basis."""
        return ToolCall.objects.filter(once_key=self._once_key()).first()

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
            data = bounded(result.data)
        except DomainError as error:
            return self._keep(ToolCallState.FAILED, domain_error(error))
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
                kept = self._run_and_keep(tool, arguments, key)
        except GrantGone:
            raise
        except IntegrityError:
            earlier = rows.first()
            if key is None or earlier is None:
                log.exception("tool failed", extra={"tool": tool.name})
                return self._keep_crash()
            return self._repeat(earlier)
        except DomainError as error:
            return self._keep(ToolCallState.FAILED, domain_error(error))
        except Exception:
            log.exception("tool failed", extra={"tool": tool.name})
            return self._keep_crash()
        return kept

    def _run_and_keep(
        self, tool: Tool, arguments: ToolArguments, key: str | None
    ) -> Executed:
        """Take the use, run, record, tell: all of it or nothing."""
        grant_id, said = self.verdict.grant_id, {}
        if grant_id is not None:
            said = {"grant": said_of(take_use(grant_id, context=self.context))}
        result = tool.run(context=self.context, arguments=arguments)
        kept = self._keep(
            ToolCallState.DONE,
            bounded({**result.data, **said}),
            cards=tuple({"kind": c.kind, "id": str(c.id)} for c in result.cards),
            once_key=key,
            grant_id=grant_id,
        )
        if self.by_hand is not None:
            self.by_hand.on_ran(kept)
        return kept

    def _repeat(self, earlier: ToolCall) -> Executed:
        stored = earlier.result or {}
        data = {**stored.get("data", {}), "repeated": True}
        cards = tuple(stored.get("cards", ()))
        return self._keep(ToolCallState.DONE, data, cards=cards)

    def _keep_crash(self) -> Executed:
        message = _("The tool failed. Nothing was changed. Try again.")
        return self._keep(ToolCallState.FAILED, failure("tool_failed", message))

    def _once_key(self) -> str:
        return once_key(
            human_message_id=self.context.human_message_id,
            name=self.request.name,
            arguments=payload_hash(self.plain),
        )

    def _keep(
        self,
        state: ToolCallState,
        data: dict[str, Any],
        *,
        cards: tuple[dict[str, str], ...] = (),
        once_key: str | None = None,
        grant_id: uuid.UUID | None = None,
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
            basis=self.verdict.basis or "",
            grant_id=grant_id,
            held_call_id=self.by_hand.held.pk if self.by_hand else None,
            person_id=self.by_hand.person_id if self.by_hand else None,
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
            basis=row.basis,
        )
