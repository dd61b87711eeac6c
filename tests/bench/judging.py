"""What one judgement of a message takes, in this process.

`python -m tests.bench.judging` prints it alone.
"""

from __future__ import annotations

import sys
import time

from tests.bench.measures import Series
from tests.tooling.intent.confusion import read_messages
from tooling.intent import judge_intent
from tooling.intent.cleaning import MAX_JUDGED

ROUNDS = 5


def judgements(rounds: int = ROUNDS) -> Series:
    """Judge every message of the test set `rounds` times, each timed by itself."""
    messages = read_messages()
    times = Series()
    for round_ in range(rounds + 1):
        for message in messages:
            began = time.perf_counter()
            judge_intent(message.text, pending=message.pending)
            # The first round warms up.
            if round_:
                times.add(time.perf_counter() - began)
    return times


def longest_judgement() -> float:
    """Return the milliseconds for a message of which all that is read is in use."""
    text = " ".join(message.text for message in read_messages())[:MAX_JUDGED]
    began = time.perf_counter()
    judge_intent(text)
    return (time.perf_counter() - began) * 1000


def main() -> None:
    """Print one table."""
    times = judgements()
    rows = (
        "| one judgement of intent | time |",
        "| --- | --- |",
        f"| p50 | {times.p50:.2f} ms |",
        f"| p95 | {times.p95:.2f} ms |",
        f"| {MAX_JUDGED:,} characters of prose | {longest_judgement():.0f} ms |",
    )
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
