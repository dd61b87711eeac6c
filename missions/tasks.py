"""Tasks of the queue: each fetches nothing and calls one service."""

from __future__ import annotations

import logging
import uuid
from typing import Any

from celery import Task, shared_task
from django.utils import timezone

from missions.receivers import TASK
from missions.services.materialising import NotApproved, materialise
from tooling.errors import NotFound

log = logging.getLogger(__name__)

# A task may overtake the commit that it was sent after, on another machine.
RETRY_SECONDS = 5
RETRIES = 12


@shared_task(name=TASK, bind=True, acks_late=True, max_retries=RETRIES)
def materialise_approved(
    self: Task[Any, None], /, *, request_id: str, **_: Any
) -> None:
    """Materialise one approved request. Redelivery and repetition are harmless."""
    try:
        materialise(request_id=uuid.UUID(request_id), now=timezone.now())
    except NotFound as error:
        if self.request.retries >= RETRIES:
            log.warning("no request to materialise", extra={"request": request_id})
            return
        raise self.retry(exc=error, countdown=RETRY_SECONDS) from error
    except NotApproved:
        log.info("nothing to materialise", extra={"request": request_id})
