"""What the judge says about a person's message."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class IntentLabel(enum.StrEnum):
    """What a message is for."""

    QUESTION = "question"
    FEATURE_REQUEST = "feature_request"
    EXECUTION_COMMAND = "execution_command"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Intent:
    """A verdict on one message.

    `tools` are the tools that an explicit command authorises, empty for every other
    label. `span` is the part of the message (start, end in characters) that decided,
    None where nothing in particular did.
    """

    label: IntentLabel
    tools: frozenset[str] = frozenset()
    span: tuple[int, int] | None = None
