"""Cuts a message into labelled sentences and list items, without its letterhead."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tooling.intent.cleaning import fold, mask_reported
from tooling.intent.judge import label_sentence
from tooling.intent.sentences import BULLET, split_sentences
from tooling.llm.planner.wording import calm, squash, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tooling.intent import IntentLabel

MAX_READ = 12_000
MAX_UNITS = 80

_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|bonjour|bonsoir|salut|coucou|good (?:morning|afternoon)"
    r"|cher|chere|chers|cheres|madame|monsieur|mesdames|messieurs)"
    r"(?: [^.!?:,]{0,30})?[,!. ]*$"
)
_SIGN_OFF = re.compile(
    r"(?:--|—|(?:kind|best|warm) regards|regards|best|cheers|sincerely|cordialement"
    r"|bien (?:cordialement|a (?:vous|toi))|many thanks|thanks(?: a lot| again| in"
    r" advance"
    r"| so much)?|thank you(?: very much| in advance| so much)?|merci(?: d'avance"
    r"| beaucoup| par avance| a tous)?|bonne (?:journee|soiree|fin de journee)|a"
    r" bientot"
    r"|a\+|sent from my .*|envoye de mon .*|cdlt|cdt|bien a vous|amicalement|br)"
    r"[,.! ]*$"
)
_HEADER = re.compile(r"(?:subject|objet|re|fw|fwd|tr) ?: *", re.IGNORECASE)
# "Not twice." says nothing without the sentence before it.
_TAIL = re.compile(r"(?:not|no|never|pas|jamais) [^ ]+[.!]?$")
_ENUMERATED = re.compile(r"(?:(?<=\s)|(?<=:)|^)\(?(\d)[.)]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or a list item of a message.

    `item` is 0 for a sentence, else the running number of its list; `numbered` says
    that the list bears numbers.
    """

    text: str
    label: IntentLabel
    veto: bool = False
    item: int = 0
    numbered: bool = False


def _enumeration_on_lines(text: str) -> str:
    """Put "1) this 2) that" on lines of their own."""
    marks = list(_ENUMERATED.finditer(text))
    numbers = [int(mark[1]) for mark in marks]
    if len(numbers) < 2 or numbers != list(range(1, len(numbers) + 1)):
        return text
    pieces, start = [], 0
    for mark in marks:
        pieces.append(text[start : mark.start()].rstrip())
        start = mark.start()
    pieces.append(text[start:])
    return "\n".join(piece for piece in pieces if piece)


def own_words(text: str) -> str:
    """Return what the person wrote: tidied, without quoted or forwarded parts."""
    return mask_reported(tidy(text[:MAX_READ]))


def _blocks(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield (text, list number or 0, numbered) for paragraphs and list items."""
    paragraph: list[str] = []
    item: list[str] = []
    group, numbered, open_list = 0, False, False
    for line in [*text.split("\n"), ""]:
        bullet = BULLET.match(line)
        goes_on = item and line[:1] in {" ", "\t"} and line.strip() and not bullet
        if goes_on:
            item.append(line)
            continue
        if item:
            yield squash(" ".join(item)), group, numbered
            item = []
        if bullet or not line.strip():
            if paragraph:
                yield "\n".join(paragraph), 0, False
            paragraph = []
        if bullet:
            group += not open_list
            open_list = True
            numbered = any(c.isdigit() for c in bullet[0])
            item = [line[bullet.end() :]]
        elif line.strip():
            open_list = False
            paragraph.append(line.strip())


def _sentences(block: str) -> Iterator[str]:
    for sentence in split_sentences(block):
        yield squash(sentence.text)


def read_units(text: str) -> list[Unit]:
    """Return the labelled units of a message, at most `MAX_UNITS`."""
    units: list[Unit] = []
    body = calm(_enumeration_on_lines(own_words(text)))
    for block, group, numbered in _blocks(body):
        lines = [block] if group else _sentences(block)
        for line in lines:
            line = line[_header_end(line) :]
            folded = fold(line)
            if _GREETING.match(folded) or not any(c.isalnum() for c in line):
                continue
            if _SIGN_OFF.match(folded):
                if units and not group:
                    return units
                continue
            if units and not group and _TAIL.match(folded):
                units[-1] = replace(units[-1], text=f"{units[-1].text} {line}")
                continue
            label, veto = label_sentence(line[:1_000])
            units.append(Unit(line, label, veto, group, numbered))
            if len(units) >= MAX_UNITS:
                return units
    return units


def _header_end(line: str) -> int:
    header = _HEADER.match(line)
    return header.end() if header else 0
