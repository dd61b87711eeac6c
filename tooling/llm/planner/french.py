"""How French asks: the words of asking, and what follows them."""

from __future__ import annotations

import re

from tooling.intent.cleaning import fold
from tooling.intent.lexicon import FR_ACTS
from tooling.llm.planner.grammar import Grammar
from tooling.llm.planner.model import Asked, Form
from tooling.llm.planner.wording import bare

_ADVERBS = (
    r"(?: (?:donc|vraiment|bien|aussi|egalement|beaucoup|absolument|urgemment|juste"
    r"|simplement|svp|s'il (?:te|vous) plait))*"
)
_AS = r"(?P<as>en tant qu(?:e |')[^,.;:]{2,60}?,? (?=je |j'|nous |on |il ))?"
_WISHES = (
    r"(?:(?:je |j'|nous |on )(?:voudrai[st]|voudrions|veux|veut|voulons|souhaite"
    r"|souhaitons|souhaiterai[st]|souhaiterions|aimerai[st]|aimerions|desire|desirons"
    r"|apprecierai[st]|apprecierions|prefererai[st]|prefererions|demande|demandons"
    r"|attends?|attendons)"
    r"|il (?:nous |me |leur |vous |lui |te )?(?:faut|faudrait|faudra|manque|manquerait)"
    r"|(?:ce|il) serait (?:vraiment |tres |aussi )?(?:bien|bon|utile|pratique|super|top"
    r"|ideal|genial|sympa|interessant|souhaitable|appreciable|judicieux|parfait)"
    r"|l'ideal serait|le mieux serait|(?:l'idee|l'objectif|le but)"
    r" (?:est|serait)"
    r"|(?:j'ai|nous avons|on a|on aurait|j'aurais|nous aurions)(?: vraiment| donc"
    r"| aussi| egalement)* besoin|(?:est-il|serait-il|est-ce|serait-ce) possible"
    r"|y a-t-il(?: un)? moyen|y aurait-il(?: un)? moyen|merci|veuillez|priere"
    r"|il s'agi(?:t|rait)|il convien(?:t|drait)|faut|faudrait|besoin"
    r"|comment (?:peut-on )?faire pour"
    r"|(?:on|nous) (?:devrait|devrions|pourrait|pourrions))"
)
_ASKED = (
    r"(?:est-ce qu(?:e |'))?(?:(?:on|tu|vous|nous|quelqu'un) (?:peut|pourrait|peux"
    r"|pourrais|pouvez|pourriez|pouvons|pourrions)|peut-on|pourrait-on|peux-tu"
    r"|pourrais-tu|pouvez-vous|pourriez-vous|pouvons-nous|pourrions-nous)"
)
_LEAD = re.compile(rf"{_AS}(?P<ask>{_WISHES}|{_ASKED}){_ADVERBS}(?= )")
_LINK = re.compile(r" (?P<link>que |qu'|de (?!la |l')|d')?")
_CLITICS = (
    r"(?:(?:ne (?:pas|plus|jamais) )?(?:l'|la |le |les |lui |leur |y |en |nous |me "
    r"|te |vous |se |s')?)"
)
_INFINITIVE = re.compile(
    rf"{_CLITICS}(?P<verb>[a-z-]{{2,}}(?:er|ir|dre|ttre|vre|[udrau]ire|clure)|etre)\b"
)
_NOUNS = frozenset(
    """autre notre votre quatre titre ordre nombre chiffre lettre dossier papier
    calendrier registre compteur premier dernier entre contre leur cadre membre
    fichier courrier atelier filtre centre livre cahier planning metre litre""".split()
)
_NOMINAL = re.compile(r"(?:aire|oire|ture|iere|eure)$")
_VERBS = frozenset(
    "faire refaire plaire taire extraire distraire soustraire croire boire".split()
)
_ABLE = re.compile(
    r"pouvoir |(?=(?:voir|recevoir|savoir|consulter|disposer|retrouver)\b)"
)
_CAN = {"je": "je peux", "j'": "je peux", "nous": "nous pouvons", "on": "on peut"}
_HAVE = re.compile(
    r"(?:avoir|disposer|obtenir|recevoir) (?:d'|de )?(?=(?:une?|des|les?|la|l') ?)"
)
_THING = re.compile(
    r"(?:une?|des|les?|la|du|plus|davantage|deux|trois|\d+) |l'|d'|de la "
)
_BARE_QUE = re.compile(r"(?:que |qu')(?!est-ce)(?=[a-z])")
_WISHING = re.compile(
    r"(?:ce|il) serait |(?:je|nous|on) pref|pourquoi ne pas |et si |si (?:on|nous)"
    r" pouv|ca serait |il y aurait moyen"
)
_WITH = re.compile(
    r", (?:et |ainsi que )?avec (?=une? )|,? et d'(?=une? )|, et (?=une? )"
)
_AND_ACT = re.compile(
    r"(?:,|;)? (?:et|puis|et puis|et ensuite|ensuite) (?=([a-z-]+) ([a-z]+))"
)
_PRONOUNS = frozenset("celui celle ceux cela ca".split())
_ENTITY = re.compile(
    r"(?:peux-tu |pouvez-vous |merci de |veuillez )?(?:cree[rz]?|creez|ouvre[rz]?"
    r"|ouvrir|propose[rz]?|ajoute[rz]?|lance[rz]?|depose[rz]?|prepare[rz]?)(?:-(?:moi"
    r"|nous))? (?:une |la |cette )?(?:nouvelle )?(?:mission|proposition)s?"
    r"(?: (?:pour|de|d'|sur|intitulee|nommee|appelee))?(?: :|:)? *(?=\S)"
)
_IMPERATIVE = re.compile(
    r"(?!(?:avez|pouvez|voulez|savez|devez|chez|assez|allez|etes)$)"
    r"(?:[a-z]{3,}ez|[a-z]{3,}-(?:les?|la|moi|nous|lui|leur|en|y)|[a-z]{3,}ez-[a-z]+)"
)
_LOOSE = re.compile(
    r"(?:[^ ]+ ){0,2}(?:qu')?(?:elles?|ils?|ca|cela|ceux-ci|celle-ci|celui-ci)\b"
    r"|[a-z]+-(?:les?|la)\b|qu'on (?:puisse )?(?:les?|la) "
)
_WANTS = re.compile(
    r"\b(?:besoin|voulons|veut|veulent|voudrai[st]|souhaitons|souhaite|aimerai[st]"
    r"|aimerions|il faut|il faudrait)\b"
)
_CUTS = re.compile(
    r",? afin (?:de |d'|que |qu')|,? pour (?:que |qu')|,? parce qu|,? car "
    r"|,? puisqu|, avec (?=une? )| - |,? faute de quoi "
)


