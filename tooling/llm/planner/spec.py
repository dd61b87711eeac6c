"""Draws specifications from a person's message."""

from __future__ import annotations

import re
from dataclasses import replace

from tooling.intent import IntentLabel
from tooling.intent.cleaning import fold
from tooling.intent.frames import NEGATED
from tooling.intent.judge import label_sentence
from tooling.llm.planner.faithful import bars, forbids
from tooling.llm.planner.finishing import GOOD_TITLE, Draft, finish
from tooling.llm.planner.grammar import Grammar, grammar_for
from tooling.llm.planner.model import MAX_OBJECTIVE, Ask, Kind, Specification
from tooling.llm.planner.rules import is_limit, is_rule, is_today
from tooling.llm.planner.segmenting import Unit, read_units
from tooling.llm.planner.sifting import is_context, stems, vacuous
from tooling.llm.planner.wording import (
    bare,
    capital,
    cut,
    join_titles,
    sentence,
    small,
    strip_leads_of,
    without_article,
)

MAX_PROPOSALS = 3
MAX_LIMITS = 6
# What is longer is no name of a thing.
MAX_TOPIC_WORDS = 6
# Sentences and items of a message of which nothing is left out.
SHORT = 12

_GENERIC_LEAD = re.compile(
    r"(?:the )?following(?: [a-z]+)?|(?:a few|some|several|these|two|three|four|five"
    r"|\d+)"
    r" (?:small |new |separate |unrelated |different )?(?:things|changes|improvements"
    r"|features|ideas|requests|points|items|wishes|topics|fixes|updates)"
    r"|(?:les? |plusieurs |quelques |ces |deux |trois |quatre |\d+ |mes |nos |des )?"
    r"(?:petites? |nouvelles? )?(?:choses|points|elements|evolutions|demandes|ideas"
    r"|idees"
    r"|souhaits|ameliorations|modifications|changements|corrections|besoins|sujets"
    r"|fonctionnalites)(?: suivante?s| distincte?s| separee?s)?|ce qui suit|ceci"
)
_LEAD_PLACE = re.compile(
    r"((?:for|on|in|pour|sur|dans|cote) [^,]{3,60}?)(?:, | (?=we |i |il |on |nous |j'))"
)
_PLACE = re.compile(
    r"^(?:for|on|in|about|regarding|concerning|pour|sur|dans|concernant|cote) "
    r"(?=[a-z])"
)


def build_specifications(
    text: str, language: str, about: str = ""
) -> list[Specification]:
    """Return what `text` asks for: one specification, or up to three distinct ones.

    `about` is what a pronoun without a noun before it stands for.
    """
    grammar = grammar_for(language)
    units = read_units(text)
    separate = _distinct_ideas(units)
    if separate:
        found = [_build(grammar, [unit], [unit], about) for unit in separate]
    else:
        found = [_build(grammar, _requests(units), units, about)]
    return [one for one in found if one is not None]


def _requests(units: list[Unit]) -> list[Unit]:
    wanted = [u for u in units if u.label is IntentLabel.FEATURE_REQUEST]
    wanted = [u for u in wanted if _plainly_asks(u)] or wanted
    if wanted:
        chosen = []
        for unit in units:
            listed = unit.item and unit.label is not IntentLabel.QUESTION
            if unit in wanted or (listed and not NEGATED.match(fold(unit.text))):
                chosen.append(unit)
        return chosen
    return sorted(units, key=lambda u: -len(u.text))[:1]


def _plainly_asks(unit: Unit) -> bool:
    label, _ = label_sentence(unit.text[:1_000], loose=False)
    return label is IntentLabel.FEATURE_REQUEST and not is_today(unit.text)


def _distinct_ideas(units: list[Unit]) -> list[Unit]:
    """Return two or three numbered wishes that have nothing in common, else none."""
    items = [u for u in units if u.item]
    if not 2 <= len(items) <= MAX_PROPOSALS or not all(u.numbered for u in items):
        return []
    if len({u.item for u in items}) > 1:
        return []
    if not all(u.label is IntentLabel.FEATURE_REQUEST for u in items):
        return []
    for unit in units:
        rest = _GENERIC_LEAD.sub(" ", fold(unit.text))
        asks_too = unit.label is IntentLabel.FEATURE_REQUEST
        if not unit.item and asks_too and _lead_content(rest):
            return []
    bags = [stems(u.text) for u in items]
    for index, bag in enumerate(bags):
        if any(bag & other for other in bags[index + 1 :]) or len(bag) < 2:
            return []
    return items


def _lead_content(folded: str) -> set[str]:
    return stems(folded) - {"here", "voici", "quick", "hello", "bonjo", "team", "thing"}


