"""Reads what a French sentence asks for."""

from __future__ import annotations

import re

from tooling.intent.cleaning import fold
from tooling.intent.frames import LEAD
from tooling.intent.judge import is_imperative
from tooling.intent.lexicon import FR_ACTS
from tooling.llm.planner.fr_forms import infinitive_of, is_infinitive
from tooling.llm.planner.model import Ask, Kind, Mood
from tooling.llm.planner.wording import bare

_ADV = (
    r"(?:(?:vraiment|aussi|encore|bien|peut-etre|egalement|absolument|enfin|desormais"
    r"|toujours|vite|rapidement|grandement|urgemment|donc|juste|simplement|plutot"
    r"|idealement|egalement) )*"
)
MISSION = re.compile(
    r"(?:cree[rz]?|ouvre[rz]?|ouvrir|propose[rz]?|lance[rz]?|prepare[rz]?|demarre[rz]?"
    r"|redige[rz]?|ajoute[rz]?) (?:moi |nous )?-?(?:moi |nous )?(?:une |un |la |le )?"
    r"(?:nouvelle? )?(?:mission|proposition|demande d'evolution)"
    r"(?: (?:intitulee?|nommee?|appelee?|pour|sur|concernant|visant a|de))?[:,]? *"
    r"(?:d'|de l'|l')?"
)
_OPENINGS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:demande|idee|besoin|souhait|evolution|amelioration|proposition|requete|objet"
        r"|suggestion|sujet|todo|a faire)(?: d'evolution)? ?: *",
        rf"il (?:me |nous |leur |te |vous )?(?:faut|faudr(?:ait|ais|a)) {_ADV}"
        r"(?:pouvoir )?",
        rf"(?:faut|faudrai[ts]) {_ADV}(?:pouvoir )?",
        rf"(?:on|nous|j') ?{_ADV}(?:a|ai|avons|aurions|aurais|aurait|aura) {_ADV}"
        r"(?:grand )?besoin (?:urgent )?(?:de pouvoir |d'avoir |de |d')",
        r"besoin (?:urgent )?(?:de pouvoir |d'avoir |de |d')",
        rf"(?:j ?'?aimerais|j'adorerais|j(?:e |'| )?voudrais|je souhaite|je"
        rf" souhaiterais|je veux"
        r"|nous (?:aimerions|voudrions|souhaitons|souhaiterions|voulons|desirons|devons"
        r"|devrions|pourrions|cherchons a)|on (?:aimerait|voudrait|souhaite"
        r"|souhaiterait"
        rf"|veut|doit|devrait|pourrait|cherche a)) {_ADV}(?:pouvoir |que tu |que vous"
        rf" )?"
        r"(?:avoir |disposer d(?:e |'))?",
        r"(?:je|nous|on) (?:propose|proposons|suggere|suggerons|demande|demandons) "
        r"(?:de |d')?",
        r"(?:ce|il|ca|cela) (?:serait|pourrait etre) (?:[a-z]+ )?[a-z]+ (?:de pouvoir "
        r"|d'avoir |de |d')",
        r"(?:merci|priere) (?:de bien vouloir |de |d')|veuillez |tu veux bien ",
        r"(?:est-ce qu(?:e |'))?(?:peut[- ]on|pourrait[- ]on|peux[- ]tu|pourrais[- ]tu"
        r"|pouvez[- ]vous"
        r"|pourriez[- ]vous|pouvons-nous|pourrions-nous|puis-je|tu peux|tu pourrais"
        r"|vous pouvez|vous pourriez|on peut|on pourrait|nous pourrions|nous pouvons"
        rf"|ne pourrait-on pas|pourra-t-on) {_ADV}(?:avoir |obtenir )?",
        r"(?:est-il|serait-il|est-ce|serait-ce|c'est|ce serait) possible "
        r"(?:de pouvoir |d'avoir |de |d')",
        r"(?:y aurait-il|y a-t-il|il y aurait|y a|y aurait|il y a) (?:un )?moyen "
        r"(?:de |d'avoir |d')|moyen d(?:e |')|pourquoi (?:ne )?pas ",
        r"et si (?:on|nous) |aurait-on |a-t-on ",
        r"il (?:nous |me )?manque (?:encore |toujours )?|on manque d(?:e |')"
        r"|nous manquons d(?:e |')|il n'y a (?:pas|aucune?|toujours pas) (?:de |d')?",
        r"impossible d(?:e |')|(?:on|nous|je) (?:ne |n')(?:peut|pouvons|peux) pas ",
        r"(?:l'idee|l'objectif|le but) (?:est|serait) (?:de |d')|souhait (?:de |d')?"
        r"|prevoir (?=une? )|si seulement (?:on|nous) pouv(?:ait|ions) "
        r"|si on pouvait |si nous pouvions ",
    )
)
_QUE = re.compile(
    r"(?:il (?:me |nous )?(?:faut|faudrait|faudra)|(?:faut|faudrait)|(?:on|nous|j')"
    r" ?(?:a|ai"
    r"|avons|aurait|aurions|aurais) besoin|j ?'?aimerais|j(?:e |'| )?voudrais|je"
    r" souhaite"
    r"|je souhaiterais|je veux|nous (?:aimerions|voudrions|souhaitons|voulons"
    r"|souhaiterions)|on (?:aimerait|voudrait|souhaite|veut)|(?:ce|il|ca|cela) serait"
    r" (?:[a-z]+ )?[a-z]+|(?:est-il|serait-il|est-ce|serait-ce) possible"
    r"|il ne faut pas|besoin|je propose|nous proposons|y aurait-il moyen"
    r"|l'idee (?:est|serait)|fai(?:re|s|tes) en sorte|mais) "
    rf"{_ADV}(?:que |qu'|qu )"
)
_SI = re.compile(r"(?:ce|il|ca|cela) serait (?:[a-z]+ )?[a-z]+ si ")
_MODAL = re.compile(
    rf"(?P<subject>[^,;:]{{2,140}}?) (?P<n>ne |n')?(?:doit|doivent|devrait|devraient"
    rf"|devra|devront|dois|devez|peut|peuvent|pourrait|pourraient) (?P<not>pas |plus "
    rf"|jamais )?{_ADV}(?P<rest>[a-z]\S.*)",
    re.DOTALL,
)
_WANTS = re.compile(
    rf"(?P<who>(?:les?|la|l'|nos|notre|mes|des|chaque|toute?s?) ?[a-z][a-z'"
    rf" ]{{2,60}}?) "
    rf"(?<! de )(?<! d')(?<! du )(?<! la )(?<! une ){_ADV}"
    rf"(?:(?:a|ont|aurait|auraient) {_ADV}besoin (?:de pouvoir |d'avoir |de |d')"
    r"|(?:aimeraient|voudraient|souhaitent|reclament|veulent|demandent|voudrait|aimerait"
    r"|souhaiterait|souhaiteraient|souhaite|reclame|demande) (?:pouvoir |avoir |a avoir"
    r" |a pouvoir |a |de |disposer d(?:e |'))?)"
)
_NEEDED = re.compile(
    r"(?P<what>[^,;:]{3,160}?) (?:est|sont|serait|seraient) (?:vraiment |aussi )?"
    r"(?:necessaires?|indispensables?|requise?s?|souhaite?e?s?|bienvenue?s?|utiles?"
    r"|pratiques?|manquante?s?|bien|top|super)\b *|(?P<that>[^,;:]{3,160}?)"
    r" manque(?:nt)?"
    r"\b *"
)
_ALLOW = re.compile(
    r"(?:permettre|permets|permettez|autoriser|autorise[z]?) (?P<to>a |aux? )?"
    r"(?P<subject>[a-z' ]{2,60}?) (?:de |d'|a )(?P<rest>[a-z].*)",
    re.DOTALL,
)
_ABLE = re.compile(
    r"(?:un |une |la |le |d'un )?(?:moyen|possibilite|facon|maniere|fonction"
    r" permettant|"
    r"option)"
    r" (?:pour (?P<who>[a-z' ]{2,40}?) )?(?:de |d'|pour )(?=[a-z])"
)
_GIVEN = re.compile(
    r"(?:ajoute[rz]?|offrir|offrez|prevoir|donne[rz]?) (?:la possibilite|un moyen|le"
    r" moyen)"
    r" (?:de |d')(?=[a-z])"
)
_TAIL = re.compile(
    r"[ ,]*(?:svp|stp|asap|des que possible|au plus vite|s'il (?:te|vous) plait"
    r"|merci(?: d'avance| beaucoup| bien)?"
    r"|si possible|un de ces jours|a l'occasion|c'est possible|est-ce possible"
    r"|tu peux faire ca|please|merci de votre aide|s v p)[ .!?]*$"
)
_FILLER = re.compile(r"(?:(?:aussi|juste|egalement|simplement|enfin|donc) |et |puis )+")


