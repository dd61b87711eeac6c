"""What templates show of messages, cards and turns: plain values, few statements.

However many messages a page has, their turns, tool calls and cards are each read at
once.
"""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dialogue.cards import find_card, load_cards
from dialogue.models import ConversationMessage, MessageRole, Turn, TurnState
from dialogue.models.turn import LIVE_STATES
from dialogue.turns.states import RETRYABLE
from dialogue.web import rows as reads
from dialogue.web.words import (
    basis_words,
    ending,
    gate_words,
    tool_state,
    tool_words,
    turn_mark,
)
from tooling.models import ToolCall
from tooling.policy import Principal

MAX_JSON_CHARS = 20_000
LONG_CHARS = 2_500


@dataclass(frozen=True, slots=True)
class CardSlot:
    """A place that holds a card; `card` is None where the reader may not see it."""

    kind: str
    id: str
    template: str
    card: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class ToolStep:
    """One call of a tool. `result` and `arguments` are JSON for people to read."""

    call_id: str
    name: str
    words: str
    state: str
    state_words: str
    tone: str
    gate: str = ""
    sentence: str = ""
    arguments: str = ""
    result: str = ""
    seconds: float | None = None
    basis: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A message as it is shown; `mark` says what is amiss with it."""

    message: ConversationMessage
    is_mine: bool = False
    author: str = ""
    is_long: bool = False
    is_cut: bool = False
    mark: str = ""
    note: str = ""
    kind: str = ""
    steps: list[ToolStep] = field(default_factory=list)
    cards: list[CardSlot] = field(default_factory=list)

    @property
    def step(self) -> int | str:
        """Return which step of its turn this is, for the live text to give way."""
        number: int | str = self.message.data.get("step", "")
        return number


@dataclass(frozen=True, slots=True)
class TurnLine:
    """The state of a turn. `is_live` is true only while a worker holds its lease."""

    turn: Turn
    state: str
    is_live: bool = False
    sentence: str = ""
    detail: str = ""
    can_stop: bool = False
    can_retry: bool = False


class _Scene:
    """Everything that the items of one batch of messages need."""

    def __init__(
        self,
        rows: Sequence[ConversationMessage],
        principal: Principal,
        line: TurnLine | None,
    ) -> None:
        self.principal = principal
        refs = [ref for row in rows for ref in row.data.get("cards", ())]
        self.cards = load_cards(refs=refs, principal=principal)
        self.turns = reads.turns_of_messages(rows)
        self.marks = marks_of(self.turns.values(), line)
        self.calls = reads.tool_calls_of_messages(rows)
        asking = [row.turn_id for row in rows if row.data.get("tool_calls")]
        self.answered = reads.answered_calls({key for key in asking if key})

    def item(self, row: ConversationMessage) -> Item:
        turn = self.turns.get(row.turn_id) if row.turn_id else None
        if row.role == MessageRole.USER:
            return self._person(row)
        if row.role == MessageRole.TOOL:
            return Item(row, steps=[self._done(row)], cards=self.slots(row))
        if row.role == MessageRole.NOTICE:
            facts = row.data.get("facts") or {}
            note = str(facts.get("note") or "")
            return Item(
                row,
                kind=str(row.data.get("kind", "")),
                note="" if note in row.text else note,
                cards=self.slots(row),
            )
        return Item(
            row,
            is_cut=bool(row.data.get("partial")),
            mark=str(row.data.get("finish") or ""),
            steps=self._pending(row, turn),
        )

    def _person(self, row: ConversationMessage) -> Item:
        return Item(
            row,
            is_mine=row.author_id == self.principal.user_id,
            author=str(row.author),
            is_long=len(row.text) > LONG_CHARS,
            mark=self.marks.get(str(row.turn_id), ""),
        )

    def slots(self, row: ConversationMessage) -> list[CardSlot]:
        return [
            card_slot(
                str(ref["kind"]),
                str(ref["id"]),
                self.cards.get((str(ref["kind"]), str(ref["id"]))),
            )
            for ref in row.data.get("cards", ())
        ]

    def _pending(self, row: ConversationMessage, turn: Turn | None) -> list[ToolStep]:
        """Return the calls of an assistant's message that have no result yet."""
        going = turn is not None and turn.state in LIVE_STATES
        state = "running" if going else "cancelled"
        words, tone = tool_state(state)
        return [
            ToolStep(
                call_id=str(call.get("id")),
                name=str(call.get("name")),
                words=tool_words(str(call.get("name"))),
                state=state,
                state_words=words,
                tone=tone,
                arguments=_pretty(_parsed(call.get("arguments"))),
            )
            for call in row.data.get("tool_calls", ())
            if str(call.get("id")) not in self.answered
        ]

    def _done(self, row: ConversationMessage) -> ToolStep:
        data = row.data
        name, state = str(data.get("name", "")), str(data.get("state", ""))
        words, tone = tool_state(state)
        result = data.get("result") or {}
        call = self.calls.get(str(data.get("tool_call")))
        refused = bool(result.get("refused") or result.get("error"))
        return ToolStep(
            call_id=str(data.get("call_id", "")),
            name=name,
            words=tool_words(name),
            state=state,
            state_words=words,
            tone=tone,
            gate=gate_words(str(data.get("gate", ""))),
            sentence=str(result.get("message") or "") if refused else "",
            arguments=_pretty(call.arguments) if call else "",
            result=_pretty(result),
            seconds=_seconds(call),
            basis=basis_words(call.basis) if call else "",
        )


