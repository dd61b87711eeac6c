"""Small operations on a person's words."""

from __future__ import annotations

import re
import unicodedata

from tooling.intent.cleaning import fold

_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_EDGES = " \t\n,;:.!?…-–—*•"
_INVISIBLE = "\u200b\u200d\ufeff\ufe0f\u00ad"
_UNFIT = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_DANGLING = frozenset(
    """a an the of to for with and or in on at by from into our as that which under
    what only where who whose than then
    un une des de du le la les et ou à au aux avec pour par dans sur en vers que qui
    d' l'""".split()
)


def tidy(text: str) -> str:
    """Return `text` composed, without control characters or lone surrogates.

    Line ends and tabs stay.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    kept = [c for c in unicodedata.normalize("NFC", text) if c not in _INVISIBLE]
    return "".join(
        " " if unicodedata.category(c) in _UNFIT and c not in "\n\t" else c
        for c in kept
    )


# Words before a request that carry none of it.
_OPENER = re.compile(
    r"(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|bonjour|bonsoir|salut"
    r"|coucou)(?: (?:all|team|everyone|everybody|there|folks|guys|again|a tous"
    r"|a toutes|tout le monde|l'equipe|toute l'equipe))?[,!.:]* +"
    r"|(?:please|pls|plz|kindly|ok|okay|so|also|and|but|well|ideally|urgent|important"
    r"|in addition|additionally|besides|moreover|furthermore|secondly|thirdly|lastly"
    r"|alors|donc|et|mais|aussi|du coup|svp|stp|par ailleurs|de plus|en plus|en outre"
    r"|s'il (?:te|vous) plait|if possible|si possible|quick one|small thing|one more"
    r" thing|petite demande|petite question)(?:[,:;!.]+ *| +-+ | +)"
    r"|(?:first|second|third|finally|last|premierement|deuxiemement|troisiemement"
    r"|d'abord|enfin|ensuite)[,:] +"
    r")"
)
_POLITE_END = re.compile(
    r",? *(?:please|pls|plz|thanks|thank you|thx|cheers|if possible|svp|stp|merci"
    r"(?: d'avance| beaucoup)?|s'il (?:te|vous) plait|si possible)? *[.!?… ]*$"
)


def opened(text: str) -> str:
    """Return `text` without greeting, connectives and courtesy at its start."""
    for _ in range(5):
        found = _OPENER.match(fold(text))
        if found is None or found.end() >= len(text):
            return text
        text = text[found.end() :]
    return text


def polite_end(text: str) -> str:
    """Return `text` without courtesy and full stop at its end; a "?" stays."""
    found = _POLITE_END.search(fold(text))
    if found is None or not found.start():
        return text
    return text[: found.start()] + ("?" if text.rstrip().endswith("?") else "")


def squash(text: str) -> str:
    """Return `text` on one line, with single spaces."""
    return _SPACES.sub(" ", text).strip()


def bare(text: str) -> str:
    """Return `text` on one line without punctuation at its ends."""
    return squash(text).strip(_EDGES)


def capital(text: str) -> str:
    """Return `text` with its first letter in upper case."""
    for index, mark in enumerate(text[:3]):
        if mark.isalpha():
            # A name such as iPhone keeps its own shape.
            word = text[index:].split(" ", 1)[0]
            elided = word[1:2] in {"'", "’"}
            if any(c.isupper() for c in word[1:]) and not elided:
                return text
            upper = mark.upper() if len(mark.upper()) == 1 else mark
            return text[:index] + upper + text[index + 1 :]
        if mark.isdigit():
            return text
    return text


def small(text: str) -> str:
    """Return `text` with a lower first letter, unless its first word is a name."""
    word = text.split(" ", 1)[0].strip("'’")
    if len(word) > 1 and any(c.isupper() for c in word[1:]):
        return text
    if word == "I" or word.startswith("I'"):
        return text
    return text[:1].lower() + text[1:]


def sentence(text: str) -> str:
    """Return `text` as a sentence: a capital first and a full stop last."""
    body = squash(text).strip(" ,;:-–—")
    if not body:
        return ""
    if body[-1] in "?!.…":
        body = body.rstrip("?!.… ")
    return capital(body) + "." if body else ""


def cut(text: str, limit: int) -> str:
    """Cut `text` at a word boundary to `limit` characters, no small word at the end."""
    if len(text) <= limit:
        return text
    head = text[: limit + 1]
    head = head.rsplit(" ", 1)[0] if " " in head else text[:limit]
    words = head.split(" ")
    while len(words) > 1 and words[-1].lower().strip(",;:") in _DANGLING:
        words.pop()
    return " ".join(words).rstrip(_EDGES)[:limit]


def clipped(text: str, limit: int) -> str:
    """Return `text`, or as much as `limit` characters hold, with a mark of the cut."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    for mark in ("; ", ", ", " "):
        place = head.rfind(mark)
        if place >= limit // 2:
            return cut(head[:place], limit - 1) + "…"
    return cut(head, limit - 1) + "…"


def calm(text: str) -> str:
    """Turn shouting into plain case: only where nearly every letter is a capital."""
    letters = [c for c in text if c.isalpha()]
    loud = sum(c.isupper() for c in letters)
    if len(letters) >= 12 and loud / len(letters) > 0.8 and " " in text.strip():
        return text.lower()
    return text
