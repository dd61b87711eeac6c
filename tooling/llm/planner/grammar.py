"""The two grammars behind one face."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tooling.intent import frames
from tooling.intent.cleaning import fold, mask_inline_quotes
from tooling.intent.judge import (
    is_fragment,
    is_imperative,
    placed_order,
    strip_leads,
)
from tooling.llm.planner import en_asks, en_parts, fr_asks, fr_parts
from tooling.llm.planner.en_lines import EnglishLines
from tooling.llm.planner.faithful import forbids, negated_within
from tooling.llm.planner.fr_lines import FrenchLines
from tooling.llm.planner.model import Kind
from tooling.llm.planner.wording import bare, strip_leads_of

if TYPE_CHECKING:
    from tooling.llm.planner.model import Ask


class Lines(Protocol):
    """Wording of asks in one language."""

    def reference(self, ask: Ask) -> str:
        """How later sentences speak of the ask."""
        ...

    def title(self, ask: Ask) -> str:
        """The ask as a title."""
        ...

    def task(self, ask: Ask, about: str) -> str:
        """The ask as a task."""
        ...

    def resolve(self, text: str, about: str) -> str:
        """The text with its pronoun resolved."""
        ...

    def topic(self, text: str) -> str:
        """What a sentence speaks of, for a pronoun after it."""
        ...

    def criteria(self, ask: Ask, about: str) -> list[str]:
        """The ask as sentences to check."""
        ...


@dataclass(frozen=True, slots=True)
class Glue:
    """The few words that the planner adds around a person's own."""

    need: str
    change: str
    check: str
    joined: str
    pronouns: frozenset[str]


@dataclass(frozen=True, slots=True)
class Grammar:
    """All that a specification needs of one language."""

    code: str
    lines: Lines
    glue: Glue

    def read(self, text: str) -> list[Ask]:
        """Read what one sentence asks for."""
        fault = is_fault(text)
        if self.code == "fr":
            return fr_parts.read_asks(text, fault)
        return en_parts.read_asks(text, fault)

    def is_statement(self, ask: Ask, loose: bool) -> bool:
        """Say whether a whole sentence was taken for a noun phrase.

        A `loose` ask stands in a sentence, not in a list.
        """
        own = fold(self.polish(ask.source)).startswith(fold(bare(ask.text)))
        folded = fold(ask.text)
        finite = _FINITE_FR if self.code == "fr" else _FINITE_EN
        whole = (
            finite.search(folded) is not None
            or frames.ORDER_FR.match(folded) is not None
            or placed_order(folded)
            or (loose and len(folded.split()) > 5 and not is_fragment(folded))
        )
        return ask.kind is Kind.NOUN and own and whole

    def peel_reason(self, text: str) -> str:
        """Return a sentence without the clauses that say who asks and why."""
        parts = fr_parts if self.code == "fr" else en_parts
        text = strip_leads_of(text)
        text = fr_parts.open_question(text) if self.code == "fr" else text
        role = parts.ROLE.match(fold(text))
        text = text[role.end() :] if role else text
        found = parts.REASON.search(fold(mask_inline_quotes(text)))
        if found is None or found.start() < 8:
            return text
        rest = text[found.end() :].partition(",")[2]
        return f"{text[: found.start()]}, {rest}" if rest else text[: found.start()]

    def polish(self, text: str) -> str:
        """Return a sentence without greeting and courtesy at its ends."""
        if self.code == "fr":
            return fr_asks.strip_leads(bare(text))
        return en_asks.strip_leads(bare(text))


_STUCK = re.compile(r"(?:je|on|nous) n'arriv(?:e|ons) (?:pas|plus) a ")
_FINITE_EN = re.compile(
    r"(?<!that)(?<!who)(?<!which)(?<!where)(?<!of) (?:is|are|was|were|has|have|can"
    r"|cannot|must|should|will|may|does|do|goes|gets|we|they|i|it|[a-z]+n't)\b"
)
_FINITE_FR = re.compile(
    r"(?<!qui)(?<!dont) (?:est|sont|etait|ont|doit|doivent|peut|peuvent|peux|va|vont"
    r"|on|nous|il|elle|ils|elles|je|ne|n'[a-z]+|s'[a-z]+(?:e|ent))\b"
)
_CONDITIONAL = re.compile(
    r"(?:quand|when|whenever|if|si|lorsqu|des qu|as soon as|once|en cas|in case)\b.*, "
)


def is_fault(text: str) -> bool:
    """Say whether a sentence complains instead of asking."""
    folded = strip_leads(fold(text))
    if _STUCK.match(folded):
        return True
    if forbids(folded) or negated_within(folded):
        return False
    condition = _CONDITIONAL.match(folded)
    folded = folded[condition.end() :] if condition else folded
    return bool(frames.COMPLAINT.match(folded)) and not (
        frames.NEED.match(folded)
        or frames.NEED_FR.match(folded)
        or frames.ASK_ABLE.match(folded)
        or frames.WISH_WITHIN.search(re.split("[,;:]", folded)[0])
        or is_imperative(folded)
    )


ENGLISH = Grammar(
    "en",
    EnglishLines(),
    Glue(
        "The need is {}.",
        "Requested change: {}",
        "Check against the criteria: {}",
        "and",
        frozenset({"it", "they", "this", "that", "these", "which", "there"}),
    ),
)
FRENCH = Grammar(
    "fr",
    FrenchLines(),
    Glue(
        "Le besoin : {}.",
        "Modification demandée : {}",
        "Vérifier selon les critères : {}",
        "et",
        frozenset({"il", "elle", "ils", "elles", "cela", "ca", "ce", "celui-ci"}),
    ),
)


def grammar_for(language: str) -> Grammar:
    """Return the grammar of "fr", else that of English."""
    return FRENCH if language == "fr" else ENGLISH
