"""Knows sentences that state a rule: what holds, and what must not happen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tooling.intent import IntentLabel
from tooling.intent.cleaning import fold
from tooling.intent.frames import HEDGE, MUSING, REPORT
from tooling.intent.judge import strip_leads

if TYPE_CHECKING:
    from tooling.llm.planner.segmenting import Unit

_LIMIT = re.compile(
    r"(?:please |surtout |mais |but )?(?:do not|don't|dont|never|ne |n'|pas de |jamais"
    r"|il n'est pas question|pas question|hors de question|there is no question"
    r"|under no circumstances|en aucun cas|no need to|inutile d|evite[rz]? d)"
)
# Of the past or of today: it tells how things are, not how they shall be.
_TELLS = re.compile(
    r"\b(?:currently|at the moment|at present|today|nowadays|right now|last (?:week"
    r"|month|year|time|quarter)|every time|yesterday|so far|keeps?|was|were|had|did"
    r"|actuellement|aujourd'hui|en ce moment|pour l'instant|l'an dernier|hier"
    r"|la derniere fois|etai(?:t|ent)|avai(?:t|ent))\b"
    r"|^(?:i|we|my|our|it|this|that|there|you|je|j'|nous|c'|cela|ca|il y a|notre|nos"
    r"|thanks|thank you|merci)\b"
)
_AGREED = re.compile(
    r"(?:we(?:'ve| have)?|it was|it is) (?:all )?(?:agreed|decided) (?:that|to|on)\b"
    r"|(?:on|nous) (?:a|avons|est|sommes) (?:convenus?|decidee?|d'accord)"
    r" (?:que|qu'|de)"
)
_RULE = re.compile(
    r"(?:if|when|whenever|once|unless|si|s'ils?|quand|lorsqu|des qu)\b.{12,}"
    r"|(?:until|after|before|without|apres|avant|sans|en cas)\b[^,]*, "
    r"|.{2,120}? (?:gets?|receives?|sees?|goes?|stays?|becomes?|pays?|counts?|applies"
    r"|apply|keep|keeps|must|may|can|cannot|shall|will|should"
    r"|(?:is|are) (?:not |never |only |also |then )?[a-z]+(?:ed|en|ld|nt|pt|wn|out|up)"
    r"|recoit|recoivent|voit|voient|va|vont|reste(?:nt)?|devien(?:t|nent)|paie(?:nt)?"
    r"|s'appliqu(?:e|ent)|compte(?:nt)?|applique|garde(?:nt)?|doi(?:t|vent)"
    r"|peu(?:t|vent)|(?:est|sont) (?:pas |plus |jamais )?[a-z]+(?:e|i|u|is|it)e?s?)\b"
)


_TODAY = re.compile(
    r"(?:at the moment|at present|currently|today|nowadays|right now|so far|last"
    r" (?:week|month|year|time)|actuellement|aujourd'hui|en ce moment|pour l'instant"
    r"|l'an dernier|la derniere fois)\b"
)


def is_today(text: str) -> bool:
    """Say whether a sentence tells how things are at the moment."""
    return _TODAY.match(strip_leads(fold(text)).replace("’", "'")) is not None


def is_limit(text: str) -> bool:
    """Say whether a sentence says what is not to be done."""
    folded = strip_leads(fold(text)).replace("’", "'")
    return _LIMIT.match(folded) is not None and len(folded.split()) > 3


def is_rule(unit: Unit) -> bool:
    """Say whether a sentence states in the present what shall hold."""
    folded = strip_leads(fold(unit.text)).replace("’", "'")
    asked = unit.label is IntentLabel.QUESTION and not (
        folded.startswith(("when ", "quand ")) and not folded.endswith("?")
    )
    if unit.label is IntentLabel.FEATURE_REQUEST or asked or unit.item:
        return False
    if _AGREED.match(folded):
        return True
    if len(folded.split()) < 4 or _TELLS.search(folded):
        return False
    loose = MUSING.match(folded) or HEDGE.search(folded) or REPORT.match(folded)
    return not loose and _RULE.match(folded) is not None
