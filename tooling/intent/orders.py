"""Finds the orders of a message: where they may stand, and what takes them back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tooling.intent import acts, frames, vetoes
from tooling.intent.cleaning import fold, mask_inline_quotes
from tooling.intent.commands import CLAUSE, COURTESY, LEAD_MORE, TAG, read_shape
from tooling.intent.lexicon import EN_ACTS, FR_ACTS
from tooling.intent.objects import Token, tokenise
from tooling.intent.sentences import BULLET, Sentence, split_sentences
from tooling.intent.types import Order, Standing

_LONG_QUOTES = re.compile(r"[\"“«][^\"“”«»]{0,2000}[\"”»]|[\"“«].*", re.DOTALL)
_NAMING = re.compile(
    r"\s*(?:q+\s*)?(?:[:(]|-\s|–|—|called\b|named\b|titled\b|entitled\b|intitulee\b"
    r"|nommee\b|appelee\b|q{2,})"
)
_PLEASE = re.compile(r"\bs'il (?:te|vous) plait\b")
_WHETHER = re.compile(
    r"\b(?:check|see|know|find out|verify|test|determine|decide|tell|ask|learn|verifier"
    r"|savoir|voir|tester|controler|determiner|decider|demander) (?:if|si|s'il|s'ils)\b"
)
_READS = frozenset(
    "go have take look see check read show list summarise summarize".split()
)
_OPENS_CONDITION = re.compile(
    r"(?:if|once|unless|after|before|when|as soon as|provided|assuming|in case|si|s'il"
    r"|des que|sauf si|a moins|a condition|pourvu|quand|une fois|apres|avant|lorsque?"
    r"|tomorrow|later|next (?:week|month|year|quarter|sprint|time)|demain|plus tard"
    r"|on (?:mon|tues|wednes|thurs|fri)day|la semaine|le mois|lundi|vendredi)\b"
)


@dataclass(frozen=True, slots=True)
class Found:
    """An order and the sentence it stands in."""

    order: Order
    sentence: Sentence


def mask_quotes(own: str) -> str:
    """Mask quotations, also those over several lines and those never closed."""
    masked = mask_inline_quotes(own)
    return _LONG_QUOTES.sub(lambda got: re.sub(r"[^\n]", "q", got[0]), masked)


def read_orders(own: str) -> list[Found]:
    """Return what has the form of an order in a person's own words, with standings."""
    masked = mask_quotes(own)
    folded = fold(masked)
    vetoed = (vetoes.MESSAGE, vetoes.REFUSAL, vetoes.ROLE)
    shown = any(pattern.search(folded) for pattern in vetoed)
    found: list[Found] = []
    earlier: list[Token] = []
    for sentence in split_sentences(masked):
        text = sentence.text[:1_000]
        low = fold(text)
        tokens = tokenise(low, text)
        orders = _sentence_orders(low, text, tokens, earlier)
        if shown:
            orders = [Order(Standing.VETOED) for _ in orders]
        found += [Found(order, sentence) for order in orders]
        if not any(one.standing is Standing.GIVEN for one in orders):
            shown = shown or _shows(low)
        earlier = tokens
    return found


def _shows(low: str) -> bool:
    """Say whether others' words come behind a sentence: "She said: thanks!"."""
    head, colon, behind = low.replace("\n", " ").partition(":")
    if vetoes.FOLLOWS.search(low):
        return True
    if not colon:
        return False
    if vetoes.REPORT.search(head) or vetoes.SPEECH.search(head):
        return True
    return not behind.strip() and not vetoes.OWN_HEADING.match(head)


def _starts(low: str) -> list[tuple[int, str]]:
    """Return where a clause may begin, with the mark or word that joins it."""
    bullet = BULLET.match(low)
    starts = [(bullet.end() if bullet else 0, "")]
    starts += [(m.end(), m[0].strip()) for m in CLAUSE.finditer(low)]
    return starts[:30]


def _strip(low: str, start: int) -> int:
    """Return where the clause begins behind greetings and courtesy words."""
    for _ in range(6):
        lead = frames.LEAD.match(low, start) or LEAD_MORE.match(low, start)
        if lead is None or lead.end() >= len(low):
            break
        start = lead.end()
    return start


