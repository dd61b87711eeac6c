"""Cuts an English request into its parts, conditions and reasons."""

from __future__ import annotations

import re
from dataclasses import replace

from tooling.intent import IntentLabel
from tooling.intent.cleaning import fold, mask_inline_quotes
from tooling.intent.judge import is_imperative, label_sentence
from tooling.intent.lexicon import EN_NOUN_TOO
from tooling.llm.planner.en_asks import clause, read_ask, starts_with_verb, strip_leads
from tooling.llm.planner.model import Ask, Kind
from tooling.llm.planner.wording import bare, mask_asides, small

REASON = re.compile(
    r",? (?:which is |so that|so (?:we|i|they|people|users|customers|the|our"
    r"|everyone)\b|in order"
    r" to|because|since (?:we|i|it|they|the|our)\b|as (?:we|they|it is|it's)\b"
    r"|otherwise (?=we |they |it |the |people |users )|to avoid|to stop|which (?:means"
    r"|would|will)|that way|thanks to|due to"
    r"|given that|, to (?=[a-z])"
    r"|(?<=, )(?:people|users|they|the [a-z]+ [a-z]+) (?:say|says|complain)\b)"
)
CONDITION = re.compile(
    r",? (?:even if|when|whenever|if|in case(?: of)?|as soon as|once|unless|until) \S"
)
_SEPARATOR = re.compile(
    r": (?=[a-z])|[,;]? (?:and|but) (?=(?:if|when|in case) )|"
    r"[,;] (?:and then |and also |and |then |plus |as well as |but |or |otherwise "
    r"|please )?"
    r"(?:(?:with|including) )?(?=[a-z0-9'\"])"
    r"| (?:and then|and also|and|then|plus|as well as|with|including) (?=[a-z0-9])"
    r"| - (?=[a-z])"
)
_OPENING_IF = re.compile(
    r"((?:when|whenever|if|in case|as soon as|once) [^,]{3,120}?)"
    r"(?:, (?:then )?|,? then | (?=(?:please|we (?:need|should|must|want)|it should"
    r"|they"
    r" should|you should)\b))"
)
_HALF_CONDITION = re.compile(
    r"(?:when|whenever|if|in case|as soon as|once|unless)\b[^,]*$"
)
_ARTICLE = re.compile(r"(?:a|an|one|two|three|another|some|optional) [a-z]")
_OBJECT = re.compile(
    r"[a-z]+ (?:the|a|an|our|all|each|every|it|them|us|me|this|that|these|those|its"
    r"|their|everyone|my|old|new|any|[a-z]+s|to|on|for|in|by|into|from|up|out"
    r"|email|[a-z]+ing|when|if|every|automatically|at|with|as|after|before|per)\b"
)
_DETERMINED = re.compile(r"[a-z]+ (?:the|an?|our|all|each|every|it|them|us|me)\b")
_MAKERS = frozenset(
    """build create add make set provide implement design develop introduce give offer
    prepare launch deliver write put draft""".split()
)
_SUBJECT_CLAUSE = re.compile(
    r"(?:(?:the|our|all|each|every|only|any|no) [a-z][a-z' -]{0,40}? "
    r"|[a-z]+s (?:[a-z' -]{1,40}? )?)"
    r"(?:should|must|has to|have to|needs to|need to|can) "
)
_OWN_CLAUSE = re.compile(
    r"(?:we|i)(?:'d| would| really)? (?:need|want|like|love|must|should)\b"
)
_PRONOUN_CLAUSE = re.compile(
    r"(?:it|they|this|that|which|these) (?:must|should|has to|have to|needs to|need to"
    r"|can|could|will|ought to|also)"
)


_OPENING_CLAUSE = re.compile(f"{_PRONOUN_CLAUSE.pattern}|{_SUBJECT_CLAUSE.pattern}")


def peel_reason(text: str) -> str:
    """Return `text` without the clause that says why."""
    found = REASON.search(fold(mask_inline_quotes(text)))
    if found is None or found.start() < 8:
        return text
    return text[: found.start()]


