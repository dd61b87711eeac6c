"""Cuts a French request into its parts, conditions and reasons."""

from __future__ import annotations

import re
from dataclasses import replace

from tooling.intent import IntentLabel
from tooling.intent.cleaning import fold, mask_inline_quotes
from tooling.intent.judge import label_sentence
from tooling.llm.planner.en_parts import colon_list
from tooling.llm.planner.fr_asks import clause, read_ask, starts_with_verb, strip_leads
from tooling.llm.planner.fr_forms import infinitive_of, is_infinitive
from tooling.llm.planner.model import Ask, Kind
from tooling.llm.planner.wording import bare, mask_asides, small

REASON = re.compile(
    r",? (?:afin (?:de|d'|que|qu')|pour (?:que|qu'|eviter|ne (?:pas|plus))|parce qu[e']"
    r"|car |puisqu[e']|vu qu[e']|comme ca|de sorte qu|ce qui |etant donne|grace a"
    r"|histoire de|(?<=, )(?:l'an dernier|plein de|on perd) "
    r"|, pour (?=[a-z]+(?:er|ir|re) ))"
)
CONDITION = re.compile(
    r",? (?:meme si |quand |lorsqu[e'] ?|si (?!possible)|s'(?=ils?\b)|en cas d[e'u] ?"
    r"|des qu[e'] ?"
    r"|des lors qu[e'] ?|a moins qu[e'] ?|chaque fois qu[e'] ?|tant qu[e'] ?)\S"
)
_SEPARATOR = re.compile(
    r" ?: (?=[a-z])|[,;]? (?:et|mais) (?=(?:si|quand|lorsqu|en cas d|des que)[ 'eu])|"
    r"[,;] (?:et puis |et |puis |ensuite |mais aussi |mais |ainsi qu(?:e |')|ou |sinon"
    r" )?"
    r"(?:avec |y compris )?(?=[a-z0-9'\"])"
    r"| (?:et puis|et aussi|et|puis|ainsi que|ainsi qu'|ensuite|avec|y compris) "
    r"?(?=[a-z0-9])| - (?=[a-z])"
)
_OPENING_IF = re.compile(
    r"((?:quand |lorsqu(?:e |')|si |s'(?=ils?\b)|en cas d(?:e |u |')|des qu(?:e |')"
    r"|chaque fois qu(?:e |'))[^,]{3,120}?)"
    r"(?:, (?:alors )?|,? alors | (?=(?:il faut|il faudrait|on doit|nous devons|merci"
    r" de)"
    r"\b))"
)
_THAT = re.compile(
    r"(?:qu'|que )(?=(?:on|nous|les?|la|l'|nos|notre|chaque|ils?|elles?)\b)"
)
_HALF_CONDITION = re.compile(
    r"(?:quand |lorsqu[e']|si |s'ils? |en cas d|des qu[e']|chaque fois qu[e'])[^,]*$"
)
_ARTICLE = re.compile(r"(?:une?|deux|trois|plusieurs|quelques) [a-z]")
_OF_A = re.compile(r"d'une? [a-z]")
_MAKERS = frozenset(
    """construire creer ajouter faire mettre fournir implementer concevoir developper
    introduire donner offrir preparer lancer livrer rediger prevoir realiser""".split()
)
_SUBJECT_CLAUSE = re.compile(
    r"(?:les?|la|l'|nos|notre|chaque|tous les|toutes les|seuls les) ?[a-z][a-z'"
    r" -]{0,40}? "
    r"(?:doit|doivent|devrait|devraient|devra|devront|peut|peuvent) "
)
_OWN_CLAUSE = re.compile(
    r"(?:(?:il (?:nous |me )?)?fau(?:t|drait) |on a besoin|nous avons besoin|j'aimerais"
    r"|je voudrais|nous voudrions|nous aimerions|on voudrait|on aimerait)"
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
    if ":" in mark:
        return starts_with_verb(after)
    if _THAT.match(after) and mark.endswith("et "):
        return True
    if _OPENING_IF.match(after) and mark.endswith(("et ", "mais ")):
        return True
    comma = mark[:1] in {",", ";"} or "puis" in mark or "ensuite" in mark
    if mark[:1] == "," and _HALF_CONDITION.match(before):
        return False
    if "avec " in mark or "y compris" in mark:
        if comma:
            return not re.match(r"(?:les? |la |l')", after)
        return (noun or first in _MAKERS) and _ARTICLE.match(after) is not None
    if mark[:1] == ";":
        return True
    if mark[:1] in {",", ";"} and _SUBJECT_CLAUSE.match(after):
        return True
    if mark[:1] in {",", ";"} and _OWN_CLAUSE.match(after):
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
    if _OF_A.match(after) and mark.endswith("et ") and "besoin d'" in before:
        return True
    if _ARTICLE.match(after):
        listed = re.match(r"(?:[a-z]+ )?(?:une?|deux|trois|plusieurs) ", before)
        return listed is not None or (mark[:1] == "," and "et" in mark)
    return False


def split_parts(body: str) -> list[tuple[str, str]]:
    """Return the parts of a request: (joining word, text)."""
    folded = mask_asides(fold(mask_inline_quotes(body)))
    noun = not starts_with_verb(body)
    first = fold(infinitive_of(folded.split(" ", 1)[0]))
    parts: list[tuple[str, str]] = []
    start, join = 0, ""
    for found in _SEPARATOR.finditer(folded):
        before, after = folded[start : found.start()], folded[found.end() :]
        if not _splits(before, found[0], after, first, noun):
            continue
        parts.append((join, body[start : found.start()]))
        start, join = found.end(), found[0].strip()
    parts.append((join, body[start:]))
    return [(join, bare(text)) for join, text in parts if bare(text)]


def _colon_list(body: str) -> tuple[str, list[str]]:
    after = body.partition(":")[2].strip()
    return (body, []) if starts_with_verb(after) else colon_list(body)


def _open_condition(text: str) -> tuple[str, str]:
    """Take "si l'envoi échoue," from the start of a text."""
    found = _OPENING_IF.match(fold(mask_inline_quotes(text)))
    if found is None or len(text) - found.end() < 8:
        return text, ""
    return bare(text[found.end() :]), bare(text[: found.end(1)])


def _read_part(join: str, text: str, main: Ask, opening: str) -> Ask:
    that = _THAT.match(fold(text))
    text = text[that.end() :] if that else text
    said = text
    text, own = _open_condition(text)
    body, condition = peel_condition(peel_reason(text))
    body = re.sub(r"^(?:d['’]|de |à )(?=une? |\w+(?:er|ir|re)\b)", "", body)
    if join.endswith(("avec", "compris")) and not is_infinitive(body.split(" ")[0]):
        ask = Ask(Kind.NOUN, bare(body))
    else:
        ask = read_ask(f"il faut que {body}" if that else body)
    shared = main.kind is Kind.CLAUSE and ask.kind is Kind.VERB and not that
    if shared and join == "et":
        ask = clause(main.subject, ask.text, main.mood)
    condition = condition or own or opening
    return replace(ask, condition=condition, source=said, after=True)


_NEW = re.compile(r"(?:une?|deux|trois) ")
ROLE = re.compile(
    r"suite a [^,]{2,60}, (?=(?:je|nous|on|il) )|(?:en tant qu(?:e |')|comme )"
    r"(?:[^,]{2,60}, |[^,]{2,60}? (?=(?:je|nous) |j'))"
)
_OPENING_PLACE = re.compile(
    r"((?:(?:pour|dans|sur|chez|avant|apres|pendant|d'ici|a partir d[eu]|au|aux|en)"
    r" |cote |a partir d')[^,]{2,80}), (?=\S)"
)


def _opening_place(body: str) -> tuple[str, str]:
    """Take "dans le portail," from the start of a text; it goes to its end."""
    role = ROLE.match(fold(body))
    if role is not None:
        return body[role.end() :], ""
    found = _OPENING_PLACE.match(mask_asides(fold(body)))
    if found is None or len(body) - found.end() < 10:
        return body, ""
    place = small(body[: found.end(1)])
    why = place.startswith("pour ") and is_infinitive(place.split(" ")[1])
    return body[found.end() :], "" if why else place


def _asks(text: str) -> bool:
    return label_sentence(text, loose=False)[0] is IntentLabel.FEATURE_REQUEST


def _stray(join: str, ask: Ask) -> bool:
    """Say whether a part after a semicolon is a remark, not a request."""
    fresh = _NEW.match(fold(ask.text))
    return join[:1] == ";" and ask.kind is Kind.NOUN and not fresh


# "Comment faire pour que ..." wishes for what follows.
_HOW = re.compile(r"comment (?:faire|on fait|fait-on|peut-on faire) pour qu(?=e |')")
_FRAME = "il faut que "
_ASKS_THAT = re.compile(r"est-ce qu(?:e |')(?=(?:les?|la|l'|nos|notre|chaque)\b)")


def open_question(text: str, frame: str = "") -> str:
    """Return a wish without the question around it: "Comment faire pour que ...".

    `frame` is put before what stood after "que".
    """
    how = _HOW.match(fold(text))
    if how is not None:
        rest = text[how.end() + 1 :].lstrip()
        return f"{frame}{rest}" if frame else rest
    found = _ASKS_THAT.match(fold(text))
    return text[found.end() :] if found else text


def read_asks(text: str, fault: bool = False) -> list[Ask]:
    """Read all that one sentence asks for; the first ask is its main point."""
    body = peel_reason(open_question(strip_leads(bare(text)), _FRAME))
    opening = place = ""
    if not fault:
        body, opening = _open_condition(body)
        body, place = _opening_place(body)
    body, listed = _colon_list(body)
    pieces = split_parts(body)
    if (
        not fault
        and len(pieces) > 1
        and not (_asks(pieces[0][1]) or starts_with_verb(pieces[0][1]))
        and _asks(pieces[1][1])
    ):
        pieces = [("", pieces[1][1]), *pieces[2:]]
    head, condition = peel_condition(pieces[0][1])
    hypothetical = re.match(r"(?:ce|ca|cela|il) serait [a-z ]{2,20}$", fold(head))
    if hypothetical or not head or (fault and len(pieces) == 1):
        head, condition = pieces[0][1], ""
    main = read_ask(head, fault)
    source = pieces[0][1]
    if not fold(text).startswith(_FRAME):
        source = source.removeprefix(_FRAME)
    main = replace(main, condition=condition or opening, source=source)
    if place:
        main = replace(main, text=bare(f"{main.text} {place}"))
    rest = [(join, _read_part(join, part, main, opening)) for join, part in pieces[1:]]
    items = [Ask(Kind.NOUN, item, source=item, after=True) for item in listed]
    return [main, *(ask for join, ask in rest if not _stray(join, ask)), *items]
