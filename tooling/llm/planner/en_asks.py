"""Reads what an English sentence asks for."""

from __future__ import annotations

import re

from tooling.intent.cleaning import fold
from tooling.intent.frames import LEAD
from tooling.intent.judge import is_imperative
from tooling.intent.lexicon import EN_NOUN_TOO
from tooling.llm.planner.en_forms import VERBS, base_form, is_participle
from tooling.llm.planner.model import Ask, Kind, Mood
from tooling.llm.planner.wording import bare

_ADV = (
    r"(?:(?:really|also|just|still|urgently|badly|now|desperately|maybe|probably"
    r"|perhaps|actually|simply|even|soon|definitely|certainly|please|currently"
    r"|already|always) )*"
)
_WISH = (
    r"(?:need(?:s|ed)?|wants?|require(?:s)?|wish(?:es)?|would like|'d like|would love"
    r"|'d love|love|prefer|would prefer|'d prefer|hope|lacks?|like)"
)

MISSION = re.compile(
    r"(?:create|open|propose|start|raise|launch|set up|draft|make|prepare|log|add)"
    r" (?:me |us )?(?:a |an |the |another )?(?:new )?(?:mission|proposal"
    r"|feature request)(?: (?:called|named|titled|entitled|for|to|about"
    r"|on|of))?[:,]? +"
)
_OPENINGS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:feature |change |new )?(?:request|idea|wish|suggestion|proposal|todo|to do"
        r"|need|subject|requirement|improvement)(?: for| of)? ?: *",
        r"(?:feature|change) request (?:for )?(?:- )?",
        rf"(?:let's|lets|let us|we propose to|i propose to|i suggest to) {_ADV}",
        r"(?:go ahead and|be sure to|remember to|try to|help us|help me|we plan to) ",
        rf"(?:can|could|would|will|may|might|shall) (?:we|i|you|one) {_ADV}"
        r"(?:be able to |possibly )?(?:have (?=a|an|the|some|our|more|all)|get (?=a"
        r" ))?",
        rf"(?:can|could|will|would) (?:someone|somebody|anyone|the team|anybody)"
        rf" {_ADV}",
        r"would you mind |are you able to |what would it take to |how about |why don't"
        r" we |why not |what if we |what about |do you think (?:we|you) could "
        r"|any (?:chance|way) (?:of |to |for |we (?:can|could) (?:get |have )?"
        r"|you (?:can|could) )",
        r"(?:is it|would it be) possible to (?:have (?=a|an|the) ?|get (?=a) ?)?",
        r"is there (?:a|any) way (?:to|for us to|for me to) ",
        r"(?:it|that)? ?(?:would|'d|might|could|will) (?:really )?be (?:[a-z]+"
        r" )?[a-z]+ "
        r"(?:to (?:have |get (?=a ))?|having )",
        r"be (?:nice|great|good|useful|helpful) to (?:have )?",
        rf"there (?:should|must|needs to|has to|ought to) {_ADV}be ",
        r"there(?:'s| is| are) (?:currently |still )?no (?:way to )?|no way to "
        r"|(?:we|i) (?:currently |still )?(?:have no|lack) (?:way to )?",
        r"(?:i am|i'm|we are|we're) (?:looking|asking|hoping) for |(?:looking|asking"
        r"|hoping|wishing|request) for |(?:we're|we are|i'm|i am) missing "
        r"|(?:requesting|missing|wanted|needed|required|want|need|would love"
        r"|would like|wish|i request|we request|we suggest|i suggest|i propose"
        r"|we propose)[ :] *(?:to (?:have )?)?",
        r"(?:we've|i've|we have|i have) got to |(?:we|i|you|one) "
        rf"(?:{_ADV}(?:must|should|shud|shoud|could|ought to|have to|might want to|may"
        rf" want to"
        rf"|will have to|had better) {_ADV})(?:have (?=a|an|the) ?)?",
        rf"(?:we|i|you|one|it) {_ADV}(?:(?:would|'d|will|'ll|do) {_ADV})?"
        rf"(?:need(?:s|ed)?|wants?|requires?|wish|like|love|prefer|hope)(?: for)? "
        r"(?:(?:someone|somebody|you|us|the team|help) )?"
        r"(?:to (?:be able to )?(?:have (?=a|an|the|some|our|all) ?)?|having )?",
        rf"(?:we|i)(?:'d|'ll) {_ADV}(?:like|love|need|prefer|want) (?:you )?"
        r"(?:to (?:be able to )?(?:have (?=a|an|the|some) ?)?)?",
    )
)
_AUDIENCE_NEED = re.compile(
    rf"(?P<who>[a-z][a-z' ]{{1,60}}?(?:, [^,:]{{2,40}},)?) {_ADV}"
    rf"(?:(?:would|'d|will) )?{_WISH} "
    r"(?P<to>to )?"
)
_ENDS_IN_MODAL = re.compile(r" (?:should|must|shall|can|could|may|will)$")
_AUDIENCE_ASK = re.compile(
    r"(?P<who>[a-z][a-z' ]{1,40}?) (?:asks? (?:us )?for |asked (?:us )?for |(?:keep"
    r"|keeps|kept|are|is|have been|has been) "
    r"asking (?:us )?for )"
)
_CAN_ASK = re.compile(
    r"(?:can|could) (?P<who>(?:our |the |all )?[a-z]+(?: [a-z]+)?s) (?=[a-z])"
    r"|could (?P<it>(?:the|our|each|every|this) )(?=[a-z])"
)
_IF = re.compile(
    r"(?:it|that)? ?(?:would|'d|might|could|will) (?:really )?be (?:[a-z]+ )?[a-z]+ if "
    r"|(?:we|i) (?:would|'d) (?:like|love|prefer) it if |i wish (?:that )?|if only "
    r"|(?:we|i) (?:hope|suggest|propose|want|need) that "
    r"|(?:is it|would it be) possible for |is there (?:a|any) way for "
)
_MODAL = re.compile(
    rf"(?P<subject>[^,;:]{{2,140}}?) (?P<modal>must|should|shall|has to|have to|needs"
    rf" to"
    rf"|need to|ought to|can|cannot|can't|could|may|will|mustn't|shouldn't) "
    rf"(?P<not>not |never |no longer )?{_ADV}(?P<able>be able to )?(?P<rest>\S.*)",
    re.DOTALL,
)
_NEEDED = re.compile(
    r"(?P<what>[^,;:]{3,160}?) (?:is|are) (?:really |also |still |badly |urgently )?"
    r"(?:needed|required|missing|wanted)\b *"
    r"|(?P<that>[^,;:]{3,160}?) (?:would|'d) be (?:really |very |so )?"
    r"(?:nice|great|useful|helpful|good|welcome|handy|awesome|lovely)\b *(?:to have)?"
)
_ABLE = re.compile(r"(?:a |an |the |some )?(?:way|ability|possibility|option|means)"
                   r" (?:for (?P<who>[a-z' ]{2,40}?) )?(?:to|of)"
                   r" (?=[a-z])")  # fmt: skip