def peel_condition(text: str) -> tuple[str, str]:
    """Return `text` without its "when it fails", and that."""
    folded = fold(mask_inline_quotes(text))
    found = CONDITION.search(folded)
    if found is None:
        opening = re.match(
            r"(?:when|whenever|if|in case|as soon as|once) [^,]+, ", folded
        )
        if opening and len(folded) - opening.end() > 8:
            return text[opening.end() :], bare(text[: opening.end()])
        return text, ""
    head, condition = text[: found.start()], text[found.start() :]
    if found.start() < 4 or re.search(r"\b(?:know|see|check|decide|tell|ask) ?$",
                                      fold(head)):  # fmt: skip
        return text, ""
    return bare(head), bare(condition)


def _splits(before: str, mark: str, after: str, first: str, noun: bool) -> bool:
    words = before.split()
    if len(words) < 2 or not after:
        return False
    if mark[:1] == ":":
        return starts_with_verb(after)
    if _OPENING_IF.match(after) and mark.endswith(("and ", "but ")):
        return True
    comma = mark[:1] in {",", ";"} or "then" in mark
    if mark[:1] == "," and _HALF_CONDITION.match(before):
        return False
    if "with " in mark or "including" in mark:
        if comma:
            return not after.startswith(("no ", "out "))
        maker = (noun and not _OPENING_CLAUSE.match(before)) or first in _MAKERS
        return maker and _ARTICLE.match(after) is not None
    if mark[:1] == ";":
        return True
    owned = re.match(r"(?:the|our|all|only|every|each|any|no) ", after)
    if (comma or (mark == " and " and owned)) and _SUBJECT_CLAUSE.match(after):
        return True
    if comma and _OWN_CLAUSE.match(after):
        return True
    if _PRONOUN_CLAUSE.match(after) and (comma or mark == " and "):
        return True
    ambiguous = after.split(" ", 1)[0] in EN_NOUN_TOO
    if ambiguous and noun and not _DETERMINED.match(after):
        return False
    plain = comma and not ambiguous
    if is_imperative(after) and (plain or _OBJECT.match(after)):
        return comma or not noun or len(words) > 3
    if comma and starts_with_verb(after) and not noun and "and" not in mark:
        return _OBJECT.match(after) is not None
    if _ARTICLE.match(after):
        listed = re.match(r"(?:[a-z]+ )?(?:a|an|two|three|some) ", before)
        return listed is not None or (mark[:1] == "," and "and" in mark)
    return False


def split_parts(body: str) -> list[tuple[str, str]]:
    """Return the parts of a request: (joining word, text)."""
    folded = mask_asides(fold(mask_inline_quotes(body)))
    first = folded.split(" ", 1)[0]
    noun = not starts_with_verb(body)
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


_COLON = re.compile(r"(.{8,}?) ?: ((?:[^,]{2,80}, )+[^,]{2,120})")
_FINITE = r"\b(?:is|are|should|must|doit|doivent|est|sont|faut)\b"
# "manager, then accounting" is an order of things, not a list of them.
_WANTED = re.compile(
    r"(?:add|build|create|make|set|provide|write|need|have|put|improve|update|simplif"
    r"|rework|redesign|modernis|ajout|cre|construi|mett|refond|amelior|revoi|prev|fai)"
)
_FRESH = re.compile(r"(?:an?|une?|des|two|three|deux|trois) ")
_ORDERED = re.compile(r", (?:and |et )?(?:then|puis|ensuite) ")
_LISTED = re.compile(r", (?:and |or |et |ou )?")


