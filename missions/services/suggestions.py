"""Ideas that reached no proposal: recorded by themselves, reviewed by people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from decisions.models import AttentionRequest, RequestKind
from dialogue.models import Turn, TurnState
from dialogue.selectors import visible_conversations
from dialogue.services.journal import append_notice, touch_card
from missions.models import (
    Mission,
    MissionSuggestionRecord,
    SuggestionReason,
    SuggestionStatus,
)
from missions.specification import one_line
from tooling.boundary import check_text, clean_text, is_seen
from tooling.errors import Conflict, NotFound
from tooling.gate.judge import WRITE_ALLOWLIST, Decision, Gate
from tooling.intent.types import IntentLabel
from tooling.models import ToolCall, ToolCallState
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act

if TYPE_CHECKING:
    import datetime as dt
    import uuid

    from missions.makers import Maker, Origin
    from tooling.registry import ToolContext

CARD = "suggestion"
PROPOSE_TOOL = "mission_propose"
CREATE_TOOL = "mission_create"
SWITCH_SETTING = "DIALOGUE_INPROCESSTOOLS_WRITEENABLED"
MAX_TITLE = 200
MAX_NOTED = 8_000


class AlreadyReviewed(Conflict):
    """Somebody has dismissed the suggestion or made a proposal of it."""

    code = "already_reviewed"
    message = gettext_lazy(
        "This suggestion is not open any more. Load the page again to see what "
        "became of it."
    )


def record_turn_suggestion(*, turn: Turn, now: dt.datetime) -> None:
    """Keep an idea that reached no proposal. Hook of a turn's end.

    At most one a turn, and none where a call of the turn left one already, where
    the turn raised a proposal or found the one that stands, or made the Mission.
    """
    if not _holds_an_idea(turn) or _reached_somebody(turn):
        return
    text = turn.human_message.text
    suggestion = _store(
        MissionSuggestionRecord(
            tenant_id=turn.tenant_id,
            origin_conversation=turn.conversation_id,
            origin_message=turn.human_message_id,
            origin_turn=turn.pk,
            title=suggestion_title(text),
            text=text,
            reason=_reason(turn),
            created_at=now,
        )
    )
    if suggestion is not None:
        _tell(suggestion, language=turn.conversation.language, now=now)


def _holds_an_idea(turn: Turn) -> bool:
    """Tell whether the person wished for work, or ordered a Mission for it."""
    ordered = turn.intent == IntentLabel.EXECUTION_COMMAND
    return turn.intent == IntentLabel.FEATURE_REQUEST or (
        ordered and CREATE_TOOL in turn.intent_tools
    )


def record_blocked_write(
    *, tool_call: ToolCall, context: ToolContext, now: dt.datetime
) -> None:
    """Keep a write that a gate stopped. Hook of a blocked call, one row each.

    None for names that are not on the allow-list, none while the switch keeps them
    from being served at all, and none for a call that the turn has seen before.
    """
    held_back = tool_call.verdict in (Decision.REFUSE, Decision.SURFACE)
    if not held_back or tool_call.name not in WRITE_ALLOWLIST:
        return
    if tool_call.gate in (Gate.SWITCH, Gate.UNKNOWN, Gate.DISPOSE, Gate.REPEAT):
        return
    named = tool_call.arguments.get("title")
    title = named if isinstance(named, str) and named.strip() else tool_call.name
    _store(
        MissionSuggestionRecord(
            tenant_id=context.principal.tenant_id,
            origin_conversation=context.conversation_id,
            origin_message=context.human_message_id,
            origin_turn=context.turn_id,
            tool_call_id=tool_call.pk,
            title=suggestion_title(title),
            text=_wish(tool_call),
            reason=SuggestionReason.BLOCKED_WRITE,
            tool=tool_call.name,
            arguments=tool_call.arguments,
            created_at=now,
        )
    )


def note_suggestion(
    *, maker: Maker, origin: Origin, title: str, text: str = "", now: dt.datetime
) -> MissionSuggestionRecord:
    """Keep an idea that a conversation was asked to note down.

    `origin` names a message and a turn. Rights are the caller's to check. Raises
    `InvalidInput`.
    """
    if origin.message_id is None or origin.turn_id is None:
        message = "a noted suggestion comes from a turn"
        raise ValueError(message)
    heading = one_line(title, field="title")
    detail = check_text(text.strip(), field="text", max_chars=MAX_NOTED)
    with transaction.atomic():
        suggestion = MissionSuggestionRecord.objects.create(
            tenant_id=maker.tenant_id,
            origin_conversation=origin.conversation_id,
            origin_message=origin.message_id,
            origin_turn=origin.turn_id,
            title=heading,
            text=detail if is_seen(detail) else heading,
            reason=SuggestionReason.NOTED,
            maker_kind=maker.kind,
            created_at=now,
        )
        record_act(
            principal=maker.principal(),
            action="suggestion.noted",
            target_type="suggestion",
            target_id=suggestion.pk,
            after={"title": suggestion.title, **origin.facts()},
        )
    return suggestion


def dismiss_suggestion(
    *, principal: Principal, suggestion_id: uuid.UUID, now: dt.datetime
) -> MissionSuggestionRecord:
    """Put an open suggestion aside. Twice is harmless.

    Raises `NotFound`, and `AlreadyReviewed` where it became a proposal.
    """
    require(principal, Act.TRIAGE)
    with transaction.atomic():
        suggestion = _find(principal, suggestion_id)
        if suggestion.status == SuggestionStatus.DISMISSED:
            return suggestion
        _close(suggestion, SuggestionStatus.DISMISSED)
        record_act(
            principal=principal,
            action="suggestion.dismissed",
            target_type="suggestion",
            target_id=suggestion.pk,
        )
        _touch(suggestion, now=now)
    return suggestion


def convert_suggestion(
    *, principal: Principal, suggestion_id: uuid.UUID, now: dt.datetime
) -> MissionSuggestionRecord:
    """Mark an open suggestion as turned into a proposal, within that transaction."""
    require(principal, Act.RAISE)
    suggestion = _find(principal, suggestion_id)
    _close(suggestion, SuggestionStatus.CONVERTED)
    record_act(
        principal=principal,
        action="suggestion.converted",
        target_type="suggestion",
        target_id=suggestion.pk,
    )
    _touch(suggestion, now=now)
    return suggestion


def convert_turn_suggestion(*, turn_id: uuid.UUID, now: dt.datetime) -> None:
    """Close what a turn had left: retried, it raised its proposal after all."""
    rows = MissionSuggestionRecord.objects.filter(
        origin_turn=turn_id, tool_call_id=None, status=SuggestionStatus.OPEN
    ).exclude(reason=SuggestionReason.NOTED)
    for suggestion in rows:
        _close(suggestion, SuggestionStatus.CONVERTED)
        _touch(suggestion, now=now)


def suggestion_title(text: str) -> str:
    """Return the first line of a text, cut at a word to 200 characters."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    line = " ".join(clean_text(first).split())
    if len(line) <= MAX_TITLE:
        return line
    return line[: MAX_TITLE - 1].rsplit(" ", 1)[0][: MAX_TITLE - 1] + "…"


