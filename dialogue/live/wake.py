"""Wakes the runners when a turn is queued: at once, cheaply, and only as a hint.

A runner in this process is told directly. Runners elsewhere listen on a Redis channel
of their own; when nobody listens there, Celery's queue keeps the hint for the worker
that comes next. (A message through Celery costs the worker some ten milliseconds of
processor time, a message on the channel a tenth of one.) A hint that is lost costs a
second: every runner also looks by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import transaction

from dialogue.live.bus import Listener, send
from tooling.hints import send_hint

CHANNEL = "dialogue:turns"
TASK = "dialogue.run_turns"
Wake = Callable[[], None]
_WAKERS: list[Wake] = []


def wake_on_commit() -> None:
    """Wake the runners once the transaction around the call has committed."""
    transaction.on_commit(wake_runners, robust=True)


def wake_runners() -> None:
    """Ask for a look at the queued turns. Never raises, never waits."""
    _wake_here()
    if settings.REDIS_URL and not _WAKERS:
        send(CHANNEL, b"1", unheard=_leave_with_celery)


def _leave_with_celery() -> None:
    send_hint(TASK)


def _wake_here() -> None:
    for wake in list(_WAKERS):
        wake()


def listen(wake: Wake) -> None:
    """Call `wake` whenever a turn was queued, from any thread."""
    _WAKERS.append(wake)
    _listener.ensure()


def stop_listening(wake: Wake) -> None:
    """Call `wake` no more."""
    if wake in _WAKERS:
        _WAKERS.remove(wake)


_listener = Listener(CHANNEL, lambda _data: _wake_here())
