"""How English asks: the words of asking, and what follows them."""

from __future__ import annotations

import re

from tooling.intent.cleaning import fold
from tooling.intent.lexicon import EN_ACTS
from tooling.llm.planner.grammar import Grammar
from tooling.llm.planner.model import Asked, Form
from tooling.llm.planner.wording import bare

_NICE = (
    r"(?:really |very |so |super |also )?(?:great|good|nice|helpful|useful|lovely"
    r"|fantastic|ideal|handy|cool|wonderful|perfect|better|best)"
)
_ADVERBS = (
    r"(?: (?:really|also|still|just|urgently|badly|desperately|all|now|even|simply"
    r"|please|kindly|maybe|perhaps|possibly|only))*"
)
_AS = r"(?P<as>as (?:an? |the )?[^,.;:]{2,60}?,? (?=i |i'|we |we'))?"
_WHO = r"(?:i|we|my team|our team|the team|everyone|everybody)"
_WISHES = (
    r"(?:need|needs|want|wants|require|requires|would like|'d like|would love|'d love"
    r"|would need|'d need|wish for|could use|could do with|would prefer|'d prefer"
    r"|would appreciate|'d appreciate|ask for|am asking for|are asking for|request"
    r"|am looking for|are looking for|expect|'d expect|would expect|lack|are missing)"
)
_TO_ACT = re.compile(
    rf"(?:{_AS}(?P<who>i|we){_ADVERBS} ?(?:need|want|would like|'d like|would love"
    rf"|'d love|wish|hope|would prefer|'d prefer){_ADVERBS} to (?P<able>be able to )?"
    r"|(?:i'd|i would|we'd|we would) (?:like|love|want) you to "
    rf"|(?:can|could|would|will) (?:you|we|somebody|someone|one|anyone|anybody)"
    rf"{_ADVERBS} (?:be able to )?(?!have |get |see to )"
    r"|(?:is it|would it be) possible (?:for (?:you|us) )?to "
    r"|is there (?:a|any) way (?:for us )?to |what would it take to "
    rf"|it(?: would|'d) be {_NICE} (?:if (?:we|you) could |to (?:be able to )?)"
    r"(?!have |get )"
    rf"|what (?:i|we){_ADVERBS}(?: would|'d)? ?(?:need|want|like) is to "
    r"|the (?:idea|goal|aim|plan|wish) (?:is|would be) to "
    r"|let's |let us |(?:we|you) (?:should|ought to)(?: really| also)? "
    r"(?!be |have |get |not |never ))"
)
_TO_HAVE = re.compile(
    rf"(?:{_AS}(?:{_WHO}){_ADVERBS} ?{_WISHES}{_ADVERBS}(?: to have| to get)? "
    rf"|(?:can|could|may|might) (?:i|we|you){_ADVERBS} (?:have|get) "
    rf"|what (?:i|we){_ADVERBS}(?: would|'d)? ?(?:need|want|like) is "
    r"|there (?:should|must|needs to|has to|ought to) be "
    rf"|it(?: would|'d) be {_NICE} (?:if (?:we|you) could |to )(?:have|get) "
    r"|(?:nice to have|feature request|feature|request|idea|wish|wanted|needed)"
    r"(?:, [a-z ]{1,30})?: )"
)
_IF = re.compile(
    rf"(?:it(?: would|'d) be {_NICE} if |(?:i|we) wish (?:that )?)"
    r"(?P<x>[^,.;:?!]{1,60}?) (?P<could>could) "
)
_THEY_CAN = re.compile(
    r"(?:can|could) (?P<x>(?:the|our|all|each|every|a|an|its|their) [^,.;:?!]{1,50}?) "
    r"(?P<verb>[a-z]+) "
)
_WISHING = re.compile(
    rf"(?:it(?: would|'d) be {_NICE} |(?:i|we)(?:'d| would)? (?:rather|wish|hope)\b"
    r"|how about |why (?:don't|not) |what if )"
)
_BARE_NEED = re.compile(
    r"(?:need|needing|wanted|looking for) (?=an? |the |some |more )"
)
_PAGE_DOES = re.compile(r"(?:can|could|would) (?:the|our|all|each|every|a|an|it|they) ")
# "the front desk to get a text": somebody is to do something. A bare noun with an
# article of its own ("a button to print") is a thing with a purpose.
_SOMEBODY_TO = re.compile(
    r"(?!(?:some|any|more|one|another|access|to) )(?P<x>[^,.;:?!()]{2,70}?) "
    r"(?P<to>to) (?P<verb>not|only|always|[a-z]+)\b"
)
_STATES = frozenset(
    """be have get see know go come stay arrive appear follow catch find stop keep give
    receive happen work run refresh show reach pass last look feel become remain tell
    say list remember accept warn let make take ask""".split()
)
# What a person wants to be able to do, rather than to have done.
_ABLE = frozenset(
    """see get know find receive follow choose pick search filter sort view read hear
    compare download print check be""".split()
)
_WITH = re.compile(r", (?:and |together |along )?with (?=an? )|, and (?=an? )")
_AND_ACT = re.compile(r"(?:,|;)? (?:and then|and|then) (?:also )?(?=([a-z]+) ([a-z]+))")
_PRONOUNS = frozenset("it them him her they this that these those one".split())
_NO_ORDER = re.compile(r"(?:add|set|request|report|review|test)s? (?:is|are|of)\b")
_ENTITY = re.compile(
    r"(?:please )?(?:can you |could you )?(?:create|open|make|start|propose|add|raise"
    r"|draft|put forward|file|submit) (?:us |me )?(?:a |an |the |another )?(?:new )?"
    r"(?:mission|proposal)s?(?: (?:for|to|about|on|called|named|titled))?:? +(?=\S)"
)
_CUTS = re.compile(
    r",? so that |,? because |,? since (?!when|the )|,? in order to "
    r"|,? so (?:i|we|they) |, with (?=an? )|,? as otherwise | - "
)


