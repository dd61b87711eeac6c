"""Start another attempt at what an approval leads to, whatever the subject is."""

from __future__ import annotations

import datetime as dt
import uuid

from django.utils.translation import gettext_lazy

from decisions.kinds import find_subject
from decisions.selectors import request_for
from tooling.errors import Conflict
from tooling.policy import Act, Principal, require


class NothingToRetry(Conflict):
    """Nothing follows from requests of this kind."""

    code = "nothing_to_retry"
    message = gettext_lazy("Nothing follows from this request that could be retried.")


def retry_followup(
    *, principal: Principal, request_id: uuid.UUID, now: dt.datetime
) -> None:
    """Try again what an approval leads to; needs no second decision.

    Raises `NotAllowed`, `NotFound`, `NothingToRetry` and what the subject raises.
    """
    require(principal, Act.DECIDE)
    request = request_for(principal=principal, request_id=request_id)
    retry = find_subject(request.subject).retry
    if retry is None:
        raise NothingToRetry
    retry(principal=principal, request_id=request_id, now=now)
