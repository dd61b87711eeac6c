"""The poll beside the hints: one query a second and process for all open streams."""

from __future__ import annotations

import logging
import threading
import time

from django.db import DatabaseError, connection

from dialogue.live.bus import hub
from dialogue.models import Conversation
from dialogue.models.turn import LIVE_STATES, Turn

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
_IDS_PER_QUERY = 500


class Poller:
    """Looks at the counters of watched conversations, and at live turns' text."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def ensure(self) -> None:
        """Start polling if this process does not yet."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="live-poller", daemon=True
                )
                self._thread.start()

    def _run(self) -> None:
        while True:
            time.sleep(POLL_SECONDS)
            watched = hub.watched()
            if not watched:
                continue
            try:
                for first in range(0, len(watched), _IDS_PER_QUERY):
                    self._poll(watched[first : first + _IDS_PER_QUERY])
            except DatabaseError:
                log.exception("live poll failed")
            finally:
                if connection.vendor == "postgresql" or connection.errors_occurred:
                    connection.close()

    def _poll(self, ids: list[str]) -> None:
        rows = Conversation.objects.filter(pk__in=ids).values_list("pk", "event_seq")
        for conversation_id, event_seq in rows:
            hub.dispatch_hint(str(conversation_id), event_seq)
        live = Turn.objects.filter(conversation_id__in=ids, state__in=LIVE_STATES)
        for conversation_id in live.values_list("conversation_id", flat=True):
            # Zero: look for text yourself, the hint for it may have been lost.
            hub.dispatch_hint(str(conversation_id), 0)


poller = Poller()
