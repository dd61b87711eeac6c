"""Why not? What a turn's model was served, how each call was judged, what opens it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dialogue.models import Conversation, IntentCorrection, Turn
from dialogue.tool_names import tool_words
from tooling.gate.messages import what_opens, why_stopped
from tooling.intent.types import IntentLabel
from tooling.llm.manifest import PromptPartMissing, rebuild
from tooling.models import ModelCall, ToolCall, User
from tooling.registry import find_tool
from tooling.selectors import features_of, tool_calls_of_turn
from tooling.tiers import Basis

_READ_AS: dict[str, str | Promise] = {
    IntentLabel.QUESTION: _("a question"),
    IntentLabel.FEATURE_REQUEST: _("a wish for a feature or a change"),
    IntentLabel.EXECUTION_COMMAND: _("an order to do something now"),
    IntentLabel.OTHER: _("none of these"),
}
_SO: dict[str, str | Promise] = {
    IntentLabel.QUESTION: _(
        "A question lets no write run. The model may look things up, and propose."
    ),
    IntentLabel.FEATURE_REQUEST: _(
        "A wish lets no write run. The model is to raise a proposal, on which a person "
        "decides."
    ),
    IntentLabel.EXECUTION_COMMAND: _(
        "An order lets the writes run that it names, where the switch of the "
        "deployment and the toggle of the team are on."
    ),
    IntentLabel.OTHER: _("This lets no write run."),
}


def label_words(label: str) -> str:
    """Return what a message was read as, in words; empty before it was read."""
    return str(_READ_AS.get(label, ""))


def label_choices() -> list[tuple[str, str]]:
    """Return every label with its words."""
    return [(label.value, label_words(label)) for label in IntentLabel]


def why_turn(*, turn: Turn) -> dict[str, Any]:
    """Return plain facts on a turn, in the active language.

    Keys: `turn`, `state`, `attempt`, `intent` (label, words, so, tools, span, text,
    correction), `served` (name, tier; None where nothing is on record), `gates` as
    they stand now, and `calls` in order, each with its verdict, gate, basis, the
    sentence of the gate and what would open it.
    """
    calls = tool_calls_of_turn(turn_id=turn.pk)
    names = _names(calls)
    return {
        "turn": str(turn.pk),
        "state": str(turn.state),
        "attempt": turn.attempt,
        "intent": _intent(turn),
        "served": _served(turn),
        "gates": {
            "deployment_switch": bool(settings.WRITE_TOOLS_SERVED),
            "tenant_toggle": features_of(tenant_id=turn.tenant_id).write_tools,
        },
        "calls": [_call(call, names) for call in calls],
    }


def latest_turns(*, conversation: Conversation, limit: int) -> list[Turn]:
    """Return a conversation's newest turns, newest first."""
    rows = Turn.objects.filter(conversation=conversation)
    rows = rows.select_related("conversation", "human_message")
    return list(rows.order_by("-created_at", "-id")[:limit])


def _intent(turn: Turn) -> dict[str, Any]:
    span = turn.intent_span
    text = turn.human_message.text[span[0] : span[1]] if span else ""
    rows = IntentCorrection.objects.filter(turn=turn).select_related("corrected_by")
    correction = rows.order_by("-created_at", "-id").first()
    return {
        "label": turn.intent,
        "words": label_words(turn.intent),
        "so": str(_SO.get(turn.intent, "")),
        "tools": list(turn.intent_tools),
        "span": span,
        "text": text,
        "correction": {
            "label": correction.label,
            "words": label_words(correction.label),
            "by": str(correction.corrected_by),
            "at": correction.created_at,
        }
        if correction
        else None,
    }


def _served(turn: Turn) -> list[dict[str, str]] | None:
    """Return what the last model call of the turn was told of, from its manifest."""
    call = ModelCall.objects.filter(turn_id=turn.pk).order_by("started_at", "id").last()
    if call is None or not call.manifest.get("tools"):
        return None
    try:
        seen = rebuild(call.manifest)
    except PromptPartMissing:
        return None
    return [
        {"name": spec.name, "tier": str(tool.tier) if tool else ""}
        for spec in seen.tools
        for tool in [find_tool(spec.name)]
    ]


def _names(calls: Iterable[ToolCall]) -> dict[uuid.UUID | None, str]:
    keys = {call.person_id for call in calls if call.person_id}
    return {row.pk: str(row) for row in User.objects.filter(pk__in=keys)}


def _call(call: ToolCall, names: dict[uuid.UUID | None, str]) -> dict[str, Any]:
    said = (call.result or {}).get("data", {}).get("message")
    failed = call.verdict == "run" and isinstance(said, str)
    return {
        "id": str(call.pk),
        "attempt": call.attempt,
        "name": call.name,
        "words": tool_words(call.name),
        "tier": call.tier,
        "state": str(call.state),
        "verdict": call.verdict,
        "gate": call.gate,
        "basis": call.basis,
        "basis_words": str(Basis(call.basis).label) if call.basis else "",
        "grant": str(call.grant_id) if call.grant_id else None,
        "by": names.get(call.person_id, ""),
        "why": said if failed else why_stopped(call.gate),
        "opens": what_opens(call.gate),
    }
