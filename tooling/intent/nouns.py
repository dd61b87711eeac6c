"""Finds the name of a row behind an act, and whether it stands alone there."""

from __future__ import annotations

from dataclasses import dataclass

from tooling.intent import classes
from tooling.intent.lexicon import EN_ACTS, EN_NOUN_TOO, EN_STATES
from tooling.intent.words import PUNCTUATION, QUOTE, Word

_NOUNS = (
    ("task", classes.TASK),
    ("decision", classes.DECISION),
    ("mission", classes.MISSION),
    ("suggestion", classes.SUGGESTION),
    ("draft", classes.DRAFT),
)
_REACH = 9
INTO = frozenset("to in into onto under within a au aux dans sous inside".split())
_FRENCH = frozenset("une un la le les des cette ce ces deux trois de".split())
ARTICLES = classes.DEFINITE | classes.INDEFINITE
# Words that can stand right behind a row's name in English.
_BEHIND = frozenset(
    """to for called named titled entitled about on in under with that which from at by
    as please now right immediately today asap and so then regarding concerning of
    where whose into per via within pls plz also too before after or but until yet
    encore if unless once when whenever every each while because not only instead again
    first straight without since here saying asking tomorrow later next through using
    based over against around priority due out off up down between whether
    automatically yesterday last this tonight soon ourselves yourself myself ok okay
    thanks covering including describing explaining starting involving addressing
    listing
    pour a au aux de du des intitulee nommee appelee sur dans sous avec qui que en et ou
    si s' afin comme par maintenant svp stp merci dont urgente urgentes prioritaire
    suivante suivantes hier demain plus ensuite lundi mardi mercredi jeudi vendredi deja
    sauf quand lorsque une un""".split()
)
# A verb behind the name: "create mission fails", "créer une mission prend du temps".
_FINITE = frozenset(
    """is are was were isn't aren't wasn't has have had does doesn't do don't did didn't
    fails fail failed works work takes took costs cost seems needs need should would
    could can can't cannot will won't must may might gives shows throws crashes means
    est sont etait serait sera prend prendrait coute demande permet fait peut pourrait
    doit devrait ne reste semble implique suppose exige sert aide va vaut me nous
    echoue marche fonctionne plante""".split()
)


@dataclass(frozen=True, slots=True)
class Noun:
    """A row named at `place`, with what its determiner says of it."""

    kind: str
    place: int
    end: int
    definite: bool
    bare: bool
    plural: bool


def noun_at(texts: list[str], place: int) -> tuple[str, int] | None:
    """Return the kind of row named at `place` and the number of words, if any."""
    for kind, nouns in _NOUNS:
        size = nouns.at(texts, place)
        if size:
            return kind, size
    return None


def noun_behind(words: list[Word], texts: list[str], place: int) -> Noun | None:
    """Return the row's name behind an act, with what its determiner says."""
    definite = indefinite = False
    place = _over_container(texts, over_adverbs(texts, place))
    first = place
    while place < min(first + _REACH, len(texts)):
        text = texts[place]
        found = noun_at(texts, place)
        if found is not None and not _only_prefix(texts, place, found[1]):
            kind, size = found
            last = texts[place + size - 1]
            plural = last.endswith("s") and not last.endswith("'s") and kind != "draft"
            noun = Noun(
                kind, place, place + size, definite,
                bare=not (definite or indefinite), plural=plural,
            )  # fmt: skip
            return noun if _stands_alone(words, texts, noun) else None
        if text in classes.TECHNICAL:
            return None
        if text in classes.INDEFINITE:
            indefinite = True
        elif text in classes.DEFINITE:
            definite = True
        elif text not in classes.ADJECTIVES and not _modifies(texts, place, definite):
            return None
        place += 1
    return None


def over_adverbs(texts: list[str], place: int) -> int:
    for _ in range(4):
        size = classes.ADVERB.at(texts, place)
        if not size or noun_at(texts, place):
            break
        place += size
    return place


def _over_container(texts: list[str], place: int) -> int:
    """Step over "to this mission" where the row itself comes behind it."""
    if place >= len(texts) or texts[place] not in INTO:
        return place
    if texts[place] == "a" and not classes.DEFINITE.intersection(
        texts[place + 1 :][:1]
    ):
        return place
    for ahead in range(place + 1, min(place + 8, len(texts))):
        if texts[ahead] in PUNCTUATION - {QUOTE}:
            return place
        if classes.MISSION.at(texts, ahead):
            after = ahead + 1
            while after < min(ahead + 6, len(texts)) and texts[after] not in ARTICLES:
                after += 1
            return after
    return place


def _only_prefix(texts: list[str], place: int, size: int) -> bool:
    """Say whether another row's name follows at once: "mission tasks"."""
    following = noun_at(texts, place + size) if place + size < len(texts) else None
    return following is not None and texts[place + size] not in {"draft"}


def _modifies(texts: list[str], place: int, definite: bool) -> bool:
    """Say whether a plain word may stand between determiner and row (English only)."""
    text = texts[place]
    if text in PUNCTUATION or text in _BEHIND or text in classes.PRODUCT:
        return text == QUOTE
    since = [one for one in texts[max(0, place - 4) : place] if one in ARTICLES]
    return bool(since) and since[-1] not in _FRENCH


def _stands_alone(words: list[Word], texts: list[str], noun: Noun) -> bool:
    """Say whether the row's name is not the first half of a product's part."""
    place = noun.end
    if place >= len(texts):
        return True
    if words[place].joined:
        return False
    text = texts[place]
    if text in classes.TECHNICAL or text in _FINITE:
        return False
    if texts[place : place + 2] == ["de", "fond"]:
        return False
    if text in INTO:
        return not _into_product(texts, place)
    if text in PUNCTUATION or text == QUOTE or text in _BEHIND or text[0].isdigit():
        return True
    if noun.kind == "draft" and noun.definite is False:
        return False
    ahead = texts[place : place + 3]
    for count, one in enumerate(ahead):
        if one in _BEHIND or one in PUNCTUATION:
            ahead = ahead[:count]
            break
    if classes.ATTRIBUTE.at(texts, place):
        return True
    if not classes.PRODUCT.isdisjoint(ahead):
        return False
    if noun.definite or noun.bare or texts[noun.place - 1] in _FRENCH:
        return True
    return (text in EN_ACTS or text in EN_STATES) and text not in EN_NOUN_TOO


def _into_product(texts: list[str], place: int) -> bool:
    """Say whether "to the calendar" follows: the row is a part of a product there."""
    english = texts[place] in {"in", "to", "into", "onto", "within", "inside"}
    if english and texts[place + 1 : place + 2] and texts[place + 1] not in ARTICLES:
        return False
    ahead: list[str] = []
    for one in texts[place + 1 : place + 7]:
        if one in PUNCTUATION or one in {"to", "for", "pour", "that", "qui"}:
            break
        ahead.append(one)
    if any(noun_at(ahead, index) for index in range(len(ahead))):
        return False
    return not classes.PRODUCT.isdisjoint(ahead)
