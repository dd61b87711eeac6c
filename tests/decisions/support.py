"""Requests, people and choices for tests of the Decisions queue."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from typing import Any

from django.db import connections

from decisions.models import AttentionRequest
from decisions.services.deciding import Decided, decide
from tests.missions.support import NOW, Scene, propose
from tooling.errors import DomainError
from tooling.policy import Principal

APPROVE = "Approve and create"
CHANGES = "Request changes"
REJECT = "Reject"
LATER = NOW + dt.timedelta(hours=1)


def raised(scene: Scene, **changes: Any) -> AttentionRequest:
    """Raise a proposal as the model of the scene's turn."""
    return propose(scene, **changes).request


def choose(
    request: AttentionRequest, by: Principal, option: Any = APPROVE, **changes: Any
) -> Decided:
    """Decide on a request as it stands."""
    shown = {
        "revision": request.revision,
        "payload_hash": request.payload_hash,
        "now": LATER,
        **changes,
    }
    return decide(principal=by, request_id=request.pk, option=option, **shown)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run calls in threads released together; return results, or their errors."""
    barrier = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            results[place] = call()
        except DomainError as error:
            results[place] = error
        finally:
            connections.close_all()

    threads = [
        threading.Thread(target=run, args=(place, call))
        for place, call in enumerate(calls)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return results