def colon_list(body: str) -> tuple[str, list[str]]:
    """Take "this, that and more" after a colon from a request."""
    found = _COLON.fullmatch(body)
    if found is None or starts_with_verb(found[2]) or _ORDERED.search(fold(found[2])):
        return body, []
    items = [bare(item) for item in _LISTED.split(found[2])]
    if starts_with_verb(body) and not _WANTED.match(fold(body)):
        # "anonymise the data: names, addresses" says which data, not what to add.
        fresh = any(_FRESH.match(fold(item)) for item in items)
        items = items if fresh else []
        return (body, []) if not items else (bare(found[1]), items)
    if any(re.search(_FINITE, fold(item))
           for item in items):  # fmt: skip
        return body, []
    return bare(found[1]), items


def _open_condition(text: str) -> tuple[str, str]:
    """Take "if it fails," from the start of a text."""
    found = _OPENING_IF.match(fold(mask_inline_quotes(text)))
    if found is None or len(text) - found.end() < 8:
        return text, ""
    return bare(text[found.end() :]), bare(text[: found.end(1)])


def _read_part(join: str, text: str, main: Ask, opening: str) -> Ask:
    said = text
    text, own = _open_condition(text)
    body, condition = peel_condition(peel_reason(text))
    if join.endswith(("with", "including")) and not starts_with_verb(body):
        ask = Ask(Kind.NOUN, bare(body))
    else:
        ask = read_ask(body)
    if main.kind is Kind.CLAUSE and ask.kind is Kind.VERB and join == "and":
        ask = clause(main.subject, ask.text, main.mood)
    condition = condition or own or opening
    return replace(ask, condition=condition, source=said, after=True)


_NEW = re.compile(r"(?:an?|two|three) ")
ROLE = re.compile(
    r"as an? (?:[^,]{2,60}, (?=i |we )"
    r"|[^,]{2,60}? (?=(?:i|we) (?:want|need|would|must|should|have to)\b|(?:i|we)'d ))"
)
_OPENING_PLACE = re.compile(
    r"((?:for|in|on|at|from|before|by|during|after|within|starting|until) [^,]{2,80}), "
    r"(?=\S)"
)


def _opening_place(body: str) -> tuple[str, str]:
    """Take "in the portal," from the start of a text; it goes to its end."""
    role = ROLE.match(fold(body))
    if role is not None:
        return body[role.end() :], ""
    found = _OPENING_PLACE.match(mask_asides(fold(body)))
    if found is None or len(body) - found.end() < 10:
        return body, ""
    return body[found.end() :], small(body[: found.end(1)])


def _asks(text: str) -> bool:
    return label_sentence(text, loose=False)[0] is IntentLabel.FEATURE_REQUEST


def _stray(join: str, ask: Ask) -> bool:
    """Say whether a part after a semicolon is a remark, not a request."""
    fresh = _NEW.match(fold(ask.text))
    return join[:1] == ";" and ask.kind is Kind.NOUN and not fresh


def read_asks(text: str, fault: bool = False) -> list[Ask]:
    """Read all that one sentence asks for; the first ask is its main point."""
    body = peel_reason(strip_leads(bare(text)))
    opening = place = ""
    if not fault:
        body, opening = _open_condition(body)
        body, place = _opening_place(body)
    body, listed = colon_list(body)
    pieces = split_parts(body)
    if (
        not fault
        and len(pieces) > 1
        and not (_asks(pieces[0][1]) or starts_with_verb(pieces[0][1]))
        and _asks(pieces[1][1])
    ):
        pieces = [("", pieces[1][1]), *pieces[2:]]
    head, condition = peel_condition(pieces[0][1])
    hypothetical = re.match(r"(?:it|that) ?(?:'d|would|could|might)", fold(head))
    if hypothetical or not head or (fault and len(pieces) == 1):
        head, condition = pieces[0][1], ""
    main = read_ask(head, fault)
    main = replace(main, condition=condition or opening, source=pieces[0][1])
    if place:
        main = replace(main, text=bare(f"{main.text} {place}"))
    rest = [(join, _read_part(join, part, main, opening)) for join, part in pieces[1:]]
    items = [Ask(Kind.NOUN, item, source=item, after=True) for item in listed]
    return [main, *(ask for join, ask in rest if not _stray(join, ask)), *items]