def strip_leads(text: str) -> str:
    """Return `text` without greeting, connective and courtesy at either end."""
    folded = fold(text)
    end = 0
    for _ in range(5):
        lead = LEAD.match(folded, end)
        if lead is None or lead.end() >= len(folded):
            break
        if folded[lead.start() : lead.end()].startswith("merci ") and re.match(
            r"d(?:e |')", folded[lead.end() :]
        ):
            break
        end = lead.end()
    body = text[end:].strip()
    tail = _TAIL.search(fold(body))
    return body[: tail.start()] if tail and tail.start() > 3 else body


def starts_with_verb(text: str) -> bool:
    """Say whether `text` begins with an infinitive or an imperative."""
    first = re.match(r"[^\W\d_]+", text)
    if first is None or text[first.end() : first.end() + 1] in {"'", "’"}:
        return False
    return is_infinitive(first[0]) or (
        is_imperative(fold(text)) and fold(first[0]) in FR_ACTS
    )


def to_infinitive(text: str) -> str:
    """Return a verb phrase with its first verb in the infinitive."""
    first = re.match(r"[^\W\d_]+", text)
    if first is None:
        return text
    rest = re.sub(r"^-(?:moi|nous|lui|leur)\b(?!-)", "", text[first.end() :])
    # "envoie-le" speaks of something before it: keep a pronoun that can be resolved.
    clitic = re.match(r"-(le|la|les)(?:-\w+)?\b", rest)
    if clitic is not None:
        rest = f" {_CLITICS[clitic[1]]}{rest[clitic.end() :]}"
    if fold(first[0]) in FR_ACTS:
        return FR_ACTS[fold(first[0])] + rest
    return first[0].lower() + rest


