"""What stands around an order and takes its force, and orders to do nothing."""

from __future__ import annotations

import re

from tooling.intent import classes, cues
from tooling.intent.cleaning import fold
from tooling.intent.objects import find_row
from tooling.intent.orders import read_orders
from tooling.intent.sentences import BULLET
from tooling.intent.types import IntentLabel
from tooling.intent.words import PUNCTUATION, Phrases, Word, read_words

# Names of tools, calls in JSON or mark-up, and a line that plays another speaker.
_MACHINE = re.compile(
    r"\b(?:mission|task|decision|workflow|suggestion|dialogue|conversation)_[a-z]+"
    r"|[{\[]\s*\"[a-z_]+\"\s*:|</?[a-z_|]+>|\[/?inst\]|<\|"
)
_REPORTED_QUOTE = re.compile(
    r"\b(?:said|says|wrote|writes|told (?:me|us)|asked|a (?:dit|ecrit|demande)|ecrit"
    r"|dit)"
    r"[^\n:\"“«]{0,40}[:,]?\s{0,3}[\"“«]"
)
_HEADER = re.compile(r"^(?:from|de|sent|envoye|subject|objet|cc) ?: ?\S", re.MULTILINE)
_SPEAKER = re.compile(
    r"^[ \t#*\[(<]{0,8}([a-z]{1,20})[\])*>]{0,8}[ \t]?[:>]", re.MULTILINE
)
_WAVERING = frozenset(
    "actually oh ah well hmm sorry finalement en fait pardon euh and or but".split()
)
_GENERIC = frozenset("anything nothing rien whatever".split())
_DOING = frozenset(
    """create propose do raise open file submit draft start put add build touch change
    run make execute creer cree creez proposer propose proposez faire fais faites lance
    lancez lancer deposer depose ouvre ouvrez ouvrir ajoute ajoutez ajouter""".split()
)
_PROPOSING = frozenset(
    """propose proposes proposer proposez draft suggest suggere suggerez rediger redige
    soumets submit""".split()
)
_PROPOSED = frozenset(
    """mission missions proposal proposals proposition propositions""".split()
)
_PARTICLES = frozenset(
    """pas plus jamais encore any aucun aucune no d' de don't do not ne n' never surtout
    ever even meme""".split()
)
_NO_NEGATION = Phrases(
    "sans doute|sans attendre|sans faute|without delay|no later|no doubt|no problem"
    "|no worries|pas de souci|pas de probleme|no rush|sans tarder"
)
_YET = Phrases(
    "yet|for now|for the moment|for the time being|encore|pour l'instant"
    "|pour le moment|tout de suite|pas maintenant|right now|just now"
)
_STRONG_NEGATION = Phrases(
    "don't|dont|do not|never|let's not|let us not|no need|not yet|hold off|hold on"
    "|avoid|stop|please don't|ne|n'|pas besoin|inutile|surtout pas|pas encore|evite"
    "|evitez|eviter|pas question|hors de question|no longer|instead of|rather not"
    "|no new|no more|do nothing|rien|nothing|without|sans|pas de|pas d'|no"
    "|il n'est pas question|arrete de|arretez de|refrain from|must not|mustn't"
    "|you are not to|you may not|you must not|you can't|you cannot|rather you didn't"
    "|rather not|should not|shouldn't|laisse tomber|laissez tomber|never mind|aucune"
    "|aucun"
)


def forbids(folded: str) -> frozenset[str] | None:
    """Return the tools that a sentence forbids, empty for all, None if it does not.

    Forbidden is the making or changing of a row ("don't create a mission"), and
    anything at all ("do nothing yet").
    """
    words = read_words(folded)
    texts = [word.text for word in words]
    negation = _negation_at(texts)
    if negation is None or texts[-1:] == ["?"]:
        return None
    rest = texts[negation:]
    if (
        negation <= 2
        and not _GENERIC.isdisjoint(rest[:8])
        and not _DOING.isdisjoint(rest[:8])
    ):
        return frozenset()
    if not _PROPOSING.isdisjoint(rest[:6]) and not _PROPOSED.isdisjoint(rest[:9]):
        return frozenset()
    bare = [word for word in words[negation:] if word.text not in _PARTICLES]
    for place in range(min(8, len(bare))):
        row = _forbidden_row([word.text for word in bare], bare, place)
        if row is not None:
            return row
    if negation <= 2 and _YET.within(rest[:9]) is not None and len(texts) < 9:
        return frozenset()
    return None


