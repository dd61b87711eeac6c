"""Cuts a text into sentences and knows where each one stands."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_SENTENCES = 120

BULLET = re.compile(r"[ \t]*(?:[-*•–—+‣◦]|\(?\d{1,2}[.)]|[a-zA-Z][)])[ \t]+")
_STOP = re.compile(r"[.!?…]+[\"'”»)]*(?=\s|$)|\n+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|mr|mrs|ms|dr|vs|approx|no|nr|p\. ?ex|ex|m|mme"
    r"|env|cf|max|min|n°|av|art|tel|incl|resp|a\.m|p\.m|st|fig)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text: its words without outer space, and its place."""

    text: str
    start: int
    end: int


def _ends_here(text: str, start: int, found: re.Match[str]) -> bool:
    following = text[found.end() : found.end() + 8].lstrip(" \t")
    if found[0][0] == "\n":
        rest = text[found.end() : found.end() + 40]
        # A wrapped line of a letter goes on in lower case.
        wrapped = len(found[0]) == 1 and rest[:1].islower()
        return not wrapped or BULLET.match(rest) is not None
    if found[0] == ".":
        before = text[max(start, found.start() - 12) : found.start()]
        if BULLET.fullmatch(text[start : found.end()].lstrip() + " "):
            return False
        if _ABBREVIATION.search(before):
            return following[:1].isupper() and before.lower().endswith("etc")
    return True


def _trim(text: str, start: int, end: int) -> Sentence | None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    body = piece.strip()
    if not body:
        return None
    return Sentence(body, start + left, start + left + len(body))


def split_sentences(text: str) -> list[Sentence]:
    """Return the sentences of `text`, at most `MAX_SENTENCES` of them."""
    found: list[Sentence] = []
    start = 0
    for stop in _STOP.finditer(text):
        if not _ends_here(text, start, stop):
            continue
        sentence = _trim(text, start, stop.end())
        start = stop.end()
        if sentence is not None:
            found.append(sentence)
        if len(found) >= MAX_SENTENCES:
            return found
    last = _trim(text, start, len(text))
    return [*found, last] if last is not None else found
