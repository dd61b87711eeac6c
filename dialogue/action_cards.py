"""The card of a held-back write: what it would do, what stopped it, what opens it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from dialogue.cards import load_cards
from dialogue.held import (
    Difference,
    context_of,
    difference_of,
    failed_tries_of,
    held_calls,
    runs_of,
)
from dialogue.models import Conversation, ConversationStatus
from dialogue.selectors import visible_conversations
from dialogue.tool_names import in_words, tool_words
from tooling.gate.facts import facts_of, gate_context
from tooling.gate.judge import CallFacts, Gate, GateContext, judge
from tooling.gate.messages import what_opens, why_stopped
from tooling.models import Tenant, ToolCall, User
from tooling.policy import Act, Principal, allows
from tooling.registry import find_tool

DONE, DISMISSED, CLOSED, OPEN = "done", "dismissed", "closed", "open"
# A page full of open cards tells the difference for the newest of them alone; the
# others fetch theirs when they are looked at one by one.
MAX_DIFFERENCES = 10


def load_action_cards(
    *, tenant_id: uuid.UUID, ids: list[uuid.UUID], principal: Principal
) -> dict[uuid.UUID, dict[str, Any]]:
    """Return the card of each held-back call that the principal may see, by key."""
    seen = visible_conversations(principal=principal)
    calls = list(
        held_calls(tenant_id=tenant_id).filter(
            pk__in=ids, conversation_id__in=seen.values("pk")
        )
    )
    if not calls:
        return {}
    scene = _Scene(calls, principal, tenant_id)
    return {held.pk: scene.card(held) for held in calls}


@dataclass(frozen=True, slots=True)
class _Rights:
    """What the reader may do with an open card."""

    run: bool
    give: bool
    features: bool


def _why(held: ToolCall, gate: Gate) -> str:
    """Say what stopped the call then; what no longer does is not told as shut."""
    if held.gate == Gate.INTENT:
        return _("Nobody asked for exactly this in the message that it answers.")
    if gate is Gate.OPEN:
        return _("It was stopped then. Nothing but a click stands in its way now.")
    return why_stopped(held.gate)


class _Scene:
    """Everything that the cards of one batch need, read at once."""

    def __init__(
        self, calls: list[ToolCall], principal: Principal, tenant_id: uuid.UUID
    ) -> None:
        self.principal = principal
        self.now = timezone.now()
        self.slug = Tenant.objects.values_list("slug", flat=True).get(pk=tenant_id)
        keys = {held.conversation_id for held in calls if held.conversation_id}
        rows = Conversation.objects.filter(pk__in=keys)
        self.conversations = {row.pk: row for row in rows}
        self.runs = runs_of(calls)
        self.tries = failed_tries_of(calls)
        self.names = _names([*calls, *self.runs.values()])
        self.links = self._links()
        newest = sorted(calls, key=lambda held: held.started_at, reverse=True)
        waiting = [held for held in newest if held.pk not in self.runs]
        self.told = {held.pk for held in waiting[:MAX_DIFFERENCES]}
        self.gates = self._gates(calls[0])

    def _gates(self, held: ToolCall) -> GateContext:
        """Read the gates once: for a click they are the same in all conversations."""
        language = self.conversation_of(held).language
        context = context_of(
            held, person=self.principal.user_id, language=language, now=self.now
        )
        return gate_context(context=context, intent_tools=frozenset(), by_hand=True)

    def conversation_of(self, held: ToolCall) -> Conversation:
        return self.conversations[held.conversation_id or uuid.UUID(int=0)]

    def card(self, held: ToolCall) -> dict[str, Any]:
        """Return one card, as plain values."""
        conversation = self.conversation_of(held)
        state = self._state(held, conversation)
        gate = self._gate_now(held)
        card: dict[str, Any] = {
            "kind": "action",
            "id": str(held.pk),
            "state": state,
            "tool": held.name,
            "title": tool_words(held.name),
            "arguments": [
                {"label": label, "value": value}
                for label, value in in_words(held.arguments)
            ],
            "gate": held.gate,
            "why": _why(held, gate),
            "gate_now": gate.value,
            "opens": what_opens(held.gate if gate is Gate.OPEN else gate),
            "still_shut": "" if gate is Gate.OPEN else why_stopped(gate),
            **self._end(held, state),
            **self._difference(held, conversation, state),
            **self._choices(held, conversation, state, gate),
        }
        tried = self.tries.get(held.pk)
        if state == OPEN and tried is not None:
            card["tried"] = str((tried.result or {}).get("data", {}).get("message", ""))
        return card

    def _state(self, held: ToolCall, conversation: Conversation) -> str:
        if held.pk in self.runs:
            return DONE
        if held.dismissed_at is not None:
            return DISMISSED
        is_open = conversation.status == ConversationStatus.OPEN
        return OPEN if is_open else CLOSED

    def _gate_now(self, held: ToolCall) -> Gate:
        tool = find_tool(held.name)
        facts = facts_of(tool) if tool else CallFacts(name=held.name)
        here = held.conversation_id or uuid.UUID(int=0)
        return judge(facts, replace(self.gates, conversation_id=here)).gate

    def _end(self, held: ToolCall, state: str) -> dict[str, Any]:
        run = self.runs.get(held.pk)
        if run is not None:
            return {
                "by": self.names.get(run.person_id, ""),
                "by_hand": run.held_call_id is not None,
                "at": run.ended_at,
                "links": [self.links[key] for key in _refs([run]) if key in self.links],
            }
        if state == DISMISSED:
            by = self.names.get(held.dismissed_by_id, "")
            return {"by": by, "at": held.dismissed_at, "links": []}
        return {"by": "", "at": None, "links": []}

    def _difference(
        self, held: ToolCall, conversation: Conversation, state: str
    ) -> dict[str, Any]:
        if state != OPEN or held.pk not in self.told:
            return {"changes": [], "problem": "", "seen": "", "is_told": False}
        context = context_of(
            held,
            person=self.principal.user_id,
            language=conversation.language,
            now=self.now,
        )
        told: Difference = difference_of(held, context=context)
        return {
            "changes": [
                {"label": c.label, "before": c.before, "after": c.after}
                for c in told.changes
            ],
            "problem": told.problem,
            "seen": told.digest,
            "is_told": True,
        }

    def _choices(
        self, held: ToolCall, conversation: Conversation, state: str, gate: Gate
    ) -> dict[str, Any]:
        rights = self._rights(conversation)
        where = [self.slug, conversation.pk]
        may = state == OPEN and rights.run
        runs = may and gate is Gate.OPEN
        at_toggle = state == OPEN and gate is Gate.TOGGLE and rights.features
        return {
            "run_url": reverse("dialogue:run_once", args=[*where, held.pk])
            if runs
            else "",
            "grant_url": reverse("dialogue:grants", args=where)
            if runs and rights.give
            else "",
            "dismiss_url": reverse("dialogue:dismiss_call", args=[*where, held.pk])
            if may
            else "",
            "features_url": reverse("tooling:features", args=[self.slug])
            if at_toggle
            else "",
        }

    def _rights(self, conversation: Conversation) -> _Rights:
        who = self.principal
        theirs = conversation.created_by_id == who.user_id
        takes_part = theirs or not conversation.is_private
        return _Rights(
            run=takes_part and allows(who, Act.RUN_ONCE),
            give=takes_part and allows(who, Act.GRANT),
            features=allows(who, Act.FEATURES),
        )

    def _links(self) -> dict[tuple[str, str], dict[str, str]]:
        """Return where each thing that a run made is found, by kind and key."""
        refs = [{"kind": k, "id": i} for k, i in _refs(self.runs.values())]
        cards = load_cards(refs=refs, principal=self.principal)
        return {
            key: {
                "label": str(card.get("title", "")),
                "url": str(card.get("url") or card.get("page_url") or ""),
            }
            for key, card in cards.items()
        }


def _refs(runs: Iterable[ToolCall]) -> list[tuple[str, str]]:
    return [
        (str(ref["kind"]), str(ref["id"]))
        for run in runs
        for ref in (run.result or {}).get("cards", ())
    ]


def _names(calls: Iterable[ToolCall]) -> Mapping[uuid.UUID | None, str]:
    keys = {key for held in calls for key in (held.person_id, held.dismissed_by_id)}
    people = User.objects.filter(pk__in=[key for key in keys if key])
    return {person.pk: str(person) for person in people}
