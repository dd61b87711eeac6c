"""Judges what a person's message is for, from that message alone.

Pure and quick. A sentence is an order on a row (`orders`), a wish or a question
(`wishes`), or neither; a whole message may be an assent (`assent`). What others wrote
is masked first (`cleaning`). What stands around an order can only take its force.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tooling.intent.assent import is_assent, is_hedged
from tooling.intent.cleaning import (
    MAX_JUDGED,
    fold,
    mask_for_splitting,
    mask_inline_quotes,
    mask_reported,
)
from tooling.intent.context import Context, forbids, tells_of_order
from tooling.intent.orders import read_orders
from tooling.intent.sentences import BULLET, Sentence, split_sentences
from tooling.intent.types import Intent, IntentLabel
from tooling.intent.wishes import (
    is_fragment,
    is_imperative,
    label_wish,
    placed_order,
    strip_leads,
)
from tooling.tiers import is_dispose_name

__all__ = [
    "Reading",
    "is_fragment",
    "is_imperative",
    "judge_intent",
    "label_sentence",
    "placed_order",
    "read_sentences",
    "strip_leads",
]

_MAX_SENTENCE = 1_000


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with its label; `veto` marks an order to raise nothing at all.

    `tools` are those that a command authorises or that a veto forbids (none named:
    all of them). `span` is the order within the text.
    """

    sentence: Sentence
    label: IntentLabel
    veto: bool = False
    tools: frozenset[str] = frozenset()
    span: tuple[int, int] | None = None


def _read(
    sentence: Sentence, masked: str, previous: str = "", *, loose: bool = True
) -> Reading:
    masked = masked[:_MAX_SENTENCE]
    bullet = BULLET.match(masked)
    skipped = bullet.end() if bullet else 0
    folded = masked[skipped:]
    heading = masked.startswith("#")
    orders = [] if heading else read_orders(folded, previous=previous)
    given = [one for one in orders if one.label is IntentLabel.EXECUTION_COMMAND]
    if given:
        base = sentence.start + skipped
        span = (base + given[0].start, min(base + given[-1].end, sentence.end))
        tools = frozenset().union(*(one.tools for one in given))
        return Reading(sentence, given[0].label, tools=tools, span=span)
    # The patterns of wishes know single blanks only.
    folded = strip_leads(" ".join(folded.split()))
    forbidden = forbids(folded)
    if forbidden is not None:
        return Reading(sentence, IntentLabel.OTHER, veto=True, tools=forbidden)
    label = orders[0].label if orders else label_wish(folded, loose=loose)
    if label is IntentLabel.FEATURE_REQUEST and tells_of_order(folded):
        label = IntentLabel.OTHER
    return Reading(sentence, label)


def label_sentence(text: str, *, loose: bool = True) -> tuple[IntentLabel, bool]:
    """Return the label of one sentence and whether it forbids raising anything.

    A `loose` reading also takes complaints and rules that bear no word of wishing.
    """
    masked = fold(mask_inline_quotes(text))
    reading = _read(Sentence(text, 0, len(text)), masked, loose=loose)
    return reading.label, reading.veto


def read_sentences(text: str) -> list[Reading]:
    """Label every sentence of `text` (its first `MAX_JUDGED` characters).

    An order that its surroundings take back, report or mock is `other`.
    """
    own = mask_reported(text[:MAX_JUDGED])
    masked = fold(mask_inline_quotes(own))
    places = [(one.start, one.end) for one in split_sentences(mask_for_splitting(own))]
    said = [masked[start:end] for start, end in places]
    readings = [
        _read(Sentence(own[start:end], start, end), words, before)
        for (start, end), words, before in zip(places, said, ["", *said], strict=False)
    ]
    context = Context(own, masked, said)
    return [
        replace(one, label=IntentLabel.OTHER, tools=frozenset(), span=None)
        if context.unmakes(place, one.label)
        else one
        for place, one in enumerate(readings)
    ]


def judge_intent(text: str, *, pending: str | None = None) -> Intent:
    """Judge what a person's message is for.

    `pending` names the one tool whose action was just shown to the person; a bare
    assent authorises that tool alone. The time is bounded: only the first
    `MAX_JUDGED` characters are read.
    """
    readings = read_sentences(text)
    vetoes = [one for one in readings if one.veto]
    command = _command(readings, vetoes)
    if command is not None:
        return command
    if vetoes:
        return _intent(IntentLabel.OTHER, vetoes[0])
    own = text[:MAX_JUDGED]
    whole = mask_inline_quotes(mask_reported(own)) == own
    if whole and is_assent(fold(own), pending or ""):
        if not pending or is_dispose_name(pending):
            return Intent(IntentLabel.OTHER)
        span = (len(own) - len(own.lstrip()), len(own.rstrip()))
        return Intent(IntentLabel.EXECUTION_COMMAND, frozenset({pending}), span)
    if pending and is_hedged(fold(own)):
        return Intent(IntentLabel.OTHER)
    for label in (IntentLabel.FEATURE_REQUEST, IntentLabel.QUESTION):
        for one in readings:
            if one.label is label:
                return _intent(label, one)
    return Intent(IntentLabel.OTHER)


def _command(readings: list[Reading], vetoes: list[Reading]) -> Intent | None:
    given = [one for one in readings if one.label is IntentLabel.EXECUTION_COMMAND]
    if not given or any(not veto.tools for veto in vetoes):
        return None
    forbidden = frozenset().union(*(veto.tools for veto in vetoes))
    tools = frozenset().union(*(one.tools for one in given)) - forbidden
    first = next((one for one in given if one.tools - forbidden), None)
    if first is None:
        return None
    return Intent(IntentLabel.EXECUTION_COMMAND, tools=tools, span=first.span)


def _intent(label: IntentLabel, reading: Reading) -> Intent:
    return Intent(label, span=(reading.sentence.start, reading.sentence.end))