def _negation_at(texts: list[str]) -> int | None:
    """Return the place of the first negation, None without one near the start."""
    place = 0
    while place < min(len(texts), 14):
        size = _NO_NEGATION.at(texts, place)
        if not size and _STRONG_NEGATION.at(texts, place):
            return place
        place += max(size, 1)
    return None


def _forbidden_row(
    texts: list[str], words: list[Word], place: int
) -> frozenset[str] | None:
    row = find_row(words, place)
    if row is None and classes.GERUND.at(texts, place):
        row = find_row(words, place, gerund=True)
    return row.tools if row is not None and row.label is None else None


def _open_quotation(own: str) -> bool:
    """Say whether a reported quotation has marks in it that leave its end unknown."""
    found = _REPORTED_QUOTE.search(fold(own))
    if found is None:
        return False
    rest = own[found.end() - 1 :]
    opening = rest[0]
    closing = {"“": "”", "«": "»"}.get(opening, opening)
    marks = sum(rest.count(mark) for mark in {opening, closing})
    return marks != 2


def names_order(folded: str) -> bool:
    """Say whether an act on a row stands anywhere in a sentence."""
    words = read_words(folded)
    return any(find_row(words, place) is not None for place in range(len(words)))


def tells_of_order(folded: str) -> bool:
    """Say whether a sentence reports or puts off an act on a row."""
    texts = [word.text for word in read_words(folded)]
    told = any(kind.within(texts) is not None for kind in (cues.REPORT, cues.SUPPOSE))
    put_off = texts[:1] in (["before"], ["after"], ["avant"], ["apres"])
    return (told or put_off) and names_order(folded)


class Context:
    """The person's own text around its sentences, read once."""

    def __init__(self, own: str, folded: str, sentences: list[str]) -> None:
        self._sentences = sentences
        texts = [word.text for word in read_words(folded)]
        self._barred = (
            _MACHINE.search(fold(own)) is not None
            or cues.HOSTILE.within(texts) is not None
            or cues.IRONY.within(texts) is not None
            or _HEADER.search(folded) is not None
            or any(sign in own for sign in cues.IRONIC_SIGNS)
            or any(found[1] in cues.SPEAKERS for found in _SPEAKER.finditer(folded))
        )
        self._reported_from = 0 if _open_quotation(own) else self._first_report()
        self._mixed_list = self._is_mixed_list()

    def unmakes(self, place: int, label: IntentLabel) -> bool:
        """Say whether the order in the sentence at `place` is none for its context."""
        if label is IntentLabel.EXECUTION_COMMAND:
            return not self._allows(place)
        said = self._sentences[place]
        asked = label is IntentLabel.QUESTION and said.endswith("?")
        if label is IntentLabel.OTHER or asked:
            return False
        if _MACHINE.search(said):
            return True
        return (self._barred or place >= self._reported_from) and names_order(said)

    def _allows(self, place: int) -> bool:
        if self._barred or place >= self._reported_from:
            return False
        if self._mixed_list and BULLET.match(self._sentences[place]):
            return False
        return not any(self._retracts(one) for one in self._sentences[place + 1 :])

    @staticmethod
    def _retracts(sentence: str) -> bool:
        texts = [
            word.text
            for word in read_words(sentence[:80])
            if word.text not in PUNCTUATION
        ]
        start = 0
        while start < len(texts) and texts[start] in _WAVERING:
            start += 1
        opened = cues.RETRACT.at(texts, start)
        if not opened:
            first = texts[start : start + 1]
            return first in (["no"], ["non"]) and not _NO_NEGATION.at(texts, start)
        # "Don't forget Bob" takes nothing back; "Don't" and "wait, no" do.
        return texts[start] not in {"don't", "do"} or len(texts) < start + opened + 2

    def _first_report(self) -> int:
        """Return the sentence from which on the words are reported."""
        for place, sentence in enumerate(self._sentences):
            last = [word.text for word in read_words(sentence[-40:])]
            if cues.FOLLOWS.within(last) is not None and last[-1] == ".":
                return place + 1
            before, colon, after = sentence.partition(":")
            if not colon or after.lstrip().startswith("qqq"):
                continue
            texts = [word.text for word in read_words(before)]
            told = cues.REPORT.within(texts) is not None
            own = {"i", "je"}.intersection(texts) and not told
            if told or (
                not own and not after and cues.INTRODUCES.within(texts) is not None
            ):
                return place + 1
        return len(self._sentences)

    def _is_mixed_list(self) -> bool:
        """Say whether the text lists steps of which some are no orders on rows."""
        items = [one for one in self._sentences if BULLET.match(one)]
        return len(items) > 1 and not all(
            read_orders(item[BULLET.match(item).end() :])  # type: ignore[union-attr]
            for item in items
        )
