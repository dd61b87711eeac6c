"""The measurements. Times are milliseconds unless a name says otherwise."""

from __future__ import annotations

import asyncio
import statistics
import time
from dataclasses import dataclass, field

from tests.bench.rig import Rig, seed_history, seed_list
from tests.bench.wire import Connection, EventReader, Unexpected

QUESTION = "What is a good name for a cat?"
PACE_MS = 100
SENDS_A_CONVERSATION = 10


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each thing is done."""

    sends: int = 150
    warm_up: int = 30
    at_once: int = 16
    at_once_seconds: float = 8.0
    stream_seconds: float = 10.0
    streams: tuple[int, ...] = (50, 200)
    histories: tuple[int, ...] = (10, 200, 1000)
    history_sends: int = 15
    lists: tuple[int, ...] = (10_000, 100_000)
    list_reads: int = 60
    cold_starts: int = 3


QUICK = Counts(
    sends=15,
    warm_up=5,
    at_once_seconds=2.0,
    stream_seconds=2.0,
    streams=(20,),
    histories=(10, 200),
    history_sends=4,
    lists=(1000,),
    list_reads=10,
    cold_starts=1,
)


@dataclass
class Series:
    """Many times of the same thing."""

    values: list[float] = field(default_factory=list)

    def add(self, seconds: float) -> None:
        """Take one, in seconds."""
        self.values.append(seconds * 1000)

    @property
    def p50(self) -> float:
        return statistics.median(self.values)

    @property
    def p95(self) -> float:
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


@dataclass(frozen=True, slots=True)
class Streams:
    """What a number of open streams came to. CPU is per streamed token."""

    asked: int
    held: int
    lag: Series
    tokens: int
    cpu_ms: dict[str, float]


async def direct_calls(rig: Rig, count: int) -> tuple[Series, Series]:
    """Call the provider itself: times until its first byte and until its end."""
    first, whole = Series(), Series()
    body = b'{"stream":true,"messages":[{"role":"user","content":"hello"}]}'
    head = f"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", rig.provider_port)
    for _number in range(count):
        began = time.monotonic()
        writer.write(head.encode() + body)
        await reader.readuntil(b"\r\n\r\n")
        first.add(time.monotonic() - began)
        await reader.readuntil(b"\r\n0\r\n\r\n")
        whole.add(time.monotonic() - began)
    writer.close()
    return first, whole


async def sends(rig: Rig, count: int) -> tuple[Series, Series]:
    """Send on an open stream: times until the first text and until the end."""
    first, whole = Series(), Series()
    async with rig.connection() as client:
        for number in range(0, count, SENDS_A_CONVERSATION):
            conversation = await rig.conversation(client)
            left = min(SENDS_A_CONVERSATION, count - number)
            await _follow(rig, client, conversation, left, first, whole)
    return first, whole


async def _follow(
    rig: Rig,
    client: Connection,
    conversation: str,
    count: int,
    first: Series,
    whole: Series,
) -> None:
    reader = await rig.reader(conversation)
    for _number in range(count):
        reader.arm()
        began = time.monotonic()
        await rig.post(client, conversation, QUESTION)
        ended = await reader.end()
        first.add(reader.first_text - began)
        whole.add(ended - began)
    reader.close()


async def waiting_sends(rig: Rig, count: int) -> Series:
    """Send with `Prefer: wait`: times until the answer."""
    whole = Series()
    async with rig.connection() as client:
        for number in range(count):
            if number % SENDS_A_CONVERSATION == 0:
                conversation = await rig.conversation(client)
            began = time.monotonic()
            await rig.wait(client, conversation, QUESTION)
            whole.add(time.monotonic() - began)
    return whole


def cpu_between(
    before: dict[str, float], after: dict[str, float], count: int
) -> dict[str, float]:
    """Return the milliseconds of processor time that one of `count` things took."""
    return {name: (after[name] - before[name]) * 1000 / count for name in after}


async def at_once(rig: Rig, clients: int, seconds: float) -> float:
    """Send from `clients` conversations at once; return the sends a second."""
    until = time.monotonic() + seconds

    async def one() -> int:
        done = 0
        async with rig.connection() as client:
            conversation = await rig.conversation(client)
            reader = await rig.reader(conversation)
            while time.monotonic() < until:
                reader.arm()
                await rig.post(client, conversation, QUESTION)
                await reader.end()
                done += 1
                if done % SENDS_A_CONVERSATION == 0:
                    reader.close()
                    conversation = await rig.conversation(client)
                    reader = await rig.reader(conversation)
            reader.close()
        return done

    began = time.monotonic()
    done = await asyncio.gather(*(one() for _number in range(clients)))
    return sum(done) / (time.monotonic() - began)


async def open_streams(rig: Rig, count: int, seconds: float) -> Streams:
    """Hold `count` streams of ten tokens a second; measure once all run."""
    readers: list[EventReader] = []
    tokens = int((seconds + count / 25 + 6) * 1000 / PACE_MS)
    async with rig.connection() as client:
        conversations = [await rig.conversation(client) for _number in range(count)]
        for conversation in conversations:
            readers.append(await rig.reader(conversation))
        text = f"Go on. [[stream {tokens} {PACE_MS}]]"
        for conversation, reader in zip(conversations, readers, strict=True):
            reader.arm()
            await rig.post(client, conversation, text)
        await asyncio.sleep(2.0)
        for reader in readers:
            reader.lags = []
        before = rig.cpu()
        await asyncio.sleep(seconds)
        after = rig.cpu()
        lags = [reader.lags for reader in readers]
        for reader in readers:
            await reader.end()
            reader.close()
    held = sum(1 for each in lags if len(each) > seconds * 1000 / PACE_MS * 0.8)
    lag = Series([each * 1000 for some in lags for each in some])
    if not lag.values:
        message = "no token reached a stream"
        raise Unexpected(message)
    cpu = cpu_between(before, after, len(lag.values))
    return Streams(count, held, lag, len(lag.values), cpu)


async def history(rig: Rig, messages: int, count: int) -> Series:
    """Send in a conversation of so many messages: times until the end."""
    first, whole = Series(), Series()
    async with rig.connection() as client:
        conversation = seed_history(rig, messages)
        await _follow(rig, client, conversation, 2, Series(), Series())
        await _follow(rig, client, conversation, count, first, whole)
    return whole


async def conversation_list(rig: Rig, rows: int, count: int) -> Series:
    """Read the first page of a list of so many conversations."""
    have = rig.stack.count("dialogue_conversation")
    if have < rows:
        seed_list(rig, rows - have)
    times = Series()
    async with rig.connection() as client:
        for number in range(count + 5):
            began = time.monotonic()
            await client.json("GET", rig.path("conversations?limit=50"))
            if number >= 5:
                times.add(time.monotonic() - began)
    return times
