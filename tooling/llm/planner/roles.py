"""What a sentence is in a message: an ask, a rule for it, or the story around it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tooling.intent import IntentLabel
from tooling.intent.cleaning import fold
from tooling.llm.planner.english import ENGLISH
from tooling.llm.planner.french import FRENCH
from tooling.llm.planner.model import Asked, Form
from tooling.llm.planner.wording import opened, polite_end

if TYPE_CHECKING:
    from tooling.llm.planner.grammar import Grammar
    from tooling.llm.planner.segmenting import Unit

MIN_WORDS = 3

_PARTICIPLE = re.compile(r"\w+ée?s?\b")
_PLEASE = re.compile(r"(?:please|pls|plz|svp|stp|s'il (?:te|vous) plait)[.! ]*$")
_PIECE = re.compile(r"[,;:.] | [-–—] ")

# What must or must not be, wherever it stands.
_RULE = re.compile(
    r"\b(?:must|mustn't|should|shouldn't|shall|shan't|may not|may only|can only"
    r"|can never|cannot be|can't be|(?:has|have|needs?|ought) to be|not allowed"
    r"|doi(?:t|vent)|devr(?:a|ont|ait|aient)|il (?:ne )?(?:faut|faudra)"
    r"|ne (?:peut|peuvent|pourra|pourront)|interdit|obligatoires?)\b"
    r"|^(?:no|only|nobody|no one|noone|never|do not|don't|dont|not) "
    r".*\b(?:may|can|be|let|send|show|delete|touch|change|use|allow|book|print)\b"
    r"|^(?:ne (?:pas|jamais|plus)|n'|jamais|interdi[rt]e?|seule?s?|aucune?|nul) "
    r"|^(?:do not|don't|dont|never) "
    r"|^(?:i|we) (?:don't|do not|no longer|never) want "
    r"|^(?:je|nous|on) (?:ne )?(?:veux|voulons|veut|souhaite|souhaitons) (?:pas|plus) "
    r"|^(?:je|nous|on) (?:ne )?(?:veux|voulons|veut) pas "
    r"|^(?:il )?ne (?:faut|faudrait) (?:pas|plus|jamais|surtout) "
)
# After an ask, these too tell how it shall be.
_DETAIL = re.compile(
    r"^(?:if|when|whenever|unless|until|once|as soon as|without|except|otherwise|then"
    r"|after|before|below|above|over|under|for|numbers|max(?:imum)?|deadline|priority"
    r"|si|s'il|quand|lorsqu|des qu|tant qu|sans|sauf|sinon|ensuite|puis|apres|avant"
    r"|en cas|en dessous|au-dela|au dela|pour les|pas de|pas d'|pas|delai|priorite"
    r"|echeance|maximum)\b"
    r"|\b(?:only|except|unless|always|never|no longer|at least|at most|still|stays?"
    r"|remains?|no|not|within|without|cannot|can't|may|can|will|gets?|goes|go|counts?|needs?|wants?"
    r"|(?:has|have|needs?) to"
    r"|seulement|uniquement|sauf|toujours|jamais|au moins|au plus|reste(?:nt)?|aucune?"
    r"|tant que|des que|maximum|minimum|suffi(?:t|sent)|garde(?:nt)?|peut|peuvent"
    r"|sera|seront|est|sont|font? foi)\b"
)
_FACT = re.compile(
    r"(?:deadline|priority|due|budget|not before|delai|priorite|echeance|date limite)"
    r"(?: [a-z]+)? ?:"
)
_TALE = re.compile(
    r"^(?:it|it's|this|that|that's|there (?:is|are|was|were)|thanks|thank you|so far"
    r"|we (?:are|were|have|had|use|do|keep|still|lose|spend)|i (?:am|was|have|had|know)"
    r"|last |yesterday|today|currently|at the moment|right now|c'est|cela|ca|il y a"
    r"|merci|hier|aujourd'hui|actuellement|en ce moment|pour l'instant|on (?:a|en a)"
    r"|nous (?:avons|sommes)|j'ai|je suis|petit|rappel)\b"
    r"|\b(?:yesterday|last (?:week|month|year|time|monday|friday)|twice this|every time"
    r"|at the moment|currently|nowadays|these days|was|were|had|did|didn't|because"
    r"|since|takes? forever|annoying|embarrass?ing|love|hate|costs? us|actuellement"
    r"|la semaine derniere|le mois dernier|l'an dernier|hier|etai(?:t|ent)"
    r"|avai(?:t|ent)|parce qu|a chaque fois|souvent|en a marre|perd(?:ons|re)?)\b"
)
_NOW = re.compile(
    r"\b(?:today|currently|at the moment|right now|every time|each time|so far"
    r"|by hand|manually|so (?:we|they|i|people|staff)|actuellement|aujourd'hui"
    r"|en ce moment|a chaque fois|a la main|du coup)\b"
)
_NO = re.compile(
    r"(?:do not|don't|dont|never|no |ne |n'|jamais|pas |(?:i|we) (?:don't|do not|no"
    r" longer|never) want|(?:je|nous|on) (?:ne )?(?:veux|voulons|veut|souhaite"
    r"|souhaitons) (?:pas|plus))"
)


def grammar_of(language: str) -> Grammar:
    """Return the grammar of a language code."""
    return FRENCH if language == "fr" else ENGLISH


def read_ask(unit: Unit, language: str) -> Asked | None:
    """Read what a sentence asks for by its own words, or None.

    What forbids is a rule before all else: no words of asking are taken off it.
    """
    text = polite_end(opened(unit.text))
    folded = fold(text)
    if unit.veto or not text:
        return None
    grammar = grammar_of(language)
    if _NO.match(folded):
        if unit.item:
            return Asked(Form.WISH, text, unit.text, text)
        return Asked(Form.RULE, text, unit.text) if _RULE.search(folded) else None
    asked: Asked | None = grammar.read_lead(text)
    if asked is not None and asked.text.strip():
        return replace(asked, source=unit.text)
    if unit.item:
        return _item(unit, text, grammar)
    if unit.label is IntentLabel.QUESTION or text.endswith("?"):
        return None
    # "Passé cette date" folds to an order, and is none.
    if grammar.is_order(folded) and not _PARTICIPLE.match(text):
        return Asked(Form.ACT, text, unit.text)
    if _PLEASE.search(fold(unit.text)):
        return Asked(Form.WISH, text, unit.text)
    return None


def _item(unit: Unit, text: str, grammar: Grammar) -> Asked | None:
    if unit.label is IntentLabel.QUESTION:
        return None
    if grammar.is_order(fold(text)):
        return Asked(Form.ACT, text, unit.text)
    ruled = _RULE.search(fold(text)) or _NO.match(fold(text))
    return Asked(Form.ITEM, text, unit.text, text if ruled else "")


def asks_within(unit: Unit, language: str) -> bool:
    """Say whether a request asks by what follows its beginning."""
    if not asks_by_label(unit):
        return False
    grammar = grammar_of(language)
    if grammar.wants(fold(unit.text)):
        return True
    for found in _PIECE.finditer(unit.text[:600]):
        piece = polite_end(opened(unit.text[found.end() :]))
        if not _NO.match(fold(piece)) and (
            grammar.read_lead(piece) or grammar.is_order(fold(piece))
        ):
            return True
    return False


def is_rule(unit: Unit, *, asked: bool) -> bool:
    """Say whether a sentence says by itself what must or must not be.

    Before anything was `asked`, "staff have to type it by hand" tells of today.
    """
    folded = fold(opened(unit.text))
    if _FACT.match(folded):
        return True
    if unit.veto or folded.endswith("?") or (not asked and _NOW.search(folded)):
        return False
    return _RULE.search(folded) is not None


def is_detail(unit: Unit) -> bool:
    """Say whether a sentence after an ask tells how it shall be."""
    folded = fold(opened(unit.text))
    if unit.veto or folded.endswith("?") or len(folded.split()) < MIN_WORDS:
        return False
    conditional = re.match(r"(?:if|when|unless|once|si|quand|lorsqu)", folded)
    if _TALE.search(folded) and not conditional:
        return False
    return _DETAIL.search(folded) is not None


def asks_by_label(unit: Unit) -> bool:
    """Say whether the judge of intent takes a sentence for a request."""
    return unit.label is IntentLabel.FEATURE_REQUEST and not unit.veto
