"""What comes of a call, in the shapes that models, people and rows are given."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from pydantic import ValidationError

from tooling.boundary import check_json
from tooling.errors import DomainError
from tooling.gate.judge import Gate, Verdict
from tooling.gate.messages import refusal
from tooling.models import ToolCall

MAX_RESULT_BYTES = 32_000
INCOMPLETE = "arguments_incomplete"
OnRan = Callable[["Executed"], None]
# What a click on a card may open: it stands for the request that was missing, or
# finds the toggle on by now. All else stays shut.
HELD_GATES = frozenset({Gate.INTENT, Gate.TOGGLE, Gate.CAP})


@dataclass(frozen=True, slots=True)
class ByHand:
    """Who runs a held-back call by a click; `on_ran` is called in the transaction
    in which it runs, after its record.
    """

    held: ToolCall
    person_id: uuid.UUID
    on_ran: OnRan


@dataclass(frozen=True, slots=True)
class Executed:
    """What came of a call: plain JSON for the model, card references for people.

    `is_held` marks a write that a person may still run by hand.
    """

    call_id: str
    name: str
    state: str
    verdict: str
    gate: str
    result: dict[str, Any]
    cards: tuple[dict[str, str], ...] = ()
    tool_call_id: uuid.UUID | None = None
    basis: str = ""
    is_held: bool = False

    @property
    def incomplete(self) -> bool:
        """Tell whether the model's arguments were cut off or no JSON."""
        return self.result.get("error") == INCOMPLETE


def failure(code: str, message: str, field: str = "") -> dict[str, Any]:
    """Return the result of a call that failed: a code, and a sentence for people."""
    return {"error": code, "message": message, "field": field}


def domain_error(error: DomainError) -> dict[str, Any]:
    """Return the result of a call that a service refused."""
    return {
        **failure(error.code, str(error), error.field),
        **_plain_extra(error.extra),
    }


def _plain_extra(extra: dict[str, Any]) -> dict[str, Any]:
    return {"extra": check_json(extra)} if extra else {}


def invalid(error: ValidationError) -> dict[str, Any]:
    """Return the result of a call whose arguments do not fit."""
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    sentence = _("The arguments do not fit this tool, so nothing was done.")
    # For the model, which can mend its call; it is no sentence of the page.
    return {
        **failure("invalid_arguments", sentence, field),
        "detail": first["msg"],
    }


def done_already(verdict: Verdict, earlier: ToolCall) -> dict[str, Any]:
    """Return the result of a held-back call that has run for its message before."""
    said = _("This was done already for this message, so it was not done again.")
    done = (earlier.result or {}).get("data", {})
    return {**refusal(verdict), "message": said, "repeated": True, "earlier": done}


def bounded(data: dict[str, Any]) -> dict[str, Any]:
    """Return a tool's result, checked; what is too long says so instead."""
    return check_json(data, max_bytes=MAX_RESULT_BYTES) or {}


def once_key(*, human_message_id: uuid.UUID | None, name: str, arguments: str) -> str:
    """Return the key under which a write of these arguments (their hash) runs once."""
    parts = f"{human_message_id}|{name}|{arguments}"
    return hashlib.sha256(parts.encode()).hexdigest()