def _build(
    grammar: Grammar, requests: list[Unit], units: list[Unit], about: str
) -> Specification | None:
    about = about or _topic(grammar, requests, units)
    lead, requests = _split_lead(requests)
    read: list[Ask] = []
    for unit in requests:
        asks = _read(grammar, unit)
        if unit is not requests[0] and asks:
            asks[0] = replace(asks[0], after=False)
        read.extend(asks)
    read = [a for a in read if not vacuous(a)] or read or _verbatim(requests)
    if not read:
        return None
    draft = _arrange(grammar, read)
    loose = not draft.about or fold(draft.about) in grammar.glue.pronouns
    if about and loose and draft.main is draft.asks[0]:
        before = _resolved(grammar, replace(draft.main, first=False), about)
        draft.asks[0] = before
        draft.about = about
        draft.title = grammar.lines.resolve(grammar.lines.title(before), about)
    if lead is not None:
        _apply_lead(draft, lead)
    draft.objective = _objective(grammar, draft, lead, requests, units)
    draft.limits = _limits(units, requests)
    return finish(draft)


def _read(grammar: Grammar, unit: Unit) -> list[Ask]:
    """Read a sentence; what forbids or restricts stays as the person put it."""
    if bars(strip_leads_of(unit.text)):
        # Cut in two, "nobody but A and B may" would let B.
        own = grammar.polish(unit.text)
        return [Ask(Kind.PLAIN, own, source=unit.text, whole=unit.text)]
    asks = []
    for ask in grammar.read(unit.text):
        if not bare(f"{ask.verb} {ask.text}"):
            continue
        source = ask.source or unit.text
        said = strip_leads_of(source)
        if (
            forbids(said)
            or is_limit(source)
            or grammar.is_statement(ask, not unit.item)
        ):
            ask = replace(ask, kind=Kind.PLAIN, text=grammar.polish(source), subject="")
        asks.append(replace(ask, source=source, whole=unit.text))
    return asks


def _verbatim(requests: list[Unit]) -> list[Ask]:
    """Return sentences of which nothing was read as they stand."""
    return [
        Ask(Kind.PLAIN, strip_leads_of(u.text), source=u.text, whole=u.text)
        for u in requests
        if len(stems(u.text)) > 1
    ]


def _topic(grammar: Grammar, requests: list[Unit], units: list[Unit]) -> str:
    """Return what the sentence before the first request speaks of."""
    before = None
    for unit in units:
        if requests and unit is requests[0]:
            break
        before = unit
    else:
        return ""
    topic = grammar.lines.topic(before.text) if before is not None else ""
    return topic if len(topic.split()) <= MAX_TOPIC_WORDS else ""


def _split_lead(requests: list[Unit]) -> tuple[Unit | None, list[Unit]]:
    """Take the sentence that leads into a list from the requests."""
    for index, unit in enumerate(requests[:-1]):
        following = requests[index + 1]
        heads = unit.text.rstrip()[-1:] not in {".", "!", "?"}
        if not unit.item and following.item and heads:
            return unit, requests[:index] + requests[index + 1 :]
    return None, requests


def _arrange(grammar: Grammar, read: list[Ask]) -> Draft:
    """Choose the main ask, what stands beside it and what only limits it."""
    lines, pronouns = grammar.lines, grammar.glue.pronouns
    solid = [
        a for a in read if a.kind is not Kind.FAULT and fold(a.subject) not in pronouns
    ]
    faults = [a for a in read if a.kind is Kind.FAULT]
    main = read[0]
    about = lines.reference(main)
    if len(about.split()) > MAX_TOPIC_WORDS and main.kind is Kind.FAULT:
        about = ""
    if main.kind is Kind.FAULT and len(read) > len(faults):
        main = next(a for a in read if a.kind is not Kind.FAULT)
    elif main not in solid and main.kind is not Kind.FAULT and solid:
        main = solid[0]
    about = about or lines.reference(main)
    if fold(about) in pronouns:
        about = next((r for a in solid if (r := lines.reference(a))), "")
    main = replace(_resolved(grammar, main, about), first=True)
    asks: list[Ask] = [main]
    checks: list[Ask] = []
    for ask in read:
        if ask is read[0] and ask.kind is Kind.FAULT and main is not ask:
            continue
        if ask.source == main.source:
            continue
        same = fold(ask.subject) == fold(about) and main.kind is not Kind.CLAUSE
        alone = ask.kind is Kind.CLAUSE and (fold(ask.subject) in pronouns or same)
        (checks if alone else asks).append(ask)
    title = _headline(grammar, main, about, read[0])
    return Draft(grammar, main, about, title, asks, checks, "", [])