_CLITICS = {"le": "celui-ci", "la": "celle-ci", "les": "ceux-ci"}


def clause(subject: str, rest: str, mood: Mood) -> Ask:
    """Build the ask "subject does rest"; `rest` begins with a verb in any form."""
    head, _, tail = rest.partition(" ")
    if fold(head) in {"pouvoir", "puisse", "puissent"} and tail:
        return clause(subject, tail, Mood.CAN)
    verb = infinitive_of(head) or head.lower()
    return Ask(Kind.CLAUSE, tail, subject=subject, verb=verb, mood=mood)


_PRONOUNS = frozenset({"on", "nous", "je", "j'", "tu", "vous"})


def _from_que(body: str, negative: bool) -> Ask | None:
    """Read "les clients puissent exporter": subject, then a verb that is known."""
    words = body.split(" ")
    for index in range(1, min(10, len(words))):
        word = words[index].strip(",")
        if fold(word) in {"ne", "n'"} or word.lower().startswith(("n'", "n’")):
            tail = " ".join(words[index + (fold(word) == "ne") :])
            tail = re.sub(r"^n['’]", "", tail)
            tail = re.sub(r" (?:pas|plus|jamais)\b", "", tail, count=1)
            return clause(" ".join(words[:index]), tail, Mood.NOT)
        verb = infinitive_of(re.sub(r"^s['’]", "", word))
        if verb and re.match(r"s['’]", word):
            rest = " ".join(words[index + 1 :])
            return Ask(Kind.CLAUSE, rest, " ".join(words[:index]), f"s'{verb}")
        nominal = index == 1 and fold(words[0]) in {"le", "la", "les", "un", "une",
                                                    "nos", "notre", "chaque", "ce",
                                                    "cette", "des"}  # fmt: skip
        if not verb or nominal or fold(words[index - 1]) in {"de", "du", "des", "la",
                                                             "le", "les"}:  # fmt: skip
            continue
        subject, rest = " ".join(words[:index]), " ".join(words[index:])
        ask = clause(subject, rest, Mood.NOT if negative else Mood.DOES)
        if verb == "pouvoir" and index + 1 < len(words):
            ask = clause(subject, " ".join(words[index + 1 :]), Mood.CAN)
        if fold(subject) in _PRONOUNS and not negative:
            if ask.verb in {"avoir", "recevoir", "disposer"}:
                return Ask(Kind.NOUN, re.sub(r"^d['’e] ?", "", ask.text))
            return Ask(Kind.VERB, f"{ask.verb} {ask.text}".strip())
        return ask
    return None


