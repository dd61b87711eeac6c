"""Cuts a French request into its parts, conditions and reasons."""

from __future__ import annotations

import re
from dataclasses import replace

from tooling.intent.cleaning import fold, mask_inline_quotes
from tooling.llm.planner.fr_asks import read_ask, starts_with_verb, strip_leads
from tooling.llm.planner.fr_forms import infinitive_of, strip_article
from tooling.llm.planner.model import Ask, Kind
from tooling.llm.planner.wording import bare

REASON = re.compile(
    r",? (?:afin (?:de|d'|que|qu')|pour (?:que|qu'|eviter|ne (?:pas|plus))|parce qu[e']"
    r"|car |puisqu[e']|vu qu[e']|comme ca|sinon|de sorte qu|ce qui |etant donne|grace a"
    r"|au lieu de|plutot que|histoire de|, pour (?=[a-z]+(?:er|ir|re) ))"
)
CONDITION = re.compile(
    r",? (?:quand |lorsqu[e'] ?|si (?!possible)|s'(?=ils?\b)|en cas d[e'u] ?|des qu[e'] ?"
    r"|des lors qu[e'] ?|a moins qu[e'] ?|chaque fois qu[e'] ?|tant qu[e'] ?)\S"
)
_SEPARATOR = re.compile(
    r"[,;] (?:et puis |et |puis |ensuite |mais aussi |mais |ainsi qu(?:e |')|ou )?"
    r"(?:avec |y compris )?(?=[a-z0-9'\"])"
    r"| (?:et puis|et aussi|et|puis|ainsi que|ainsi qu'|ensuite|avec|plus|y compris) "
    r"?(?=[a-z0-9])| - (?=[a-z])"
)
_ARTICLE = re.compile(r"(?:une?|deux|trois|plusieurs|quelques) [a-z]")
_MAKERS = frozenset(
    """construire creer ajouter faire mettre fournir implementer concevoir developper
    introduire donner offrir preparer lancer livrer rediger prevoir realiser""".split()
)
_PRONOUN_CLAUSE = re.compile(
    r"(?:il|elle|ils|elles|cela|ca|ce|celui-ci|celle-ci) (?:doit|doivent|devrait"
    r"|devraient|faut|faudrait|devra|devront)"
)


def peel_reason(text: str) -> str:
    """Return `text` without the clause that says why."""
    found = REASON.search(fold(mask_inline_quotes(text)))
    if found is None or found.start() < 8:
        return text
    return text[: found.start()]


def peel_condition(text: str) -> tuple[str, str]:
    """Return `text` without its "en cas d'échec", and that."""
    folded = fold(mask_inline_quotes(text))
    opening = re.match(
        r"(?:quand|lorsqu[e']|si|en cas d[e']|des qu[e']) ?[^,]+, ", folded
    )
    if opening and len(folded) - opening.end() > 8:
        return text[opening.end() :], bare(text[: opening.end()])
    found = CONDITION.search(folded)
    if found is None or found.start() < 4:
        return text, ""
    if re.search(r"\b(?:savoir|voir|serait [a-z]+|bien|verifier)$",
                 folded[: found.start()]):  # fmt: skip
        return text, ""
    condition = bare(text[found.start() :])
    return bare(text[: found.start()]), condition


def _splits(before: str, mark: str, after: str, first: str, noun: bool) -> bool:
    if len(before.split()) < 2 or not after:
        return False
    comma = mark[:1] in {",", ";"} or "puis" in mark or "ensuite" in mark
    if "avec " in mark or "y compris" in mark:
        if comma:
            return True
        return (noun or first in _MAKERS) and _ARTICLE.match(after) is not None
    if mark[:1] == ";":
        return True
    if _PRONOUN_CLAUSE.match(after):
        return True
    verb = re.match(r"(?:a |d'|de )?([a-z]+)", after)
    if verb and starts_with_verb(after[verb.start(1) :]):
        rest = after[verb.end() :]
        if comma or not noun or len(before.split()) > 3:
            return re.match(r"-?[ -](?:les?|la|l'|une?|des|du|de|notre|nos|chaque|tous"
                            r"|toutes|moi|nous|aux?|a|vers|en|par|d'|ce|cette|leurs?|ses"
                            r"|[a-z]+s\b|[a-z]+)", rest) is not None  # fmt: skip
    if _ARTICLE.match(after):
        return (
            re.match(r"(?:[a-z]+ )?(?:une?|deux|trois|plusieurs) ", before) is not None
        )
    return False


def split_parts(body: str) -> list[tuple[str, str]]:
    """Return the parts of a request: (joining word, text)."""
    folded = fold(mask_inline_quotes(body))
    noun = not starts_with_verb(body)
    first = fold(infinitive_of(folded.split(" ", 1)[0]))
    parts: list[tuple[str, str]] = []
    start, join = 0, ""
    for found in _SEPARATOR.finditer(folded):
        before, after = folded[start : found.start()], folded[found.end() :]
        if not _splits(before, found[0], after, first, noun):
            continue
        parts.append((join, body[start : found.start()]))
        start, join = found.end(), found[0].strip(" ,;-")
    parts.append((join, body[start:]))
    return [(join, bare(text)) for join, text in parts if bare(text)]


def _read_part(join: str, text: str) -> Ask:
    text, condition = peel_condition(peel_reason(text))
    text = re.sub(r"^(?:d['’]|de |à )(?=\w+(?:er|ir|re)\b)", "", text)
    if join.endswith(("avec", "compris")) and not starts_with_verb(text):
        ask = Ask(Kind.NOUN, bare(text))
    else:
        ask = read_ask(text)
    return replace(ask, condition=condition, source=text, after=True)


def read_asks(text: str, fault: bool = False) -> list[Ask]:
    """Read all that one sentence asks for; the first ask is its main point."""
    body = peel_reason(strip_leads(bare(text)))
    pieces = split_parts(body)
    head, condition = peel_condition(pieces[0][1])
    if (
        fold(head).startswith(("ce serait", "ca serait"))
        and " " not in strip_article(head)[10:]
    ):
        head, condition = pieces[0][1], ""
    if fault and len(pieces) == 1 and len(head.split()) < 4:
        head, condition = pieces[0][1], ""
    main = replace(read_ask(head, fault), condition=condition, source=pieces[0][1])
    return [main, *(_read_part(join, part) for join, part in pieces[1:])]
