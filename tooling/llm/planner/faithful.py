"""Holds what the planner derives against the words it was derived from.

A derived sentence may not lose a negation, an exclusion or a condition of its source,
nor read as if a rule had misunderstood it. Where it does, the person's own words stand
in its place.
"""

from __future__ import annotations

import re

from tooling.intent.cleaning import fold
from tooling.intent.frames import WORD
from tooling.llm.planner.sifting import stems

# Each class of negation or exclusion with the words that carry it.
_MARKS = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("not", r"\bnot\b|\bcannot\b|n't\b|\b(?:dont|doesnt|cant|wont|isnt)\b"),
        ("not", r"\bpas\b(?! (?:de )?(?:mal|seulement)\b)"),
        ("not only", r"\bpas seulement\b"),
        ("never", r"\bnever\b|\bjamais\b"),
        ("none", r"\b(?:no|none|nobody|nothing|neither|nor)\b|\bno one\b"),
        ("none", r"\b(?:rien|aucune?s?|nulle?|ni)\b"),
        ("none", r"\bn(?:e |')(?:[a-z']+ ){0,5}?personne\b|\bpersonne ne\b"),
        ("none", r"\bn(?:e |')(?:[a-z'-]+ ){1,4}?plus\b(?! d(?:e |'))"),
        ("without", r"\bwithout\b|\bsans\b"),
        ("except", r"\b(?:except|excluding|unless|apart from|other than)\b"),
        ("except", r"\b(?:sauf|excepte|hormis|hors|a moins)\b"),
        ("except", r"\b(?:nobody|no one|none|nothing|all|anyone|everyone) but\b"),
        ("instead", r"\b(?:instead of|rather than|au lieu d|plutot que?)\b"),
        ("only", r"\bonly\b|\b(?:seule?s?|seulement|uniquement)\b"),
        ("only", r"\bn(?:e |')(?:[a-z'-]+ ){1,4}?qu(?:e |')"),
        ("until", r"\buntil\b|\bjusqu(?:e |'| )"),
        ("stop", r"\b(?:stop|arrete[rz]?|cesse[rz]?)\b"),
    )
)
# Inability in the wish itself: "there is no way to export" wishes for the export.
_LACKING = re.compile(
    r"^(?:there(?:'s| is| are) (?:currently |still )?no (?:way to )?|no way to "
    r"|(?:we|i) (?:currently |still )?have no (?:way to )?|why (?:not|don't we) "
    r"|pourquoi (?:ne )?pas |(?:et )?ne pourrait-on pas |il n'y a (?:pas|aucune?"
    r"|toujours pas) (?:moyen )?(?:de |d')?|(?:je|on|nous) n'arriv(?:e|ons) "
    r"(?:pas|plus|jamais) a |do not forget to |don't forget to |n'oublie[zr]? pas de )"
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|once|as soon as|in case|quand|si|s'(?=ils?\b)"
    r"|lorsqu[e']|des qu[e']|des lors qu[e']|sauf si|meme si|en cas|a moins qu[e']"
    r"|tant qu[e']|chaque fois qu[e'])(?: |(?<=')|$)[^,;:]*"
)
# No conditions: courtesy, and the "if" of a wish or of a question within.
_MERE = re.compile(
    r"\b(?:if|si) (?:possible|needed|necessary|besoin|necessaire)\b"
    r"|\b(?:would|'d|could|might|serait|pourrait)\b[^,;]{0,30}? (?:if|si) "
    r"|\b(?:si seulement|if only|si (?:on|nous|je) pouv\w+|et si)\b"
)
_RELATIVE = re.compile(
    r"\b(?:that|who|which|whose|where|if|when|unless|qui|dont|ou|si|quand|lorsqu\w*"
    r"|des qu|as soon as|because|parce"
    r"|meme si|anything|anyone|anybody|everyone|whoever)\b"
)
_FORBIDS = re.compile(
    r"\b(?:(?:must|should|shall|may|ought) (?:not|never|no longer)|mustn't|shouldn't"
    r"|(?:ne |n')(?:doi(?:t|vent)|devrai(?:t|ent)|devr(?:a|ont)|fau(?:t|drait)"
    r"|peu(?:t|vent)) (?:pas|plus|jamais|rien|en aucun|que)"
    r"|(?:is|are) not (?:to be )?(?:allowed|permitted)|est interdit"
    r"|(?:can|may|will) (?:not|never|only)|cannot|can't|cant"
    r"|(?:do not|don't|does not|doesn't|no longer|never) (?:need|want|require|have to)"
    r"|(?:ne |n')(?:a|ont|veu(?:t|lent)) (?:pas|plus) (?:besoin|que))\b"
)
_BARRED = re.compile(
    r"^(?:nobody|no one|none of|no (?!way|longer)[a-z]+|neither|nothing|only"
    r"|personne|aucune?|seule?s?|nul|plus d[e'])\b"
)
_BARRED_LATER = re.compile(
    r"[:,] (?:nobody|no one|none of|only (?:the|a) [a-z ]{2,40} (?:can|may)|personne ne"
    r"|aucune? [a-z]+ n|seule?s? (?:les? |la |l'))"
)
_WORKS = (
    r"work|load|open|start|print|save|respond|refresh|sync|run|connect|appear|display"
    r"|arrive|update|answer|scroll"
)
_PLAIN_COMPLAINT = re.compile(
    r"(?P<thing>(?:the|our|my|this) [a-z0-9' -]{2,60}?) "
    r"(?:doesn't|doesnt|does not|don't|do not|no longer|won't) "
    rf"(?P<verb>(?:{_WORKS})s?)"
    r"(?: (?:any ?more|at all|now|properly|correctly))?"
)
_PLAIN_COMPLAINT_FR = re.compile(
    r"(?P<thing>(?:les? |la |l'|nos |notre |mon |ma |mes |cet(?:te)? |ce )"
    r"[a-z0-9' -]{2,60}?) (?:ne |n')?(?P<verb>(?:march|fonctionn|s'ouvr|s'affich"
    r"|demarr|charg|imprim|arriv)(?:e|ent)) (?:pas|plus)(?: du tout| bien)?"
)
_GARBLED = re.compile(
    r"^(?:me|him|them|us|her|it|itself|what|that) (?:is|are|straight|no longer)\b"
    r"|\b(?:are|is) let\b|\b(?:but|and|or|mais|et|ou)[ ,.]*$"
    r"|\b(?:is|are) (?:complete|taken)\.?$|, mais (?:uniquement|seulement) "
    r"|^(?:this|that|these|it) [a-z]+ (?:is|are) in place"
    r"|\bat no longer\b|^(?:set up|mettre en place) (?:this|that|it|un comme)\b"
    r"| to (?!the|an?|our|each|all|every)[a-z]+ (?:[a-z]+ )*(?:is|are) in place"
)
_MAKES = re.compile(r"^(?:make|let|get|stop|arreter|cesser|rendre|have) ")
_STANDS_IN = re.compile(r"\b(?:celui|celle|ceux|celles)-ci\b")
# Stems of words of asking: a reading may leave them out.
_ASKING = frozenset(
    """abili able agree aimer allow besoi bien bonjo calle conve creat cree
    creer d'abo devra devro doive easie enabl enfin ensui faudr faut first fix
    going grea great handy have hello helpf hope idea ideal intit lack lacks
    lastl like liked loved lovel make merci missi moyen must neede needs nice
    nomme offer okay optio perme permi peut pleas possi pourr pouve pouvo prati
    prefe propo provi puiss reque secon serai shoul some souha sugge super tant
    thank there third title urgen usefu utile veuil veux voudr wants wishe would
    """.split()
)


