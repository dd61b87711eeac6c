"""What one judgement of intent takes: `python -m tests.bench.judging`.

Needs no server and no database. Times are milliseconds of CPU of one thread.
"""

from __future__ import annotations

import sys
import time

from tests.bench.measures import Series
from tests.tooling.intent.confusion import MESSAGES, read_messages
from tooling.intent import judge_intent
from tooling.intent.cleaning import MAX_JUDGED

ROUNDS = 20


def measure(texts: list[str], rounds: int = ROUNDS) -> Series:
    """Time `judge_intent` on each text, `rounds` times."""
    series = Series()
    for _ in range(rounds):
        for text in texts:
            started = time.thread_time()
            judge_intent(text, pending="mission_create")
            series.add(time.thread_time() - started)
    return series


def main() -> None:
    """Print the times for usual messages and for the longest that is read."""
    usual = [one["text"] for one in read_messages(MESSAGES)]
    longest = (" ".join(usual) * 4)[:MAX_JUDGED]
    for name, texts in (("usual", usual), ("longest", [longest])):
        taken = measure(texts)
        ordered = sorted(taken.values)
        p99 = ordered[int(len(ordered) * 0.99)]
        sys.stdout.write(f"{name}: p50 {taken.p50:.2f} ms, p99 {p99:.2f} ms\n")


if __name__ == "__main__":
    main()