_GIVEN = re.compile(
    r"(?:add|provide|offer) (?:the ability|the possibility|a way|the option) to"
    r" (?=[a-z])"
)
_CAUSE = re.compile(
    r"(?:make|let|have|get) (?P<subject>(?:it|them|this|that|(?:the|our|all|each|every"
    r"|my|these|those) [a-z'-]+(?: [a-z'-]+){0,3}?|[a-z-]+s"
    r"|[a-z-]+(?: [a-z-]+)?(?= (?:[a-z]+ier|faster|better|safer|more|less)\b)))"
    r" (?P<rest>\S.*)",
    re.DOTALL,
)
_ALLOW = re.compile(
    r"(?:allow|enable|permit|let) (?P<subject>[a-z' ]{2,60}?) to (?P<rest>[a-z].*)",
    re.DOTALL,
)
_COMPARED = re.compile(
    r"(?:[a-z]+er|more|less|better|fast|safe|simple|clear|easy|visible|available"
    r"|configurable|optional|mandatory|responsive|accessible|searchable|sortable"
    r"|readable|idempotent|[a-z]+able|[a-z]+ible)\b"
)
_AFTER_VERB = re.compile(r"(?:the|a|an|its|our|their|all|every|[a-z]+ly) ")
_SPECIFIC = re.compile(r"(?:the|our|my|its|these|those|all|every|each|this) |[a-z-]+s ")
_TAIL = re.compile(
    r"[ ,]*(?:please|pls|plz|asap|as soon as possible|thanks(?: a lot)?|thank you"
    r"|cheers|if possible|at some"
    r" point|one day|some day|can you do (?:that|it|this)|is that possible|what would"
    r" it take.*|right\??|thx|many thanks|for me|in place|instead of that)[ .!?]*$"
)
_SEE = re.compile(
    r"(?:see|view|have|get) (?!rid |to |how |if |who |what |which |whether |it |them "
    r"|that )"
)
_NO_VERB = re.compile(r"(?:the|an?|our|all|this|that|these|those|have|get|see|view) ")
_FILLER = re.compile(
    r"(?:be able to |(?:to )?(?:please|also|just|simply|maybe|kindly|finally|really) "
    r"|and |then )+"
)
_ADVERB_START = re.compile(
    r"^(?!(?:comply|apply|supply|reply|multiply|rely) )[a-z]+ly (?=[a-z])"
)
_LATELY = re.compile(r"\b(?:any ?more|since|now|again|today|yesterday|suddenly)\b")
_VERB_START = re.compile(r"([a-z]+)(?:[ -]|$)")


