"""Measure the product: `python -m tests.bench [--shape …] [--quick] [--write FILE]`.

Times pass or fail nothing: the exit code is 0 unless something is broken.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import os
import sys
import time
from pathlib import Path

from tests.bench import measures
from tests.bench.judging import judgements
from tests.bench.machine import load_average
from tests.bench.measures import QUICK, Counts, cpu_between
from tests.bench.report import Result, flat, render, write_between_marks
from tests.bench.rig import Rig, running
from tests.bench.statements import count_statements
from tests.support.stack import SHAPES, Shape

IDLE_SECONDS = 3.0


def main() -> None:
    """Measure, print the tables, and write them where asked to."""
    options = _options()
    shapes: tuple[Shape, ...] = SHAPES if options.shape == "both" else (options.shape,)
    counts = QUICK if options.quick else Counts()
    load = load_average()
    results = [_measure(shape, counts) for shape in shapes]
    text = render(results, heading=_heading(load, quick=options.quick))
    sys.stdout.write(text)
    if options.write is not None:
        write_between_marks(options.write, text)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--shape", choices=[*SHAPES, "both"], default="both")
    parser.add_argument(
        "--quick", action="store_true", help="few of each: does it all still run?"
    )
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the tables between its marks"
    )
    return parser.parse_args()


def _heading(load: float, *, quick: bool) -> str:
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    how = "a quick run, few of each" if quick else "one whole run"
    return (
        f"Measured {today}, {how}, {os.cpu_count()} cores shared by client, provider, "
        f"product and servers; load average before {load:.1f}, after "
        f"{load_average():.1f} (the run itself makes about 2)."
    )


def _measure(shape: Shape, counts: Counts) -> Result:
    _say(f"{shape}: starting")
    with running(shape) as rig:
        result = Result(shape)
        try:
            asyncio.run(_run(rig, counts, result))
        except BaseException:
            sys.stderr.write(rig.stack.logs())
            raise
        return result


async def _run(rig: Rig, counts: Counts, result: Result) -> None:
    await asyncio.sleep(IDLE_SECONDS)
    result.memory = rig.memory()
    result.figures["memory"] = max(result.memory.values())
    _say("sends")
    await _sends(rig, counts, result)
    _say("sends at once")
    result.figures["sends_second"] = await measures.at_once(
        rig, counts.at_once, counts.at_once_seconds
    )
    for count in counts.streams:
        _say(f"{count} streams")
        await _streams(rig, count, counts, result)
    _say("history")
    await _histories(rig, counts, result)
    if rig.stack.shape == "grown":
        result.statements = await count_statements(rig)
    _say("lists")
    for rows in counts.lists:
        times = await measures.conversation_list(rig, rows, counts.list_reads)
        result.figures[f"list_{rows}"] = times.p50
    _say("judgements of intent")
    judged = judgements()
    result.figures["judge_p50"], result.figures["judge_p95"] = judged.p50, judged.p95
    _say("cold starts")
    starts = sorted(rig.cold_start() for _number in range(counts.cold_starts))
    result.figures["cold_start"] = starts[len(starts) // 2]


async def _sends(rig: Rig, counts: Counts, result: Result) -> None:
    got = result.figures
    await measures.sends(rig, counts.warm_up)
    direct_first, direct = await measures.direct_calls(rig, counts.sends)
    before = rig.cpu()
    first, whole = await measures.sends(rig, counts.sends)
    cpu = cpu_between(before, rig.cpu(), counts.sends)
    waited = await measures.waiting_sends(rig, counts.sends)
    got["overhead_p50"] = whole.p50 - direct.p50
    got["overhead_p95"] = whole.p95 - direct.p50
    got["wait_p50"] = waited.p50 - direct.p50
    got["wait_p95"] = waited.p95 - direct.p50
    got["first_token_p50"] = first.p50 - direct_first.p50
    got["first_token_p95"] = first.p95 - direct_first.p50
    got["cpu_send"] = sum(cpu.values())
    result.notes.append(f"A direct call of the provider: {direct.p50:.2f} ms.")
    result.notes.append(f"CPU a send: {flat(cpu)}.")


async def _streams(rig: Rig, count: int, counts: Counts, result: Result) -> None:
    found = await measures.open_streams(rig, count, counts.stream_seconds)
    result.held[count] = found.held
    result.figures[f"lag_{count}"] = found.lag.p95
    result.figures[f"cpu_token_{count}"] = sum(found.cpu_ms.values())
    result.notes.append(
        f"{count} streams, 10 tokens a second each: lag p50 {found.lag.p50:.0f} ms, "
        f"CPU a token {flat(found.cpu_ms)}."
    )


async def _histories(rig: Rig, counts: Counts, result: Result) -> None:
    for messages in counts.histories:
        times = await measures.history(rig, messages, counts.history_sends)
        result.figures[f"history_{messages}"] = times.p50
    longest = f"history_{counts.histories[-1]}"
    ratio = result.figures[longest] / result.figures["history_10"]
    if longest == "history_1000":
        result.figures["history_ratio"] = ratio


def _say(what: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {what} …\n")


if __name__ == "__main__":
    main()