def _flat(text: str) -> str:
    return fold(text).replace("’", "'")


def marks(text: str) -> set[tuple[str, str]]:
    """Return each negation or exclusion of a text with the content word after it."""
    folded = _flat(text)
    folded = folded[_end(_LACKING.match(folded)) :]
    found = set()
    for name, pattern in _MARKS:
        for place in pattern.finditer(folded):
            found.add((name, _next_stem(folded[place.end() :])))
    return found


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found else 0


def _next_stem(rest: str) -> str:
    for word in WORD.findall(rest[:120]):
        if stems(word):
            return str(word)[:5]
    return ""


def conditions(text: str) -> list[str]:
    """Return the conditions of a text: "if it fails", "sauf si Paul le demande"."""
    folded = _MERE.sub(" ", _flat(text))
    return [found[0].strip() for found in _CONDITION.finditer(folded)]


def _has(stem: str, held: set[str]) -> bool:
    return stem in held or any(stem[:3] == one[:3] for one in held)


# What these bear upon stands right behind them.
_BOUND = frozenset({"only", "not only", "except", "instead", "without"})


def loses(source: str, written: str) -> bool:
    """Say whether `written` has lost a negation or a condition of `source`."""
    held, kept = stems(written), marks(written)
    kept_classes = {name for name, _ in kept}
    for name, stem in marks(source):
        if name not in kept_classes or (stem and stem not in held):
            return True
        if name in _BOUND and (name, stem) not in kept:
            return True
    for condition in conditions(source):
        if not all(_has(stem, held) for stem in stems(condition)):
            return True
    return False