def _end_of_lead(folded: str) -> int:
    end = 0
    for _ in range(5):
        lead = LEAD.match(folded, end)
        if lead is None or lead.end() >= len(folded):
            break
        end = lead.end()
    return end


def strip_leads(text: str) -> str:
    """Return `text` without greeting, connective and courtesy at either end."""
    body = text[_end_of_lead(fold(text)) :].strip()
    tail = _TAIL.search(fold(body))
    return body[: tail.start()] if tail and tail.start() > 3 else body


def starts_with_verb(text: str) -> bool:
    """Say whether `text` begins with a verb in its base form."""
    word = _VERB_START.match(_ADVERB_START.sub("", fold(text)))
    return word is not None and (
        is_imperative(fold(text)) or (word[1] in VERBS and word[1] in _PURE)
    )


_PURE = frozenset(
    """be have get see know view browse choose pay pick access call reply answer survive
    comply reject refuse approve decline go wait tell learn find ask understand take
    reach become stay""".split()
)


def clause(subject: str, rest: str, mood: Mood) -> Ask:
    """Build the ask "subject does rest"; `rest` begins with a verb in any form."""
    head, _, tail = rest.partition(" ")
    verb = base_form(fold(head).strip(",.")) or fold(head)
    return Ask(Kind.CLAUSE, tail, subject=subject, verb=verb, mood=mood)


def _from_modal(found: re.Match[str], body: str) -> Ask:
    subject, rest = body[slice(*found.span("subject"))], body[found.start("rest") :]
    modal = found["modal"]
    mood = Mood.DOES
    if modal in {"can", "could", "may"} or found["able"]:
        mood = Mood.CAN
    if found["not"] or modal in {"cannot", "can't", "mustn't", "shouldn't"}:
        mood = Mood.NOT
    return clause(subject, rest, mood)


def _from_if(body: str) -> Ask | None:
    found = _MODAL.match(fold(body))
    who = fold(body).split(" ", 1)[0]
    if found is not None:
        ask = _from_modal(found, body)
        if ask.mood is Mood.CAN and fold(ask.subject) in {"we", "i", "you", "one"}:
            return phrase(f"{ask.verb} {ask.text}")
        return ask
    words = body.split(" ")
    for index in range(1, min(8, len(words) - 1)):
        word = fold(words[index])
        is_to = word == "to" and index + 1 < len(words)
        if is_to and base_form(fold(words[index + 1])):
            rest = " ".join(words[index + 1 :])
            return clause(" ".join(words[:index]), rest, Mood.CAN)
        if base_form(word) and (index > 1 or who not in {"the", "our", "a", "each"}):
            rest = " ".join(words[index:])
            ask = clause(" ".join(words[:index]), rest, Mood.DOES)
            if ask.verb == "have" and fold(ask.subject) in {"we", "i", "you"}:
                return phrase(ask.text)
            return ask
    return None


def _noun_with_infinitive(body: str) -> Ask | None:
    """Read "the export to include VAT" as a clause, "an export to the share" not."""
    folded = fold(body)
    if not _SPECIFIC.match(folded):
        return None
    for found in re.finditer(r" (not )?to ([a-z]+) ", folded):
        after = folded[found.end() :]
        likely = _AFTER_VERB.match(after) and found[2] not in {
            "the",
            "a",
            "our",
            "each",
        }
        if (found[2] in VERBS or likely) and found.start() < 90:
            rest = body[found.start(2) :]
            mood = Mood.NOT if found[1] else Mood.DOES
            return clause(body[: found.start()], rest, mood)
    return None


def _cause(body: str) -> Ask | None:
    folded = fold(body)
    allowed = _ALLOW.match(folded)
    if allowed is not None:
        subject = body[slice(*allowed.span("subject"))]
        return clause(subject, body[allowed.start("rest") :], Mood.CAN)
    found = _CAUSE.match(folded)
    if found is None:
        return None
    subject = body[slice(*found.span("subject"))]
    rest = body[found.start("rest") :]
    first = fold(rest).split(" ", 1)[0]
    if found[0].startswith(("let ", "get ")) and first in VERBS:
        return clause(subject, rest, Mood.CAN)
    if first in VERBS and found[0].startswith(("make ", "have ")):
        return clause(subject, rest, Mood.DOES)
    if _COMPARED.match(fold(rest)) or (found[0].startswith("have") and
                                       is_participle(first)):  # fmt: skip
        return Ask(Kind.CLAUSE, rest, subject=subject, verb="be")
    return None