def _infinitive(folded: str) -> bool:
    found = _INFINITIVE.match(folded)
    if found is None or found["verb"] in _NOUNS:
        return False
    return found["verb"] in _VERBS or not _NOMINAL.search(found["verb"])


def read_lead(text: str) -> Asked | None:
    """Read a sentence that begins with words of asking, or return None."""
    folded = fold(text)
    entity = _ENTITY.match(folded)
    if entity is not None:
        return Asked(
            Form.WISH, bare(text[entity.end() :]).strip("«» \u00a0'\"“”"), text
        )
    lead = _LEAD.match(folded)
    if lead is not None:
        return _after_lead(text, folded, lead)
    if _BARE_QUE.match(folded) and not folded.endswith("?"):
        return Asked(Form.CLAUSE, text, text, text)
    if _WISHING.match(folded):
        return Asked(Form.WISH, text, text)
    return None


def _after_lead(text: str, folded: str, lead: re.Match[str]) -> Asked | None:
    link = _LINK.match(folded, lead.end())
    if link is None:
        return None
    rest = text[link.end() :]
    if link["link"] in {"que ", "qu'"}:
        clause = text[link.start("link") :]
        return Asked(Form.CLAUSE, clause, text, clause)
    if _infinitive(fold(rest)):
        return _act(text, rest, lead)
    thing = link["link"] is not None or _THING.match(fold(rest))
    if lead["ask"].startswith(("merci", "veuillez", "priere")):
        return None
    return Asked(Form.THING if thing else Form.WISH, rest if thing else text, text)


def _act(text: str, rest: str, lead: re.Match[str]) -> Asked:
    have = _HAVE.match(fold(rest))
    if have is not None:
        return Asked(Form.THING, rest[have.end() :], text)
    able = _ABLE.match(fold(rest))
    who = re.match(r"je|j'|nous|on", lead["ask"])
    if able is None or who is None:
        return Asked(Form.ACT, rest, text)
    rest = rest[able.end() :]
    before = text[: lead.end("as")] if lead["as"] else ""
    return Asked(Form.ACT, rest, text, f"{before}{_CAN[who[0]]} {rest}")


def is_order(folded: str) -> bool:
    """Say whether a folded sentence begins with an order or an infinitive."""
    first, _, rest = folded.partition(" ")
    known = first in FR_ACTS or _infinitive(first) or bool(_IMPERATIVE.fullmatch(first))
    return bool(rest) and known


FRENCH = Grammar(
    read_lead=read_lead,
    is_order=is_order,
    begins_act=_infinitive,
    articles=("un ", "une "),
    loose=_LOOSE,
    wanting=_WANTS,
    with_thing=_WITH,
    and_act=_AND_ACT,
    pronouns=_PRONOUNS,
    reasons=_CUTS,
)
