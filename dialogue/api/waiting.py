"""`Prefer: wait=N`: hold an answer back until a turn has ended."""

from __future__ import annotations

import re
import time
import uuid

from django.db import connection
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from dialogue.api.reading import has_ended
from dialogue.live.bell import bell_of
from dialogue.models import Turn
from dialogue.selectors import turn_of
from tooling.policy import Principal

MAX_SECONDS = 60
_LONGEST_PAUSE = 0.5
_WAIT = re.compile(r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,6})\"?(?=$|[,;\s])", re.ASCII)

PREFER_PARAMETER = OpenApiParameter(
    "Prefer",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description=f"`wait=N`: answer when the turn has ended, after at most N seconds "
    f"(N up to {MAX_SECONDS}).",
)


def wait_wanted(request: Request) -> int:
    """Return the seconds that a caller is ready to wait; 0 for none or nonsense."""
    found = _WAIT.search(request.headers.get("Prefer", "")[:200].lower())
    return min(int(found.group(1)), MAX_SECONDS) if found else 0


def wait_for_turn(
    *, principal: Principal, turn_id: uuid.UUID, seconds: int
) -> Turn | None:
    """Return a turn once it has ended; None when the time is over first.

    Looks at the row when something happened in the conversation, and now and then;
    lends its connection back in between, so that callers who wait do not use up the
    pool.
    """
    until = time.monotonic() + seconds
    turn = turn_of(principal=principal, turn_id=turn_id)
    with bell_of(turn.conversation_id) as bell:
        while True:
            turn = turn_of(principal=principal, turn_id=turn_id)
            left = until - time.monotonic()
            if has_ended(turn):
                return turn
            if left <= 0:
                return None
            if not connection.in_atomic_block:
                connection.close()
            bell.wait(min(left, _LONGEST_PAUSE))