def _reached_somebody(turn: Turn) -> bool:
    return (
        AttentionRequest.objects.filter(
            origin_turn=turn.pk, kind=RequestKind.APPROVAL
        ).exists()
        or MissionSuggestionRecord.objects.filter(origin_turn=turn.pk).exists()
        or ToolCall.objects.filter(
            turn_id=turn.pk, name=PROPOSE_TOOL, state=ToolCallState.DONE
        ).exists()
        or Mission.objects.filter(origin_message=turn.human_message_id).exists()
    )


def _reason(turn: Turn) -> SuggestionReason:
    if not settings.WRITE_TOOLS_SERVED:
        return SuggestionReason.SWITCH_OFF
    tried = ToolCall.objects.filter(turn_id=turn.pk, name=PROPOSE_TOOL).exists()
    if tried or turn.state != TurnState.DONE:
        return SuggestionReason.PROPOSE_FAILED
    return SuggestionReason.PROSE_ONLY


def _wish(tool_call: ToolCall) -> str:
    wanted = [
        f"{name}: {value}"
        for name, value in tool_call.arguments.items()
        if isinstance(value, str) and value.strip()
    ]
    return "\n".join([tool_call.name, *wanted])


def _store(suggestion: MissionSuggestionRecord) -> MissionSuggestionRecord | None:
    """Store it; None where the turn or the call has one already."""
    try:
        with transaction.atomic():
            suggestion.save(force_insert=True)
    except IntegrityError:
        return None
    return suggestion


def explain_reason(suggestion: MissionSuggestionRecord) -> str:
    """Return why it is no proposal, in a sentence of the active language."""
    reasons = {
        SuggestionReason.SWITCH_OFF: _(
            "Proposing is off in this deployment, so the idea is kept as a suggestion. "
            "Staff turn proposing on with the setting %(setting)s."
        )
        % {"setting": SWITCH_SETTING},
        SuggestionReason.PROPOSE_FAILED: _(
            "The proposal could not be raised, so the idea is kept as a suggestion."
        ),
        SuggestionReason.PROSE_ONLY: _(
            "The model wrote about the idea and proposed nothing, so it is kept as a "
            "suggestion."
        ),
        SuggestionReason.BLOCKED_WRITE: _(
            "The model wanted to do this and was held back, so it is kept as a "
            "suggestion."
        ),
        SuggestionReason.NOTED: _("Somebody asked for the idea to be noted down."),
    }
    return reasons[SuggestionReason(suggestion.reason)]


def _tell(
    suggestion: MissionSuggestionRecord, *, language: str, now: dt.datetime
) -> None:
    facts = {"reason": str(suggestion.reason), "title": suggestion.title}
    if suggestion.reason == SuggestionReason.SWITCH_OFF:
        facts["setting"] = SWITCH_SETTING
    with translation.override(language):
        text = explain_reason(suggestion)
    append_notice(
        conversation_id=suggestion.origin_conversation,
        tenant_id=suggestion.tenant_id,
        kind=CARD,
        text=text,
        cards=[{"kind": CARD, "id": str(suggestion.pk)}],
        facts=facts,
        now=now,
    )


def _touch(suggestion: MissionSuggestionRecord, *, now: dt.datetime) -> None:
    touch_card(
        conversation_id=suggestion.origin_conversation,
        tenant_id=suggestion.tenant_id,
        kind=CARD,
        id=suggestion.pk,
        now=now,
    )


def _find(principal: Principal, suggestion_id: uuid.UUID) -> MissionSuggestionRecord:
    found = MissionSuggestionRecord.objects.filter(
        pk=suggestion_id,
        tenant_id=principal.tenant_id,
        origin_conversation__in=visible_conversations(principal=principal).values("pk"),
    ).first()
    if found is None:
        raise NotFound
    return found


def _close(suggestion: MissionSuggestionRecord, status: SuggestionStatus) -> None:
    rows = MissionSuggestionRecord.objects.filter(
        pk=suggestion.pk, status=SuggestionStatus.OPEN
    )
    if not rows.update(status=status):
        raise AlreadyReviewed(extra={"status": suggestion.status})
    suggestion.status = status
