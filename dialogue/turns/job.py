"""The steps of a turn that touch rows. Each is one short transaction.

Every write of a worker is fenced: it holds only while the turn is live under this
worker's lease and attempt. Whoever lost the lease changes nothing.
"""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from dialogue.models import (
    LIVE_STATES,
    EventKind,
    MessageRole,
    Turn,
    TurnChunk,
    TurnState,
)
from dialogue.services.journal import NewEvent, NewMessage, append
from dialogue.turns import hooks, prompt
from dialogue.turns.rows import WindowRow
from dialogue.turns.states import advance, sources_of
from dialogue.turns.window import load_window
from tooling.gate.execute import Executed, execute_call, gate_context, served_tools
from tooling.ids import new_id
from tooling.intent import judge_intent
from tooling.llm.manifest import store_part
from tooling.llm.presets import resolve_preset
from tooling.llm.types import LLMRequest, ToolRequest, ToolSpec
from tooling.policy import Principal, PrincipalKind
from tooling.registry import ToolContext, find_tool


class LostLease(Exception):
    """Another process has taken the turn over, or the sweep has ended it."""


@dataclass(slots=True)
class Job:
    """A leased turn and what its steps need; values only, made when claimed."""

    turn: Turn
    owner: str
    language: str
    start_max: int
    intent_tools: frozenset[str]
    switch_on: bool = False
    step: int = 0
    principal: Principal = field(init=False)

    def __post_init__(self) -> None:
        self.principal = Principal(
            kind=PrincipalKind.MODEL,
            tenant_id=self.turn.tenant_id,
            user_id=self.turn.requested_by_id,
        )

    @property
    def fence(self) -> Q:
        """Return what must still hold for this worker to write."""
        return Q(lease_owner=self.owner, attempt=self.turn.attempt)


@dataclass(frozen=True, slots=True)
class StepRequest:
    """One model call, ready to go out."""

    request: LLMRequest
    manifest: dict[str, Any]
    call_site: str


def claimable() -> list[uuid.UUID]:
    """Return queued turns that may run now: the first of each idle conversation."""
    same = Turn.objects.filter(conversation=OuterRef("conversation"))
    live = same.filter(state__in=LIVE_STATES)
    earlier = same.filter(state=TurnState.QUEUED).filter(
        Q(created_at__lt=OuterRef("created_at"))
        | Q(created_at=OuterRef("created_at"), id__lt=OuterRef("id"))
    )
    rows = Turn.objects.filter(~Exists(live), ~Exists(earlier), state=TurnState.QUEUED)
    return list(rows.order_by("created_at").values_list("pk", flat=True)[:100])


def claim(turn_id: uuid.UUID, *, owner: str) -> Job | None:
    """Lease a queued turn, judge its intent and tell the journal; None if lost."""
    now = timezone.now()
    lease = now + dt.timedelta(seconds=settings.TURN_LEASE_SECONDS)
    try:
        with transaction.atomic():
            won = advance(
                turn_id,
                TurnState.RUNNING,
                Q(state=TurnState.QUEUED),
                lease_owner=owner,
                lease_expires_at=lease,
                started_at=now,
                stop_requested_at=None,
                error_code="",
                error_detail="",
            )
            return _begin(turn_id, owner, now) if won else None
    except IntegrityError:
        # Another turn of the conversation went live first: the constraint decides.
        return None


def _begin(turn_id: uuid.UUID, owner: str, now: dt.datetime) -> Job:
    turn = Turn.objects.select_related("conversation", "human_message").get(pk=turn_id)
    intent = judge_intent(turn.human_message.text)
    # On this very object too: whoever hears of the turn's end reads it there.
    turn.intent = intent.label
    turn.intent_tools = sorted(intent.tools)
    turn.intent_span = list(intent.span) if intent.span else None
    turn.save(update_fields=["intent", "intent_tools", "intent_span"])
    append(
        conversation_id=turn.conversation_id,
        tenant_id=turn.tenant_id,
        events=[turn_event(turn, TurnState.RUNNING)],
        now=now,
    )
    return Job(
        turn=turn,
        owner=owner,
        language=turn.conversation.language,
        start_max=turn.conversation.message_seq,
        intent_tools=intent.tools,
        switch_on=settings.WRITE_TOOLS_SERVED,
    )


