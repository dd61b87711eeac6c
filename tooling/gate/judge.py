"""The pure verdict on one call. Everything it looks at is a value.

A write runs if and only if it is allow-listed AND the deployment's switch is on AND
the tenant's toggle is on AND (the person asked for that action on this turn OR a
live grant covers the tool). The order of the rules below is the order in which a
person would want to hear them; the first that fails names the gate.
"""

from __future__ import annotations

import datetime as dt
import enum
import uuid
from dataclasses import dataclass, field

from tooling.tiers import Basis, Tier, is_dispose_name

# A mutating tool is not served until it is named here. No delete verbs.
WRITE_ALLOWLIST = frozenset(
    {
        "decision_create",
        "mission_add_task",
        "mission_create",
        "mission_update",
        "suggestion_create",
        "task_create",
        "task_update",
        "workflow_draft_update",
    }
)


class Decision(enum.StrEnum):
    """What happens with a call."""

    RUN = "run"
    REFUSE = "refuse"
    SURFACE = "surface"


class Gate(enum.StrEnum):
    """The rule that decided; stored with the call and told to model and human."""

    OPEN = "open"
    DISPOSE = "dispose_name"
    UNKNOWN = "unknown_tool"
    UNCLASSIFIED = "unclassified"
    HELD_BACK = "held_back"
    ALLOWLIST = "not_allow_listed"
    SWITCH = "deployment_switch"
    TOGGLE = "tenant_toggle"
    INTENT = "no_explicit_request"
    CAP = "cap_per_turn"
    ANSWER_CAP = "cap_per_answer"
    REPEAT = "repeated_call"


# How often a model may make the very same call in one turn.
SAME_CALLS = 2


@dataclass(frozen=True, slots=True)
class CallFacts:
    """The call: the exact name, and the registered tool's facts if there is one."""

    name: str
    # A string that is no tier is judged as unclassified.
    tier: Tier | str | None = None
    held_back: bool = False


@dataclass(frozen=True, slots=True)
class GrantFact:
    """A human's leave for named tools in one conversation."""

    conversation_id: uuid.UUID
    tools: frozenset[str]
    expires_at: dt.datetime
    uses_left: int
    revoked: bool = False
    id: uuid.UUID | None = None

    def covers(
        self, name: str, *, conversation_id: uuid.UUID, now: dt.datetime
    ) -> bool:
        """Tell whether this grant is alive and names the tool in this place."""
        return (
            not self.revoked
            and self.uses_left > 0
            and now < self.expires_at
            and self.conversation_id == conversation_id
            and name in self.tools
        )


@dataclass(frozen=True, slots=True)
class GateContext:
    """Everything else that the verdict depends on, read when the call is judged.

    `by_hand` is true for the one call that a person runs by a click on its card.
    """

    conversation_id: uuid.UUID
    now: dt.datetime
    switch_on: bool
    toggle_on: bool
    intent_tools: frozenset[str] = frozenset()
    by_hand: bool = False
    grants: tuple[GrantFact, ...] = ()
    released: frozenset[str] = frozenset()
    ran_this_turn: int = 0
    cap_per_turn: int = 10
    # Calls that the same answer of the model asked for before this one.
    calls_before: int = 0
    cap_per_answer: int = 25
    # Calls with this name and these arguments that this turn has seen before.
    same_before: int = 0
    allowlist: frozenset[str] = field(default=WRITE_ALLOWLIST)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, with the gate that gave it, and by what a write may run."""

    decision: Decision
    gate: Gate
    basis: Basis | None = None
    grant_id: uuid.UUID | None = None

    @property
    def runs(self) -> bool:
        """Tell whether the call may run."""
        return self.decision is Decision.RUN


_RUN = Verdict(Decision.RUN, Gate.OPEN)


def _refuse(gate: Gate) -> Verdict:
    return Verdict(Decision.REFUSE, gate)


def judge(call: CallFacts, context: GateContext) -> Verdict:
    """Return the verdict on one call. Deny unless allowed; pure."""
    verdict = _judge_alone(call, context)
    if verdict.decision is Decision.REFUSE:
        return verdict
    if context.calls_before >= context.cap_per_answer:
        return _refuse(Gate.ANSWER_CAP)
    if context.same_before >= SAME_CALLS:
        return _refuse(Gate.REPEAT)
    return verdict


def _judge_alone(call: CallFacts, context: GateContext) -> Verdict:
    if is_dispose_name(call.name):
        return _refuse(Gate.DISPOSE)
    if call.tier is None:
        return _refuse(Gate.UNKNOWN)
    if call.tier is Tier.READ:
        return _judge_read(call, context)
    if call.tier is Tier.PROPOSE:
        return _judge_propose(context)
    if call.tier is Tier.WRITE:
        return _judge_write(call, context)
    return _refuse(Gate.UNCLASSIFIED)


def _judge_read(call: CallFacts, context: GateContext) -> Verdict:
    if call.held_back and call.name not in context.released:
        return _refuse(Gate.HELD_BACK)
    return _RUN


def _judge_propose(context: GateContext) -> Verdict:
    return _RUN if context.switch_on else _refuse(Gate.SWITCH)


def _judge_write(call: CallFacts, context: GateContext) -> Verdict:
    if call.name not in context.allowlist:
        return _refuse(Gate.ALLOWLIST)
    if not context.switch_on:
        return _refuse(Gate.SWITCH)
    if not context.toggle_on:
        return _refuse(Gate.TOGGLE)
    asked = context.by_hand or call.name in context.intent_tools
    # What was asked for takes no use of a grant.
    granted = None if asked else _covering(call, context)
    if not (asked or granted):
        return Verdict(Decision.SURFACE, Gate.INTENT)
    if context.ran_this_turn >= context.cap_per_turn:
        return _refuse(Gate.CAP)
    if granted:
        return Verdict(Decision.RUN, Gate.OPEN, Basis.GRANT, granted.id)
    basis = Basis.RUN_ONCE if context.by_hand else Basis.INTENT
    return Verdict(Decision.RUN, Gate.OPEN, basis)


def _covering(call: CallFacts, context: GateContext) -> GrantFact | None:
    """Return the grant that pays for a call: of those alive, the first to expire."""
    alive = [
        grant
        for grant in context.grants
        if grant.covers(
            call.name, conversation_id=context.conversation_id, now=context.now
        )
    ]
    return min(alive, key=lambda g: (g.expires_at, str(g.id)), default=None)


def is_served(call: CallFacts, context: GateContext) -> bool:
    """Tell whether a tool is listed to the model at all (gate one).

    Serving is not the gate: a forged call of an unlisted tool meets `judge()`.
    """
    if is_dispose_name(call.name):
        return False
    if call.tier is Tier.READ:
        return not call.held_back or call.name in context.released
    if call.tier is Tier.PROPOSE:
        return context.switch_on
    if call.tier is Tier.WRITE:
        return context.switch_on and call.name in context.allowlist
    return False
