"""Writes that a gate held back, as rows: which are open, and what they would change."""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from pydantic import ValidationError

from dialogue.models import Conversation
from tooling.boundary import payload_hash
from tooling.errors import DomainError, NotFound
from tooling.gate.judge import Decision
from tooling.gate.results import HELD_GATES, once_key
from tooling.models import ToolCall, ToolCallState
from tooling.policy import Principal, PrincipalKind
from tooling.registry import Change, ToolContext, find_tool
from tooling.tiers import Tier

log = logging.getLogger(__name__)

CARD = "action"


@dataclass(frozen=True, slots=True)
class Difference:
    """What a call would change now; `problem` says why it would fail instead.

    `digest` stands for both: a click carries that of the difference it has seen.
    """

    changes: tuple[Change, ...]
    problem: str = ""

    @property
    def digest(self) -> str:
        """Return the hash of what a person reads."""
        lines = [[c.label, c.before, c.after] for c in self.changes]
        return payload_hash({"changes": lines, "problem": self.problem})


def held_calls(*, tenant_id: uuid.UUID) -> QuerySet[ToolCall]:
    """Return a tenant's held-back writes, whatever became of them since."""
    return ToolCall.objects.filter(
        tenant_id=tenant_id,
        tier=Tier.WRITE,
        verdict__in=[Decision.SURFACE, Decision.REFUSE],
        gate__in=[gate.value for gate in HELD_GATES],
        held_call_id__isnull=True,
    )


def find_held(*, conversation: Conversation, call_id: uuid.UUID) -> ToolCall:
    """Return a held-back write of this conversation, or raise `NotFound`."""
    rows = held_calls(tenant_id=conversation.tenant_id)
    held = rows.filter(pk=call_id, conversation_id=conversation.pk).first()
    if held is None:
        raise NotFound
    return held


def key_of_run(held: ToolCall) -> str:
    """Return the key under which this very call runs once, whoever runs it."""
    return once_key(
        human_message_id=held.human_message_id,
        name=held.name,
        arguments=held.arguments_hash,
    )


def runs_of(calls: Iterable[ToolCall]) -> dict[uuid.UUID, ToolCall]:
    """Return the run of each held-back call that ran in the end.

    That is the run for its own message, by hand or not; or one of the very same
    arguments later in the conversation, as when the person told the model to go on.
    """
    held = list(calls)
    keys = {call.pk: key_of_run(call) for call in held}
    rows = ToolCall.objects.filter(
        Q(once_key__in=keys.values())
        | Q(
            conversation_id__in={call.conversation_id for call in held},
            arguments_hash__in={call.arguments_hash for call in held},
        ),
        state=ToolCallState.DONE,
        tier=Tier.WRITE,
        once_key__isnull=False,
    ).order_by("started_at", "id")
    found: dict[uuid.UUID, ToolCall] = {}
    for call in held:
        for run in rows:
            if run.once_key == keys[call.pk] or _is_later_twin(call, run):
                found[call.pk] = run
                break
    return found


def _is_later_twin(held: ToolCall, run: ToolCall) -> bool:
    return (
        (run.conversation_id, run.name) == (held.conversation_id, held.name)
        and run.arguments_hash == held.arguments_hash
        and run.started_at >= held.started_at
    )


def failed_tries_of(calls: Iterable[ToolCall]) -> dict[uuid.UUID, ToolCall]:
    """Return the last try by hand of each held-back call that came to nothing."""
    rows = ToolCall.objects.filter(held_call_id__in=[held.pk for held in calls])
    rows = rows.exclude(state=ToolCallState.DONE).order_by("ended_at", "id")
    return {row.held_call_id: row for row in rows if row.held_call_id}


def context_of(
    held: ToolCall, *, person: uuid.UUID | None, language: str, now: dt.datetime
) -> ToolContext:
    """Return what the tool may know: the origin of the call, and what `person` sees.

    The principal stays a model's: a click lends nobody's rights to a tool.
    """
    if not (held.conversation_id and held.turn_id and held.human_message_id):
        raise NotFound
    return ToolContext(
        principal=Principal(PrincipalKind.MODEL, held.tenant_id, person),
        conversation_id=held.conversation_id,
        turn_id=held.turn_id,
        human_message_id=held.human_message_id,
        call_id="by_hand",
        language=language,
        now=now,
    )


def difference_of(held: ToolCall, *, context: ToolContext) -> Difference:
    """Return what the call would change now, in the active language. Writes nothing."""
    tool = find_tool(held.name)
    if tool is None:
        return Difference((), _("This tool does not exist any more."))
    try:
        arguments = tool.arguments.model_validate(held.arguments)
        if tool.preview is None:
            return Difference(())
        return Difference(tuple(tool.preview(context=context, arguments=arguments)))
    except ValidationError:
        return Difference((), _("The arguments do not fit this tool."))
    except DomainError as error:
        return Difference((), str(error))
    except Exception:
        log.exception("preview failed", extra={"tool": held.name})
        return Difference((), _("What it would change cannot be told."))