def _headline(grammar: Grammar, main: Ask, about: str, opening: Ask) -> str:
    """Return the title: the main ask, with its condition where there is room."""
    title = grammar.lines.title(main)
    if opening.kind is Kind.FAULT and main is not opening:
        title = grammar.lines.resolve(title, about)
        loose = main.kind is Kind.VERB and about and not grammar.lines.reference(main)
        if loose and fold(about) not in fold(title):
            mark = " : " if grammar.code == "fr" else ": "
            title = capital(about) + mark + small(title)
    if main.condition:
        task = grammar.lines.task(main, about)
        condition = task[len(grammar.lines.task(replace(main, condition=""), about)) :]
        if condition and len(title) + len(condition) <= GOOD_TITLE:
            title += condition
    return title


def _resolved(grammar: Grammar, ask: Ask, about: str) -> Ask:
    if about and fold(ask.subject) in grammar.glue.pronouns:
        return replace(ask, subject=about)
    return ask


def _apply_lead(draft: Draft, lead: Unit) -> None:
    """Let the sentence before a list name the whole."""
    text = strip_leads_of(lead.text.rstrip(" :"))
    place = _LEAD_PLACE.match(fold(text))
    if place is not None:
        text = text[: place.end(1)]
    else:
        ask = draft.grammar.read(text)[0]
        text = bare(f"{ask.subject} {ask.verb} {ask.text}")
        generic = _GENERIC_LEAD.search(fold(text))
        if generic is not None:
            text = bare(text[: generic.start()] + text[generic.end() :])
        elif stems(text):
            draft.title = draft.grammar.lines.title(ask)
            return
    where = _PLACE.match(fold(text))
    name = bare(text[where.end() :]) if where else ""
    if not name or not stems(name):
        name = ""
    parts = [small(draft.grammar.lines.title(a)) for a in draft.asks if not a.after]
    joined = join_titles(parts, draft.grammar.glue.joined, GOOD_TITLE - 10)
    draft.title = f"{without_article(name)}: {joined}" if name else joined
    if name and draft.grammar.code == "fr":
        draft.title = f"{without_article(name)} : {joined}"


def _objective(
    grammar: Grammar,
    draft: Draft,
    lead: Unit | None,
    requests: list[Unit],
    units: list[Unit],
) -> str:
    """Return the need in the person's own sentences."""
    lines = []
    if lead is not None:
        space = " " if grammar.code == "fr" else ""
        items = f"{space}; ".join(small(bare(u.text)) for u in requests)
        intro = capital(strip_leads_of(lead.text.rstrip(" :")))
        return sentence(cut(f"{intro}{space}: {items}", MAX_OBJECTIVE - 1))
    wanted = {stem for unit in requests for stem in stems(unit.text)}
    chosen = set(map(id, requests))
    for unit in units:
        if id(unit) in chosen:
            lines.append(_own_sentence(grammar, unit, draft))
        elif is_context(unit, wanted, len(units) <= SHORT):
            lines.append(sentence(strip_leads_of(unit.text)))
    text = ""
    for line in lines:
        if line and len(text) + len(line) < MAX_OBJECTIVE - 600:
            text = f"{text} {line}".strip()
    return text or sentence(cut(draft.title, MAX_OBJECTIVE - 1))


def _own_sentence(grammar: Grammar, unit: Unit, draft: Draft) -> str:
    text = grammar.polish(unit.text)
    folded = fold(text)
    asked = unit.text.rstrip().endswith("?")
    says = re.match(
        r"(?:we|i|our|the|users|customers|there|it|as an?|for|in|en tant|pour|dans|il"
        r"|on|nous|je|j'|les?|la|l'|ce|nos)\b",
        folded,
    )
    if says and not asked and not unit.item:
        return sentence(text)
    asks = grammar.read(unit.text)
    main = asks[0]
    if all(vacuous(ask) for ask in asks):
        return ""
    if main.kind is Kind.VERB and len(asks) == 1 and not main.condition:
        # From the verb on, with the reason that the grammar set aside.
        place = fold(text).find(fold(main.text))
        return sentence(text[place:] if place >= 0 else main.text)
    if main.kind is Kind.NOUN and (asked or not says) and len(asks) == 1:
        body = main.text + (f" {main.condition}" if main.condition else "")
        if main.audience:
            return sentence(grammar.lines.task(main, draft.about))
        return grammar.glue.need.format(small(bare(body)))
    if asked:
        return " ".join(sentence(grammar.lines.task(a, draft.about)) for a in asks)
    return sentence(text)


def _limits(units: list[Unit], requests: list[Unit]) -> list[str]:
    """Return what must not happen and what holds, as the person put it."""
    found = []
    asked = set(map(id, requests))
    seen = False
    for unit in units:
        seen = seen or id(unit) in asked
        if id(unit) in asked or unit.veto:
            continue
        if is_limit(unit.text) or (seen and is_rule(unit)):
            found.append(sentence(strip_leads_of(unit.text)))
    return found[:MAX_LIMITS]
