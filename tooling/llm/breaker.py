"""A circuit breaker: a server that is down is left alone for a while."""

from __future__ import annotations

import threading


class CircuitBreaker:
    """Opens after `threshold` failures in a row, for `pause` seconds.

    Times are monotonic seconds, passed in. After the pause callers get through
    again; their first success closes it, their first failure opens it anew.
    """

    def __init__(self, *, threshold: int = 3, pause: float = 5.0) -> None:
        self._threshold = threshold
        self._pause = pause
        self._failures = 0
        self._open_until = 0.0
        self._lock = threading.Lock()

    def wait(self, now: float) -> float:
        """Return the seconds until callers get through; 0 when they do now."""
        with self._lock:
            return max(0.0, self._open_until - now)

    @property
    def proven(self) -> bool:
        """Whether the last that was heard of the server was good."""
        with self._lock:
            return self._failures == 0

    def succeed(self) -> None:
        """Note that the server answered."""
        with self._lock:
            self._failures = 0
            self._open_until = 0.0

    def fail(self, now: float) -> None:
        """Note that the server could not be used."""
        with self._lock:
            self._failures += 1
            if self._failures >= self._threshold:
                self._open_until = now + self._pause
