"""What the two languages have in common once their words are named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tooling.intent.cleaning import fold
from tooling.llm.planner.stems import stems
from tooling.llm.planner.wording import bare, capital

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from tooling.llm.planner.model import Asked

# A shorter beginning is no thing or act of its own.
MIN_THING_CHARS = 8
MIN_ACT_WORDS = 3
MIN_TITLE_STEMS = 2


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a language asks. All patterns read folded text (`fold` keeps its length).

    `read_lead` reads a sentence that begins with words of asking; `is_order` and
    `begins_act` tell whether folded text begins with an order, or with an act that
    another is joined to by `and_act` (whose second group is the word behind the act).
    """

    read_lead: Callable[[str], Asked | None]
    is_order: Callable[[str], bool]
    begins_act: Callable[[str], bool]
    articles: tuple[str, ...]
    loose: re.Pattern[str]
    wanting: re.Pattern[str]
    with_thing: re.Pattern[str]
    and_act: re.Pattern[str]
    pronouns: frozenset[str]
    reasons: re.Pattern[str]

    def is_loose(self, text: str) -> bool:
        """Say whether a piece begins with a pronoun for what was said before it."""
        return self.loose.match(fold(text)) is not None

    def wants(self, folded: str) -> bool:
        """Say whether a sentence says who needs or wants something."""
        return self.wanting.search(folded) is not None

    def split_thing(self, text: str) -> list[str]:
        """Return "a report, with an alert" as its two things."""
        cut = self.with_thing.search(fold(text))
        if cut is None or cut.start() < MIN_THING_CHARS:
            return [text]
        return [text[: cut.start()], text[cut.end() :]]

    def split_act(self, text: str) -> list[str]:
        """Return the acts that are joined in `text`, each with its own object."""
        parts, start = [], 0
        folded = fold(text)
        for found in self.and_act.finditer(folded):
            own = self.begins_act(folded[found.end() :])
            short = len(folded[start : found.start()].split()) < MIN_ACT_WORDS
            if not own or found[2] in self.pronouns or short:
                continue
            parts.append(text[start : found.start()])
            start = found.end()
        return [*parts, text[start:]]

    def headline(self, text: str) -> str:
        """Return what a title takes of `text`: no article, no reason."""
        folded = fold(text)
        for article in self.articles:
            if folded.startswith(article):
                text = text[len(article) :]
        cut = self.reasons.search(fold(text))
        if cut is not None and len(stems(text[: cut.start()])) >= MIN_TITLE_STEMS:
            text = text[: cut.start()]
        return capital(bare(text))
