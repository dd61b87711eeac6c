"""What a person does with a write that was held back: run it once, or put it aside."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dialogue.held import CARD, context_of, difference_of, find_held, runs_of
from dialogue.models import Conversation, ConversationStatus, EventKind, MessageRole
from dialogue.services.conversations import ConversationCompleted, find_for_change
from dialogue.services.journal import NewEvent, NewMessage, append, touch_card
from dialogue.tool_names import tool_words
from tooling.errors import Conflict
from tooling.gate.by_hand import execute_held
from tooling.gate.results import ByHand, Executed
from tooling.models import ToolCall, ToolCallState, User
from tooling.policy import Act, Principal, person_of, require
from tooling.services.audit import record_act

NOTICE = "action"


class DifferenceMoved(Conflict):
    """What the call would change is not what the person has read."""

    code = "difference_changed"
    message = gettext_lazy(
        "What this would change is not what you saw any more. Read it again, then "
        "run it if it is still right."
    )


class PutAside(Conflict):
    """Somebody has dismissed the card."""

    code = "dismissed"
    message = gettext_lazy("Somebody has put this aside in the meantime.")


def run_held_call(
    *,
    principal: Principal,
    conversation_id: uuid.UUID,
    call_id: uuid.UUID,
    seen: str,
    now: dt.datetime,
) -> Executed:
    """Run exactly what was held back, at most once; return what came of it.

    `seen` is the digest of the difference on the card. The gates are judged again:
    what one of them refuses, or the tool itself, is returned and can be tried again.
    Raises `NotFound`, `NotAllowed`, `ConversationCompleted`, `PutAside`,
    `DifferenceMoved`.
    """
    require(principal, Act.RUN_ONCE)
    conversation = _open(principal, conversation_id)
    held = find_held(conversation=conversation, call_id=call_id)
    if held.dismissed_at is not None:
        raise PutAside
    earlier = runs_of([held]).get(held.pk)
    if earlier is not None:
        return _executed(earlier)
    person = person_of(principal)
    context = context_of(held, person=person, language=conversation.language, now=now)
    if difference_of(held, context=context).digest != seen:
        raise DifferenceMoved
    who = str(User.objects.get(pk=person))

    def on_ran(done: Executed) -> None:
        _record(principal, held, done)
        _tell(conversation, held, done, who=who, now=now)

    done = execute_held(context=context, by_hand=ByHand(held, person, on_ran))
    if done.state != ToolCallState.DONE:
        with transaction.atomic():
            _record(principal, held, done)
            _touch(conversation, held, now=now)
    return done


def dismiss_held_call(
    *,
    principal: Principal,
    conversation_id: uuid.UUID,
    call_id: uuid.UUID,
    now: dt.datetime,
) -> ToolCall:
    """Put the card of a held-back call aside; its suggestion stays. Twice is harmless.

    Raises `NotFound`, `NotAllowed`.
    """
    require(principal, Act.RUN_ONCE)
    conversation = find_for_change(principal, conversation_id)
    held = find_held(conversation=conversation, call_id=call_id)
    with transaction.atomic():
        moved = ToolCall.objects.filter(pk=held.pk, dismissed_at__isnull=True).update(
            dismissed_at=now, dismissed_by_id=person_of(principal)
        )
        if moved:
            record_act(
                principal=principal,
                action="call.dismissed",
                target_type="tool_call",
                target_id=held.pk,
                after={"tool": held.name, "conversation": str(conversation.pk)},
            )
            _touch(conversation, held, now=now)
    held.refresh_from_db()
    return held


def _open(principal: Principal, conversation_id: uuid.UUID) -> Conversation:
    conversation = find_for_change(principal, conversation_id)
    if conversation.status != ConversationStatus.OPEN:
        raise ConversationCompleted
    return conversation


def _record(principal: Principal, held: ToolCall, done: Executed) -> None:
    record_act(
        principal=principal,
        action="call.run_once",
        target_type="tool_call",
        target_id=held.pk,
        before={"verdict": held.verdict, "gate": held.gate},
        after={
            "tool": held.name,
            "arguments_hash": held.arguments_hash,
            "verdict": done.verdict,
            "gate": done.gate,
            "state": done.state,
            "run": str(done.tool_call_id),
            "conversation": str(held.conversation_id),
        },
    )


def _tell(
    conversation: Conversation,
    held: ToolCall,
    done: Executed,
    *,
    who: str,
    now: dt.datetime,
) -> None:
    """Append the notice that person and model read, and touch the card."""
    text = _("%(who)s ran this once: %(what)s.") % {
        "who": who,
        "what": tool_words(held.name),
    }
    facts: dict[str, Any] = {
        "call": str(held.pk),
        "tool": held.name,
        "result": done.result,
    }
    data = {"kind": NOTICE, "cards": list(done.cards), "facts": facts}
    append(
        conversation_id=conversation.pk,
        tenant_id=conversation.tenant_id,
        messages=[NewMessage(MessageRole.NOTICE, text, data)],
        events=[NewEvent(EventKind.CARD, {"card": CARD, "id": str(held.pk)})],
        now=now,
    )


def _touch(conversation: Conversation, held: ToolCall, *, now: dt.datetime) -> None:
    touch_card(
        conversation_id=conversation.pk,
        tenant_id=conversation.tenant_id,
        kind=CARD,
        id=held.pk,
        now=now,
    )


def _executed(row: ToolCall) -> Executed:
    stored = row.result or {}
    return Executed(
        call_id=row.provider_call_id,
        name=row.name,
        state=row.state,
        verdict=row.verdict,
        gate=row.gate,
        result=stored.get("data", {}),
        cards=tuple(stored.get("cards", ())),
        tool_call_id=row.pk,
        basis=row.basis,
    )
