"""Tells words with content from words without."""

from __future__ import annotations

import re

from tooling.intent.cleaning import fold

WORD = re.compile(r"[a-z0-9œæ]+(?:'t\b)?")
_SMALL = frozenset(
    """the a an of to for with and or in on at by from into our as that which is are be
    was were it i we you they need needs should would could can please have has when if
    this these those my your their its not no do does all each every also so but want
    like le la les un une des du de et ou au aux avec pour par dans sur en vers que qui
    est sont il elle on nous je vous ils elles ce cette ces notre nos mon ma mes faut
    besoin serait doit d l j qu c n s se ne pas plus aussi si quand mais""".split()
)


def words_of(text: str) -> list[str]:
    """Return the folded words of a text, elisions apart."""
    return [w for part in WORD.findall(fold(text)) for w in part.split("'") if w]


def stems(text: str) -> set[str]:
    """Return the content words of a text, cut to their first five letters."""
    return {w[:5] for w in words_of(text) if len(w) > 2 and w not in _SMALL}
