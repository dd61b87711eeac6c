"""Celery tasks of dialogue: hints only."""

from __future__ import annotations

from typing import Any

from celery import shared_task

from dialogue.turns.worker import worker


@shared_task(name="dialogue.run_turns")
def run_turns(**_kwargs: Any) -> None:
    """Wake the runner of this process; what to run it reads from the rows.

    Sent where no worker listens to the live channel (`dialogue.live.wake`).
    """
    worker.wake()