def turn_event(turn: Turn, state: TurnState, **facts: Any) -> NewEvent:
    """Return the journal's event of a turn's new state."""
    return NewEvent(
        EventKind.TURN,
        {
            "turn": str(turn.pk),
            "state": state.value,
            "attempt": turn.attempt,
            **facts,
        },
    )


def tool_context(job: Job, call_id: str, *, now: dt.datetime) -> ToolContext:
    """Return what a tool may know in this turn."""
    return ToolContext(
        principal=job.principal,
        conversation_id=job.turn.conversation_id,
        turn_id=job.turn.pk,
        human_message_id=job.turn.human_message_id,
        call_id=call_id,
        language=job.language,
        now=now,
    )


def prepare_step(job: Job) -> StepRequest:
    """Build the next model call from rows, and mark that it is about to go out."""
    now = timezone.now()
    job.step += 1
    call_site = "Dialogue:GeneralDialogue" if job.step == 1 else _FOLLOW_UP
    preset = resolve_preset(call_site=call_site)
    key = prompt.provider_key(preset.name, preset.model)
    with transaction.atomic():
        _hold(job, call_in_flight=_in_flight(job, call_site, preset.name, now))
        session, messages = load_window(
            turn=job.turn, provider_key=key, up_to=job.start_max, now=now
        )
    context = gate_context(
        context=tool_context(job, "", now=now), intent_tools=job.intent_tools
    )
    tools = served_tools(context)
    system = prompt.system_text(
        conversation=job.turn.conversation,
        can_propose=any(tool.name == "mission_propose" for tool in tools),
        first_seq=session.start_seq,
    )
    request = LLMRequest(
        system=system,
        messages=prompt.prompt_messages(
            messages, turn_id=job.turn.pk, attempt=job.turn.attempt
        ),
        tools=tools,
        language=job.language,
        max_output_tokens=prompt.output_limit(),
    )
    return StepRequest(request, _manifest(system, tools, messages), call_site)


_FOLLOW_UP = "Dialogue:MissionAssistant"


def _in_flight(
    job: Job, call_site: str, preset: str, now: dt.datetime
) -> dict[str, Any]:
    return {
        "step": job.step,
        "attempt": job.turn.attempt,
        "call_site": call_site,
        "preset": preset,
        "started_at": now.isoformat(),
    }


def _manifest(
    system: str, tools: tuple[ToolSpec, ...], messages: list[WindowRow]
) -> dict[str, Any]:
    listing = "\n".join(f"{tool.name}\t{tool.description}" for tool in tools)
    return {
        "system": store_part(system),
        "tools": store_part(listing),
        "messages": [messages[0].seq, messages[-1].seq] if messages else [],
    }


def _hold(job: Job, **changes: Any) -> None:
    """Update the turn under the fence, or raise `LostLease`."""
    live = Turn.objects.filter(job.fence, pk=job.turn.pk, state__in=LIVE_STATES)
    # Naming the owner again changes nothing, and locks the row.
    if not live.update(lease_owner=job.owner, **changes):
        raise LostLease


def store_calls(
    job: Job, *, text: str, calls: tuple[ToolRequest, ...]
) -> tuple[ToolRequest, ...]:
    """Store the assistant's message that asks for tools; return the calls to run.

    Calls get ids of our own: providers repeat theirs from turn to turn.
    """
    now = timezone.now()
    own = tuple(
        ToolRequest(f"call_{new_id().hex}", call.name, call.arguments) for call in calls
    )
    data = {
        "step": job.step,
        "tool_calls": [
            {"id": call.id, "name": call.name, "arguments": call.arguments}
            for call in own
        ],
    }
    events = [
        NewEvent(EventKind.TOOL, {**_of_turn(job), "call": c.id, "name": c.name[:120]})
        for c in own
    ]
    with transaction.atomic():
        _hold(job, call_in_flight=None)
        TurnChunk.objects.filter(turn_id=job.turn.pk).delete()
        append(
            conversation_id=job.turn.conversation_id,
            tenant_id=job.turn.tenant_id,
            messages=[_message(job, MessageRole.ASSISTANT, text, data)],
            events=events,
            now=now,
        )
    return own