def present(
    rows: Sequence[ConversationMessage],
    *,
    principal: Principal,
    line: TurnLine | None,
) -> list[Item]:
    """Return messages as they are shown; `line` is the one that stands below them."""
    scene = _Scene(rows, principal, line)
    return [scene.item(row) for row in rows]


def card_slot(kind: str, key: str, card: dict[str, Any] | None) -> CardSlot:
    """Return the place of a card with its context."""
    found = find_card(kind)
    template = found.template if found else ""
    return CardSlot(kind, key, template, card if template else None)


def load_card(kind: str, key: uuid.UUID, *, principal: Principal) -> CardSlot:
    """Return one card as it stands now."""
    ref = {"kind": kind, "id": str(key)}
    cards = load_cards(refs=[ref], principal=principal)
    return card_slot(kind, str(key), cards.get((kind, str(key))))


def turn_line(
    recent: Sequence[Turn], *, may_act: bool, now: dt.datetime
) -> TurnLine | None:
    """Return the line below the messages: what is under way, or how the last ended.

    `recent` are the newest turns, newest first. Turns that wait behind another are
    marked at their messages instead; so are older ones that ended badly.
    """
    unfinished = [turn for turn in recent if turn.state in reads.UNFINISHED]
    if unfinished:
        live = [turn for turn in unfinished if turn.state in LIVE_STATES]
        return _going((live or unfinished[::-1])[0], may_act=may_act, now=now)
    if not recent or recent[0].state == TurnState.DONE:
        return None
    latest = recent[0]
    return TurnLine(
        turn=latest,
        state=latest.state,
        sentence=ending(latest.state, latest.error_code),
        detail=latest.error_detail,
        can_retry=may_act and latest.state in RETRYABLE,
    )


def marks_of(turns: Iterable[Turn], line: TurnLine | None) -> dict[str, str]:
    """Return what stands at the messages of turns, by the turn's key as text."""
    below = line.turn.pk if line else None
    return {
        str(turn.pk): "" if turn.pk == below else turn_mark(turn.state, turn.error_code)
        for turn in turns
    }


def _going(turn: Turn, *, may_act: bool, now: dt.datetime) -> TurnLine:
    leased = turn.lease_expires_at is not None and turn.lease_expires_at > now
    is_live = turn.state in LIVE_STATES and leased
    state = turn.state
    if turn.state in LIVE_STATES and not leased:
        state = "lost"
    can_stop = may_act and turn.state != TurnState.STOPPING
    return TurnLine(turn=turn, state=state, is_live=is_live, can_stop=can_stop)


def _parsed(arguments: Any) -> Any:
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return arguments


def _pretty(value: Any) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    if len(text) > MAX_JSON_CHARS:
        return text[:MAX_JSON_CHARS] + "\n…"
    return text


def _seconds(call: ToolCall | None) -> float | None:
    if call is None or call.ended_at is None:
        return None
    return max(0.0, (call.ended_at - call.started_at).total_seconds())