def read_lead(text: str) -> Asked | None:
    """Read a sentence that begins with words of asking, or return None."""
    folded = fold(text)
    entity = _ENTITY.match(folded)
    if entity is not None:
        return Asked(Form.WISH, bare(text[entity.end() :]).strip("'\"“”"), text)
    could = _IF.match(folded)
    if could is not None:
        x, rest = text[slice(*could.span("x"))], text[could.end("could") :]
        return Asked(Form.CLAUSE, f"{x} can{rest}", text, f"{x} can{rest}")
    have = _TO_HAVE.match(folded)
    if have is not None and not folded[have.end() :].startswith(("to ", "that ")):
        return _thing(text, text[have.end() :])
    act = _TO_ACT.match(folded)
    if act is not None:
        return _act(text, act)
    can = _THEY_CAN.match(folded)
    if can is not None and _is_verb(can["verb"]):
        x = text[slice(*can.span("x"))]
        body = f"{x} can {text[can.start('verb') :]}"
        return Asked(Form.CLAUSE, body, text, body)
    if _WISHING.match(folded):
        return Asked(Form.WISH, text, text)
    need = _BARE_NEED.match(folded)
    if need is not None:
        return Asked(Form.THING, text[need.end() :], text)
    return Asked(Form.WISH, text, text) if _PAGE_DOES.match(folded) else None


def _act(text: str, found: re.Match[str]) -> Asked:
    rest = text[found.end() :]
    verb = fold(rest).split(" ", 1)[0]
    able = found["able"] or verb in _ABLE
    holds = ""
    if found["who"] and able:
        lead = text[: found.end("as")] if found["as"] else ""
        who = "I" if found["who"] == "i" else "we"
        holds = f"{lead}{who} can {rest}"
    return Asked(Form.ACT, rest, text, holds)


def _thing(text: str, rest: str) -> Asked:
    folded = fold(rest)
    if _LOOSE.match(folded):
        return Asked(Form.WISH, text, text)
    somebody = _SOMEBODY_TO.match(folded)
    if somebody is not None and _is_verb(somebody["verb"]):
        article = folded.startswith(("a ", "an "))
        if not article or somebody["verb"] == "be":
            before, after = rest[: somebody.start("to")], rest[somebody.end("to") :]
            return Asked(Form.CLAUSE, rest, text, f"{before}should{after}")
    return Asked(Form.THING, rest, text)


def _is_verb(word: str) -> bool:
    return word in EN_ACTS or word in _STATES or word in {"not", "only", "always"}


def is_order(folded: str) -> bool:
    """Say whether a folded sentence begins with a verb in the imperative."""
    first, _, rest = folded.partition(" ")
    if first.endswith("ly") and first not in EN_ACTS:
        first, _, rest = rest.partition(" ")
    known = first in EN_ACTS or first in {"let", "ask", "tell", "show"}
    known = known or _UNKNOWN_ORDER.match(folded) is not None
    return known and bool(rest) and not _NO_ORDER.match(folded)


# A verb that no list knows, known by the object behind it.
_UNKNOWN_ORDER = re.compile(
    r"(?!(?:when|whenever|if|for|in|on|at|by|with|from|to|since|after|before|during"
    r"|over|under|as|is|are|was|were|do|does|did|can|could|will|would|should|has|have"
    r"|had|not|and|or|but|than|that|all|both|only|even|still|why|how|what|where|who"
    r"|which|because|while|until|once|unless|every|besides|about|of|into|like|thanks"
    r"|see|fyi|half|most|some|it's|here's|that's|there's) )"
    r"[a-z]{3,} (?:the|our|every|each|all) [a-z]"
)
_LOOSE = re.compile(r"(?:[^ ]+ ){0,2}(?:it|this|that|they|them|these|those)\b")
_WANTS = re.compile(r"\b(?:needs?|wants?|would like|'d like)\b")


def _begins_act(folded: str) -> bool:
    return folded.partition(" ")[0] in EN_ACTS


ENGLISH = Grammar(
    read_lead=read_lead,
    is_order=is_order,
    begins_act=_begins_act,
    articles=("a ", "an "),
    loose=_LOOSE,
    wanting=_WANTS,
    with_thing=_WITH,
    and_act=_AND_ACT,
    pronouns=_PRONOUNS,
    reasons=_CUTS,
)