def phrase(body: str, audience: str = "") -> Ask:
    """Read what follows the words of asking: a verb phrase, a clause or a noun."""
    body = bare(body)
    filler = _FILLER.match(fold(body))
    body = body[filler.end() :] if filler else body
    mission = MISSION.match(fold(body))
    if mission is not None and mission.end() < len(body):
        return phrase(body[mission.end() :].strip("'\"“”‘’ "), audience)
    given = _GIVEN.match(fold(body))
    if given is not None:
        return phrase(body[given.end() :], audience)
    able = _ABLE.match(fold(body))
    if able is not None:
        who = body[slice(*able.span("who"))] if able["who"] else audience
        rest = body[able.end() :]
        if who and starts_with_verb(rest):
            return clause(who, rest, Mood.CAN)
        return phrase(rest, audience)
    caused = _cause(body)
    if caused is not None:
        return caused
    seen = _SEE.match(fold(body))
    if seen is not None and not audience:
        return Ask(Kind.NOUN, body[seen.end() :])
    if starts_with_verb(body):
        if audience:
            return clause(audience, body, Mood.CAN)
        return Ask(Kind.VERB, body)
    infinitive = _noun_with_infinitive(body)
    if infinitive is not None:
        return infinitive
    return Ask(Kind.NOUN, body, audience=audience)


def _open(body: str) -> str | None:
    folded = fold(body)
    for opening in _OPENINGS:
        found = opening.match(folded)
        if found is not None and found.end() < len(body):
            return body[found.end() :]
    return None


def _special(body: str) -> Ask | None:
    folded = fold(body)
    if (found := _IF.match(folded)) is not None:
        ask = _from_if(body[found.end() :])
        if ask is not None:
            return ask
    if (found := _AUDIENCE_ASK.match(folded)) is not None:
        return phrase(body[found.end() :], body[slice(*found.span("who"))])
    if (found := _CAN_ASK.match(folded)) is not None:
        if found["who"]:
            who = body[slice(*found.span("who"))]
            return clause(who, body[found.end() :], Mood.CAN)
        words = body[found.start("it") :].split(" ")
        for index in range(2, min(7, len(words))):
            word, following = fold(words[index]), fold(" ".join(words[index + 1 :][:1]))
            if word in VERBS and following not in VERBS:
                rest = " ".join(words[index:])
                return clause(" ".join(words[:index]), rest, Mood.DOES)
    found = _NEEDED.match(folded)
    if found is not None and not re.search(r" (?:when|if|fails?) ", found[0]):
        name = "what" if found["what"] else "that"
        rest = body[found.end() :]
        return phrase(f"{body[slice(*found.span(name))]} {rest}".strip())
    return None


def _compound(inner: str) -> bool:
    """Say whether "version control" and its like begin a text: nouns, no order."""
    words = fold(inner).split(" ")
    if len(words) < 2 or words[0] not in EN_NOUN_TOO:
        return False
    return words[1].strip(",") not in {
        "the",
        "a",
        "an",
        "our",
        "all",
        "each",
        "it",
        "them",
    }


def read_ask(text: str, fault: bool = False) -> Ask:
    """Read the first thing that a piece of text asks for."""
    body = strip_leads(bare(text))
    if is_imperative(fold(body)) and not fold(body).startswith(("let's", "let us")):
        return phrase(body)
    special = _special(body)
    if special is not None:
        return special
    opened = _open(body)
    if opened is not None:
        inner = bare(opened)
        frame = fold(body[: len(body) - len(opened)])
        wanted = frame.endswith(("need ", "needs ", "want ", "like ", "have ", "love "))
        if wanted and _compound(inner):
            return Ask(Kind.NOUN, inner)
        again = _special(inner) or None
        if again is None and (deeper := _open(inner)) is not None:
            inner = bare(deeper)
        found = again or phrase(inner)
        # After "to" stands a verb, known or not.
        verb = frame.endswith((" to ", " able to ")) and not _NO_VERB.match(fold(inner))
        if verb and found.kind is Kind.NOUN and found.text == inner:
            return Ask(Kind.VERB, inner)
        return found
    folded = fold(body)
    needs = _AUDIENCE_NEED.match(folded)
    if needs is not None and not _ENDS_IN_MODAL.search(needs["who"]):
        return phrase(body[needs.end() :], bare(body[slice(*needs.span("who"))]))
    modal = _MODAL.match(folded)
    unable = modal is not None and modal["modal"] in {"can't", "cannot"}
    if modal is not None and fault and unable and not _LATELY.search(folded):
        rest = body[modal.start("rest") :]
        who = body[slice(*modal.span("subject"))]
        own = fold(who) in {"we", "i", "you", "one"}
        return phrase(rest) if own else clause(who, rest, Mood.CAN)
    if modal is not None and not (fault and modal["modal"] in {"can't", "cannot"}):
        return _from_modal(modal, body)
    if fault:
        return Ask(Kind.FAULT, body)
    return phrase(body)
