"""The bus: hints that something new can be read, and streamed text on the fly.

Rows are the truth. A hint that is lost costs a reader one second, since each process
also polls the conversations that it streams. In-process in the embedded shape, over
Redis in the grown one; publishing never blocks the caller.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import orjson
import redis
from django.conf import settings

log = logging.getLogger(__name__)

CHANNEL = "dialogue:live"
_ORIGIN = uuid.uuid4().hex
_BREAK_SECONDS = 2.0
# Channel, payload, and whom to tell when nobody listens.
_Outgoing = tuple[str, bytes, "Callable[[], None] | None"]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Streamed text: `offset` counts characters from the start of the step's text."""

    turn_id: str
    attempt: int
    step: int
    offset: int
    text: str


class Subscriber(Protocol):
    """Somebody who streams one conversation. Called from any thread."""

    def hint(self, event_seq: int) -> None:
        """Events up to this number can be read (0: look for yourself)."""
        ...

    def text(self, piece: TextPiece) -> None:
        """More text of the running answer."""
        ...


class Hub:
    """The subscribers of this process, by conversation."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_conversation: dict[str, set[Subscriber]] = defaultdict(set)

    def add(self, conversation_id: uuid.UUID, subscriber: Subscriber) -> None:
        """Begin to pass hints on."""
        with self._lock:
            self._by_conversation[str(conversation_id)].add(subscriber)
        _listener.ensure()

    def remove(self, conversation_id: uuid.UUID, subscriber: Subscriber) -> None:
        """Stop passing hints on."""
        key = str(conversation_id)
        with self._lock:
            self._by_conversation[key].discard(subscriber)
            if not self._by_conversation[key]:
                del self._by_conversation[key]

    def watched(self) -> list[str]:
        """Return the conversations that somebody streams here."""
        with self._lock:
            return list(self._by_conversation)

    def dispatch_hint(self, conversation_id: str, event_seq: int) -> None:
        """Pass a hint to this process's subscribers."""
        for subscriber in self._of(conversation_id):
            subscriber.hint(event_seq)

    def dispatch_text(self, conversation_id: str, piece: TextPiece) -> None:
        """Pass text to this process's subscribers."""
        for subscriber in self._of(conversation_id):
            subscriber.text(piece)

    def _of(self, conversation_id: str) -> list[Subscriber]:
        with self._lock:
            return list(self._by_conversation.get(conversation_id, ()))


hub = Hub()


def publish(conversation_id: uuid.UUID, event_seq: int) -> None:
    """Say that events up to `event_seq` are committed."""
    hub.dispatch_hint(str(conversation_id), event_seq)
    _send({"e": [[str(conversation_id), event_seq]]})


def publish_text(pieces: Iterable[tuple[uuid.UUID, TextPiece]]) -> None:
    """Pass on streamed text, already stored in the turn's buffer."""
    wire = []
    for conversation_id, piece in pieces:
        key = str(conversation_id)
        hub.dispatch_text(key, piece)
        wire.append(
            [key, piece.turn_id, piece.attempt, piece.step, piece.offset, piece.text]
        )
    _send({"t": wire})


def _send(message: dict[str, Any]) -> None:
    if settings.REDIS_URL:
        send(CHANNEL, orjson.dumps({"o": _ORIGIN, **message}))


def send(
    channel: str, payload: bytes, *, unheard: Callable[[], None] | None = None
) -> None:
    """Publish to Redis by a thread of this process. Never raises, never waits.

    `unheard` is called, on that thread, when nobody listens to the channel.
    """
    _publisher.put((channel, payload, unheard))


def _client(*, reading: bool) -> redis.Redis:
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=1.5,
        socket_timeout=None if reading else 1.5,
        socket_keepalive=True,
    )


class _Publisher:
    """One thread a process that publishes to Redis, with a breaker."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[_Outgoing] = queue.Queue(5000)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, outgoing: _Outgoing) -> None:
        """Queue a message; when too many wait, readers poll instead."""
        try:
            self._waiting.put_nowait(outgoing)
        except queue.Full:
            return
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="live-publisher", daemon=True
                )
                self._thread.start()

    def _run(self) -> None:
        client: Any = _client(reading=False)
        broken_until = 0.0
        while True:
            channel, payload, unheard = self._waiting.get()
            if time.monotonic() < broken_until:
                continue
            try:
                heard = client.publish(channel, payload)
            except (redis.RedisError, OSError) as error:
                broken_until = time.monotonic() + _BREAK_SECONDS
                log.warning("live hint lost: %s", type(error).__name__)
                continue
            if not heard and unheard is not None:
                unheard()


class Listener:
    """One thread a process that takes what others publish on a channel."""

    def __init__(self, channel: str, take: Callable[[bytes], None]) -> None:
        self._channel = channel
        self._take = take
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def ensure(self) -> None:
        """Start listening if this process does not yet."""
        if not settings.REDIS_URL:
            return
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name=f"listen {self._channel}", daemon=True
                )
                self._thread.start()

    def _run(self) -> None:
        while True:
            try:
                self._listen()
            except (redis.RedisError, OSError) as error:
                log.warning("live listener lost Redis: %s", type(error).__name__)
                time.sleep(1.0)

    def _listen(self) -> None:
        client: Any = _client(reading=True)
        pubsub = client.pubsub(ignore_subscribe_messages=True)
        pubsub.subscribe(self._channel)
        for message in pubsub.listen():
            self._take(message["data"])


def _take_live(raw: bytes) -> None:
    data = orjson.loads(raw)
    if data.get("o") == _ORIGIN:
        return
    for conversation_id, event_seq in data.get("e", ()):
        hub.dispatch_hint(conversation_id, event_seq)
    for conversation_id, *piece in data.get("t", ()):
        hub.dispatch_text(conversation_id, TextPiece(*piece))


_publisher = _Publisher()
_listener = Listener(CHANNEL, _take_live)