def _from_modal(found: re.Match[str], body: str) -> Ask:
    subject = body[slice(*found.span("subject"))]
    mood = Mood.DOES
    if re.search(r" (?:peut|peuvent|pourrai(?:t|ent)) ", found[0]):
        mood = Mood.CAN
    if found["not"]:
        mood = Mood.NOT
    rest = body[found.start("rest") :]
    if fold(subject) in _PRONOUNS and mood is not Mood.NOT:
        return phrase(rest)
    return clause(subject, rest, mood)


def phrase(body: str, audience: str = "") -> Ask:
    """Read what follows the words of asking: a verb phrase, a clause or a noun."""
    body = bare(body)
    filler = _FILLER.match(fold(body))
    body = body[filler.end() :] if filler else body
    body = re.sub(r"^à (?=\w+(?:er|ir|re)\b)", "", body, flags=re.IGNORECASE)
    mission = MISSION.match(fold(body))
    if mission is not None and mission.end() < len(body) - 2:
        return phrase(body[mission.end() :].strip("'\"“”‘’«» "), audience)
    given = _GIVEN.match(fold(body))
    if given is not None:
        return phrase(body[given.end() :], audience)
    able = _ABLE.match(fold(body))
    if able is not None and starts_with_verb(body[able.end() :]):
        who = body[slice(*able.span("who"))] if able["who"] else audience
        rest = body[able.end() :]
        return clause(who, rest, Mood.CAN) if who else phrase(rest)
    allowed = _ALLOW.match(fold(body))
    if allowed is not None:
        subject = body[slice(*allowed.span("subject"))]
        article = {"au ": "le ", "aux ": "les "}.get(allowed["to"] or "", "")
        return clause(article + subject, body[allowed.start("rest") :], Mood.CAN)
    if starts_with_verb(body):
        text = to_infinitive(body)
        if audience:
            return clause(audience, text, Mood.CAN)
        return Ask(Kind.VERB, text)
    return Ask(Kind.NOUN, body, audience=audience)


def _special(body: str) -> Ask | None:
    folded = fold(body)
    for pattern in (_QUE, _SI):
        if (found := pattern.match(folded)) is not None:
            ask = _from_que(body[found.end() :], "ne faut pas" in found[0])
            if ask is not None:
                return ask
            if pattern is _QUE and "ne faut pas" not in found[0]:
                return Ask(Kind.VERB, f"faire en sorte que {body[found.end() :]}")
    if (found := _WANTS.match(folded)) is not None and found.end() < len(body):
        return phrase(body[found.end() :], body[slice(*found.span("who"))])
    if (found := _NEEDED.match(folded)) is not None and "que " not in found[0][:60]:
        name = "what" if found["what"] else "that"
        rest = body[found.end() :]
        return phrase(f"{body[slice(*found.span(name))]} {rest}".strip())
    return None


def read_ask(text: str, fault: bool = False) -> Ask:
    """Read the first thing that a piece of text asks for."""
    body = strip_leads(bare(text))
    if is_imperative(fold(body)) and starts_with_verb(body):
        return phrase(body)
    special = _special(body)
    if special is not None:
        return special
    folded = fold(body)
    for opening in _OPENINGS:
        found = opening.match(folded)
        if found is not None and found.end() < len(body):
            inner = body[found.end() :]
            return _special(inner) or phrase(inner)
    modal = _MODAL.match(folded)
    unable = modal is not None and (modal["not"] or "").strip() == "pas"
    if modal is not None and fault and unable and not _LATELY.search(folded):
        rest = body[modal.start("rest") :]
        who = body[slice(*modal.span("subject"))]
        own = fold(who) in _PRONOUNS
        return phrase(rest) if own else clause(who, rest, Mood.CAN)
    if modal is not None and not (fault and modal["not"]):
        return _from_modal(modal, body)
    if fault and not _NOUN_ONLY.fullmatch(folded):
        return Ask(Kind.FAULT, body)
    return phrase(body)


_LATELY = re.compile(r"\b(?:depuis|plus|hier|maintenant|aujourd'hui)\b")
_NOUN_ONLY = re.compile(r"(?:une?|des) [a-z' -]{2,60}")