def _sentence_orders(
    low: str, text: str, tokens: list[Token], earlier: list[Token]
) -> list[Order]:
    places = {token.start: index for index, token in enumerate(tokens)}
    orders: list[Order] = []
    behind = 0
    for start, joint in _starts(low):
        if start < behind:
            continue
        head = _strip(low, start)
        courtesy = COURTESY.match(low, head)
        at = _strip(low, courtesy.end()) if courtesy else head
        index = places.get(at)
        if index is None:
            continue
        before = [*earlier, *tokens[:index]]
        shape = read_shape(tokens, index, text, before)
        if shape is None:
            continue
        end = tokens[min(shape.end, len(tokens)) - 1].end
        able = courtesy is not None and courtesy["able"] is not None
        standing = _standing(low, start, at, end, joint)
        if standing is Standing.GIVEN and able and not shape.definite:
            standing = Standing.TENTATIVE
        if standing is Standing.GIVEN and not able and _asks(low, end):
            standing = Standing.ASKED
        if standing is Standing.GIVEN and not shape.tools:
            standing = Standing.VETOED
        tools = shape.tools if standing is Standing.GIVEN else frozenset[str]()
        orders.append(Order(standing, tools))
        behind = end
    return orders


def _asks(low: str, end: int) -> bool:
    """Say whether the order is put as a question: "Create a mission?"."""
    rest = low[end:].rstrip()
    return rest.endswith("?") and TAG.search(rest[:-1]) is None


def _standing(low: str, start: int, at: int, end: int, joint: str) -> Standing:
    """Judge an order by the words before and behind it."""
    led = low[start:at]
    if vetoes.TENTATIVE.search(led) or vetoes.EITHER.search(led):
        return Standing.TENTATIVE
    return _by_words_before(low[:start], joint) or _by_words_after(low, end)


def _by_words_before(before: str, joint: str) -> Standing | None:
    greeting = _strip(before, 0)
    said = vetoes.HARMLESS.sub(" ", before[greeting:]).strip(" ,;:.!-–—)")
    raw = before.strip()
    if _OPENS_CONDITION.match(raw) and not vetoes.HARMLESS.match(raw):
        generic = vetoes.GENERIC.search(raw) is not None
        return Standing.TENTATIVE if generic else Standing.VETOED
    if not re.search(r"[a-z0-9]", said):
        return None
    if vetoes.REPORT.search(said):
        return Standing.VETOED
    if vetoes.TENTATIVE.search(said):
        return Standing.TENTATIVE
    if vetoes.BEFORE.search(said):
        opens = _OPENS_CONDITION.match(said) and not vetoes.GENERIC.search(said)
        return Standing.VETOED if opens else Standing.TENTATIVE
    first = re.split(r"[^a-z]", said, maxsplit=1)[0]
    # "Bob, create a mission" is for Bob; "Approve it and create one" asks for both.
    if (first == said and not greeting) or first in acts.DISPOSE:
        return Standing.VETOED
    if joint in ("and", "et", "then", "puis", "and then", "et puis"):
        known = first in EN_ACTS or first in FR_ACTS or first in _READS
        return None if known or first in acts.KNOWN else Standing.TENTATIVE
    if joint.startswith(":") and len(said.split()) > 2:
        return None if vetoes.OWN_HEADING.match(said) else Standing.VETOED
    return None


def _by_words_after(low: str, end: int) -> Standing:
    rest = _PLEASE.sub(" ", low[end:])
    if vetoes.ROUTINE.search(rest):
        return Standing.TENTATIVE
    if vetoes.AFTER.search(rest) or acts.MARKED_DONE.search(rest[:60]):
        doubt = vetoes.TENTATIVE.search(rest) is not None
        return Standing.TENTATIVE if doubt else Standing.VETOED
    if vetoes.DELAY.match(re.sub(r"^\s*q{2,}", "", rest)):
        return Standing.VETOED
    conditional = vetoes.WHEN.match(rest) is not None
    for condition in vetoes.CONDITION.finditer(_WHETHER.sub("", rest)):
        cut = _WHETHER.sub("", rest)[: condition.start()]
        beside = re.search(r"[,;(–—-]\s*(?:but|only|mais|seulement)?\s*$", cut)
        conditional = conditional or beside is not None or not _NAMING.match(rest)
    if not conditional:
        return Standing.GIVEN
    return Standing.TENTATIVE if vetoes.GENERIC.search(rest) else Standing.VETOED
