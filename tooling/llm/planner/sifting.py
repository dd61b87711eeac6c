"""Tells words with content from words without."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tooling.intent import IntentLabel
from tooling.intent.cleaning import fold
from tooling.intent.frames import HEDGE, MUSING, WORD
from tooling.llm.planner.model import Kind

if TYPE_CHECKING:
    from tooling.llm.planner.model import Ask
    from tooling.llm.planner.segmenting import Unit

_SMALL = frozenset(
    """the a an of to for with and or in on at by from into our as that which is are be
    was were it we i you they need needs should would could can please have has when if
    this these those my your their its not no do does all each every also so but want
    like le la les un une des du de et ou au aux avec pour par dans sur en vers que qui
    est sont il elle on nous je vous ils elles ce cette ces notre nos mon ma mes faut
    besoin serait doit d l j qu c n s se ne pas plus aussi si quand mais""".split()
)
_REMARK = re.compile(
    r"(?:it|this|that|which|c'est|c'|ca|cela|ce) ?(?:is|'s|was|makes|est|etait"
    r"|devient)?\b"
    r"(?! (?:crashes|fails|does|doesn't|keeps|times|ne|plante|bug))"
)
_EMPTY_VERBS = frozenset(
    """fix do solve handle allow correct repair know propose create make change see help
    look investigate address resolve sort corriger faire regler resoudre reparer traiter
    savoir proposer creer changer voir aider prevoir""".split()
)
_EMPTY_WORDS = frozenset(
    """it this that them please quickly soon asap now celui-ci celle-ci ceux-ci celui
    celle ceux ci urgence urgent priorite en a priority ca cela vite quelque chose
    something moi nous""".split()
)


def stems(text: str) -> set[str]:
    """Return the content words of a text, cut to their first five letters."""
    words = (w for part in WORD.findall(fold(text)) for w in part.split("'"))
    return {w[:5] for w in words if len(w) > 2 and w not in _SMALL}


def vacuous(ask: Ask) -> bool:
    """Say whether an ask names nothing of its own, as "fix it"."""
    if ask.kind is Kind.FAULT:
        return _REMARK.match(fold(ask.text)) is not None
    words = WORD.findall(fold(ask.text))
    if ask.kind is not Kind.VERB or words[0] not in _EMPTY_VERBS:
        return False
    if words[0] in {"know", "savoir"}:
        return True
    rest = [w for w in WORD.findall(fold(ask.text))[1:] if w not in _SMALL]
    return not set(rest) - _EMPTY_WORDS


def is_context(unit: Unit, wanted: set[str], short: bool) -> bool:
    """Say whether a sentence belongs to the need: in a short message each does."""
    folded = fold(unit.text)
    long_enough = len(folded.split()) >= (4 if short else 5)
    return (
        unit.label is not IntentLabel.QUESTION
        and not unit.veto
        and long_enough
        and (short or bool(stems(folded) & wanted))
        and not (MUSING.match(folded) or HEDGE.search(folded))
    )