def _of_turn(job: Job) -> dict[str, Any]:
    return {"turn": str(job.turn.pk), "state": "running"}


def _message(
    job: Job, role: MessageRole, text: str, data: dict[str, Any]
) -> NewMessage:
    return NewMessage(role, text, data, turn_id=job.turn.pk, attempt=job.turn.attempt)


def run_tool(job: Job, call: ToolRequest, *, cut_off: bool) -> Executed:
    """Run one call through the gate and store its result as a message."""
    now = timezone.now()
    _hold(job)
    done = execute_call(
        request=call,
        context=tool_context(job, call.id, now=now),
        intent_tools=job.intent_tools,
        attempt=job.turn.attempt,
        cut_off=cut_off,
        on_blocked=hooks.call_blocked,
    )
    data = {
        "call_id": call.id,
        "name": done.name,
        "state": done.state,
        "verdict": done.verdict,
        "gate": done.gate,
        "result": done.result,
        "cards": list(done.cards),
        "tool_call": str(done.tool_call_id),
    }
    with transaction.atomic():
        _hold(job)
        append(
            conversation_id=job.turn.conversation_id,
            tenant_id=job.turn.tenant_id,
            messages=[_message(job, MessageRole.TOOL, "", data)],
            events=[
                NewEvent(
                    EventKind.TOOL,
                    {**_of_turn(job), "call": call.id, "state": done.state},
                )
            ],
            now=timezone.now(),
        )
    return done


def is_slow_tool(name: str) -> bool:
    """Tell whether a tool may take long; it then runs where it starves nobody."""
    tool = find_tool(name)
    return tool is None or tool.held_back


def finish(
    job: Job,
    state: TurnState,
    *,
    text: str = "",
    facts: dict[str, Any] | None = None,
    error_code: str = "",
    error_detail: str = "",
) -> None:
    """End the turn: its text, its state, the event and what apps above add, at once.

    Raises `LostLease` and changes nothing if the turn is no longer ours.
    """
    with transaction.atomic():
        end_turn(
            job.turn,
            state,
            where=job.fence,
            text=text,
            facts={"step": job.step, **(facts or {})},
            error_code=error_code,
            error_detail=error_detail,
            now=timezone.now(),
        )


def end_turn(
    turn: Turn,
    state: TurnState,
    *,
    where: Q,
    text: str,
    facts: dict[str, Any],
    error_code: str = "",
    error_detail: str = "",
    now: dt.datetime,
) -> None:
    """End a turn inside the caller's transaction, whoever ends it.

    The state moves first: of two enders one wins, the other gets `LostLease`.
    """
    partial = state is not TurnState.DONE
    moved = advance(
        turn.pk,
        state,
        where,
        Q(state__in=sources_of(state)),
        ended_at=now,
        lease_owner="",
        lease_expires_at=None,
        call_in_flight=None,
        error_code=error_code[:40],
        error_detail=error_detail[:500],
    )
    if not moved:
        raise LostLease
    turn.state, turn.ended_at, turn.error_code = state, now, error_code
    TurnChunk.objects.filter(turn_id=turn.pk).delete()
    messages = []
    if text:
        data = {**facts, "partial": True} if partial else facts
        messages.append(
            NewMessage(
                MessageRole.ASSISTANT,
                text,
                data,
                turn_id=turn.pk,
                attempt=turn.attempt,
            )
        )
    error = {"error": error_code} if error_code else {}
    append(
        conversation_id=turn.conversation_id,
        tenant_id=turn.tenant_id,
        messages=messages,
        events=[turn_event(turn, state, **error)],
        now=now,
    )
    hooks.turn_ended(turn=turn, now=now)


def wait_for_provider(job: Job, *, waiting: bool) -> None:
    """Show that the provider makes us wait, or that it no longer does."""
    state = TurnState.WAITING if waiting else TurnState.RUNNING
    with transaction.atomic():
        if advance(job.turn.pk, state, job.fence):
            append(
                conversation_id=job.turn.conversation_id,
                tenant_id=job.turn.tenant_id,
                events=[turn_event(job.turn, state)],
                now=timezone.now(),
            )
