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

from dialogue.call_sites import GENERAL, MISSION
from dialogue.models import (
    LIVE_STATES,
    Turn,
    TurnState,
)
from dialogue.services.journal import append
from dialogue.turns import prompt
from dialogue.turns.endings import LostLease, end_turn, turn_event
from dialogue.turns.rows import WindowRow
from dialogue.turns.states import advance
from dialogue.turns.window import load_window
from tooling.gate.facts import gate_context, served_tools
from tooling.intent import judge_intent
from tooling.llm.manifest import store_part, tools_text
from tooling.llm.presets import resolve_preset
from tooling.llm.types import LLMRequest, ToolSpec
from tooling.models import ToolCall, ToolCallState
from tooling.policy import Principal, PrincipalKind
from tooling.registry import ToolContext


@dataclass(slots=True)
class Job:
    """A leased turn and what its steps need; values only, made when claimed."""

    turn: Turn
    owner: str
    language: str
    start_max: int
    intent_tools: frozenset[str]
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
    intent = judge_intent(turn.human_message.text, pending=_pending_tool(turn))
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
    )


def _pending_tool(turn: Turn) -> str | None:
    """Return the tool of the one action that the turn before showed to the person.

    What was surfaced only after the message had been sent is nothing it can agree to.
    """
    earlier = Turn.objects.filter(
        conversation=turn.conversation_id,
        human_message__seq__lt=turn.human_message.seq,
    )
    before = earlier.order_by("-human_message__seq").first()
    if before is None:
        return None
    calls = ToolCall.objects.filter(
        turn_id=before.pk, attempt=before.attempt, state=ToolCallState.SURFACED
    ).values_list("name", "started_at")[:2]
    shown = [name for name, at in calls if at < turn.human_message.created_at]
    return shown[0] if len(shown) == len(calls) == 1 else None


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
    call_site = (GENERAL if job.step == 1 else MISSION).name
    preset = resolve_preset(call_site=call_site)
    key = prompt.provider_key(preset.name, preset.model)
    with transaction.atomic():
        hold(job, call_in_flight=_in_flight(job, call_site, preset.name, now))
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
    return {
        "system": store_part(system),
        "tools": store_part(tools_text(tools)),
        "messages": [messages[0].seq, messages[-1].seq] if messages else [],
    }


def hold(job: Job, **changes: Any) -> None:
    """Update the turn under the fence, or raise `LostLease`."""
    live = Turn.objects.filter(job.fence, pk=job.turn.pk, state__in=LIVE_STATES)
    # Naming the owner again changes nothing, and locks the row.
    if not live.update(lease_owner=job.owner, **changes):
        raise LostLease


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
