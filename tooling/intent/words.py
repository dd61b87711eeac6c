"""Words of a sentence, classes of phrases, and a little tolerance for typing errors.

A *class* is a set of phrases of one or more words. The grammar asks whether a phrase
of a class stands at a position and how many words it takes, nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

QUOTE = "<quote>"
PUNCTUATION = frozenset({",", ";", ":", ".", "!", "?", "(", ")", "-", "…"})

_MAX_WORDS = 200
_TOKEN = re.compile(
    r"(?P<quote>q{3,})"
    r"|(?P<elided>(?:qu|jusqu|lorsqu|puisqu|[cdjlmnst])')(?=\w|$)"
    r"|(?P<word>\w+(?:'(?:t|d|s|m|re|ll|ve)\b)?)"
    r"|(?P<dash>(?:--+|[-–—](?=\s)|[–—]))"
    r"|(?P<mark>[,;:.!?()…])"
)
# "d'" is read as "de", "qu'" as "que", and so on.
_FULL = {"l'": "le", "s'": "s'"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a quotation (`QUOTE`) or a mark of punctuation, and where it stands.

    `joined` tells that a hyphen ties it to the word before ("crée-la").
    """

    text: str
    start: int
    end: int
    joined: bool = False


def read_words(folded: str) -> list[Word]:
    """Return the words of a folded sentence, at most two hundred of them."""
    found: list[Word] = []
    for match in _TOKEN.finditer(folded):
        kind = match.lastgroup
        text = match[0]
        if kind == "quote":
            text = QUOTE
        elif kind == "elided":
            text = _FULL.get(text, text[:-1] + "e")
        elif kind == "dash":
            text = "-"
        joined = kind == "word" and folded[match.start() - 1 : match.start()] == "-"
        found.append(Word(text, match.start(), match.end(), joined))
        if len(found) >= _MAX_WORDS:
            break
    return found


def is_slip(typed: str, meant: str, least: int = 4) -> bool:
    """Say whether `typed` is `meant` with one letter missing, doubled or swapped.

    In a long word a letter may also be another, or two have changed places. Endings
    that make a different form of the word ("created", "tasks") are no slips.
    """
    if len(meant) < least or typed[:1] != meant[:1] or abs(len(typed) - len(meant)) > 1:
        return False
    same = _common(typed, meant)
    left, right = typed[same:], meant[same:]
    if len(left) == len(right):
        swapped = left[:2] == right[:2][::-1] and left[2:] == right[2:]
        wrong = sum(a != b for a, b in zip(left, right, strict=True))
        mixed = wrong <= 2 and sorted(left) == sorted(right)
        return swapped or (len(meant) > 6 and (wrong == 1 or mixed))
    if len(left) < len(right):
        return left == right[1:] and len(typed) > least - 2
    return left[1:] == right and left not in {"s", "d", "r", "z"}


def _common(one: str, other: str) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


class Phrases:
    """A lexical class: phrases parted by `|`, each of one or more words."""

    def __init__(self, listed: str, *, slips: bool = False) -> None:
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        for phrase in listed.replace("\n", " ").split("|"):
            words = tuple(word.text for word in read_words(phrase.strip()))
            if words:
                self._by_first.setdefault(words[0], []).append(words)
        self._alone: dict[str, list[str]] = {}
        self._by_letter: dict[str, list[tuple[str, ...]]] = {}
        for first, phrases in self._by_first.items():
            phrases.sort(key=len, reverse=True)
            several = [phrase for phrase in phrases if len(phrase) > 1]
            self._by_letter.setdefault(first[0], []).extend(several)
            if len(several) < len(phrases) and len(first) > 3:
                self._alone.setdefault(first[0], []).append(first)
        self._slips = slips

    def __contains__(self, word: str) -> bool:
        return (word,) in self._by_first.get(word, ())

    def at(self, words: list[str], place: int) -> int:
        """Return how many words of the longest phrase at `place` stand there, or 0."""
        if place >= len(words):
            return 0
        for phrase in self._by_first.get(words[place], ()):
            if tuple(words[place : place + len(phrase)]) == phrase:
                return len(phrase)
        if not self._slips:
            return 0
        return self._slip_at(words[place]) or self._loose_at(words, place)

    def _loose_at(self, words: list[str], place: int) -> int:
        """Return the size of a phrase of several words of which one is mistyped."""
        for phrase in self._by_letter.get(words[place][0], ()):
            said = words[place : place + len(phrase)]
            wrong = [(a, b) for a, b in zip(said, phrase, strict=False) if a != b]
            if len(said) == len(phrase) and len(wrong) == 1 and is_slip(*wrong[0], 3):
                return len(phrase)
        return 0

    def _slip_at(self, typed: str) -> int:
        if len(typed) < 3 or typed in NO_SLIP:
            return 0
        return int(any(is_slip(typed, one) for one in self._alone.get(typed[0], ())))

    def within(self, words: list[str]) -> int | None:
        """Return the first place where a phrase of the class stands, if any."""
        for place, word in enumerate(words):
            if word in self._by_first and self.at(words, place):
                return place
        return None


# Words that are themselves, however near they stand to another.
NO_SLIP = frozenset(
    """ajout ajouts tanks talk talks ask asks tack taches attache opened pens oven
    marks marked market maker makers made moved mover maps create creator cree crees
    creee opens loge logs logo file filed files filet note noted notes not mask recorded
    startle stare stat star logger sett seat sets raised rise raises ranges passes
    passee passer missive omission emission submission permission version vision
    provision division precision derision tact opensource opener ouvert ouverte
    ouverture mets met marquee marquees change charge chance changes charges edits
    edited editor credit add adds ads aid and""".split()
)