def turns(source: str, written: str) -> bool:
    """Say whether `written` negates what `source` does not."""
    given = {name for name, _ in marks(source)}
    added = {name for name, _ in marks(written)} - given
    return bool(added - {"stop", "until"})


def drops(source: str, written: str) -> bool:
    """Say whether content words of `source` are gone, words of asking aside."""
    held = stems(written)
    gone = [
        stem for stem in stems(source) if stem not in _ASKING and not _has(stem, held)
    ]
    return len(gone) > 1


def garbled(source: str, written: str) -> bool:
    """Say whether a derived sentence shows that its rule misread the source."""
    folded = _flat(written)
    stands_in = _STANDS_IN.search(folded) and not _STANDS_IN.search(_flat(source))
    return bool(_GARBLED.search(folded) or stands_in)


def takes_no_passive(text: str) -> bool:
    """Say whether an order has a second verb or an object that acts itself."""
    folded = _flat(text)
    if any(name in _BOUND for name, _ in marks(text)):
        return True
    return any(p.search(folded) for p in (_MAKES, _SECOND_ORDER, _OWN_VERB))


_SECOND_ORDER = re.compile(
    r"\b(?:and|then|or) (?:then )?(?!the|an?|our|its?|their|all|each|every)[a-z]+ "
    r"(?:the|an?|it|them|him|her|our|its|their|this|that)\b"
    r"|\b(?:et|puis|ou) (?:les? |la |l'|lui |leur |en |y |d'|de )?[a-z]+(?:er|ir|re)\b"
    r"(?! d[eu]\b)|\bmais\b"
)


# "limit the rooms one person can hold": the object has a verb of its own.
_OWN_VERB = re.compile(
    r"^(?:(?!\b(?:where|that|which|who|whose|when|if|how|what)\b).)*?"
    r"\b(?:can|could|we|they|may)\b"
)


def mended(text: str) -> str:
    """Return a plain complaint as the sentence that it wishes true, else ""."""
    body = text.strip(" .!")
    folded = _flat(body)
    found = _PLAIN_COMPLAINT.fullmatch(folded) or _PLAIN_COMPLAINT_FR.fullmatch(folded)
    if found is None or _RELATIVE.search(found["thing"]):
        return ""
    thing, verb = body[: found.end("thing")], body[slice(*found.span("verb"))]
    english = found.re is _PLAIN_COMPLAINT
    if english and not verb.endswith("s") and not thing.endswith("s"):
        verb += "es" if verb.endswith("sh") else "s"
    return f"{thing} {verb}"


def bars(text: str) -> bool:
    """Say whether a sentence begins with whom or what it shuts out."""
    return _BARRED.search(_flat(text)) is not None


def forbids(text: str) -> bool:
    """Say whether a sentence forbids or restricts, so that it stands as it is."""
    folded = _flat(text)
    return any(p.search(folded) for p in (_BARRED, _BARRED_LATER, _FORBIDS))


def negated_within(text: str) -> bool:
    """Say whether the first negation stands in a clause that depends on another."""
    folded = _flat(text)
    places = [p.start() for _, pattern in _MARKS for p in pattern.finditer(folded)]
    return bool(places) and _RELATIVE.search(folded, 0, min(places)) is not None


def leaves_out(source: str, written: list[str]) -> bool:
    """Say whether much of a sentence stands in no line at all."""
    held = stems(" ".join(written))
    said = {stem for stem in stems(source) if stem not in _ASKING}
    gone = [stem for stem in said if not _has(stem, held)]
    return len(gone) > 1 and len(gone) > 0.4 * len(said)


def scattered(source: str, written: list[str]) -> bool:
    """Say whether a negation or condition of `source` stands whole in no line."""
    kept = [(marks(line), stems(line)) for line in written]
    for name, stem in marks(source):
        if not any(
            name in {one for one, _ in found} and (not stem or stem in held)
            for found, held in kept
        ):
            return True
    return any(
        not any(all(_has(s, held) for s in stems(condition)) for _, held in kept)
        for condition in conditions(source)
    )
