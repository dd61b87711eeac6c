"""Draws specifications from a person's message, by quotation.

Every line of a proposal is a piece of the message as the person typed it, without
greeting and words of asking, behind one of a few labels (`labels`). Nothing is
inflected, moved or left out within a piece, so a proposal cannot say what the person
did not say; where no rule knows how a sentence asks, the sentence stands whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tooling.intent import IntentLabel
from tooling.intent.cleaning import fold
from tooling.llm.planner.labels import Labels, labels_for
from tooling.llm.planner.model import (
    MAX_CRITERIA,
    MAX_CRITERION,
    MAX_DETAIL,
    MAX_OBJECTIVE,
    MAX_TASKS,
    MAX_TITLE,
    Asked,
    Form,
    Specification,
    Task,
)
from tooling.llm.planner.roles import (
    asks_by_label,
    asks_within,
    grammar_of,
    is_detail,
    is_rule,
    read_ask,
)
from tooling.llm.planner.segmenting import Unit, read_units
from tooling.llm.planner.stems import stems
from tooling.llm.planner.wording import (
    bare,
    capital,
    clipped,
    opened,
    sentence,
    small,
    squash,
)

if TYPE_CHECKING:
    from tooling.llm.planner.grammar import Grammar

MAX_PROPOSALS = 3
GOOD_TITLE = 120
# Up to so many sentences, the objective is the message itself.
SHORT = 14
# A complaint of so many sentences begins with what is wrong.
SHORT_TALE = 4
# A title with fewer words of content leans on the sentence before it.
MIN_STEMS = 3
_DASH = " – "

_WHY = re.compile(r"^(?:why (?:do|does|must) )(?=(?:i|we|they|the|our|all|my)\b)", re.I)

_HEADING_ASKS = re.compile(
    r"(?:^|,? ?\b)(?:(?:i|we|you)(?:'d| would)? ?(?:need|want|like|add|do|have|see)"
    r"(?: to (?:have|see|add))?(?: the)?(?: following)?(?: [a-z]+)?"
    r"|(?:here (?:are|is)|these are|the) (?:.{0,20} )?(?:following|things|changes"
    r"|points|wishes|requests|ideas|items)"
    r"|(?:a few|some|several|two|three|four|five|\d+)"
    r" (?:small |new |different |separate |unrelated )?(?:things|changes|improvements"
    r"|features|ideas|requests|points|items|wishes|topics)"
    r"|could you(?: please)?(?: add| do)?(?: the following)?|please(?: add| do)?"
    r"|(?:il (?:nous |me )?(?:faut|faudrait)|voici|(?:je|j'|nous|on) ?"
    r"(?:voudrai[st]|voudrions|veux|veut|aimerai[st]|aimerions|souhaite|souhaitons))"
    r"(?: .{0,30})?|(?:plusieurs|quelques|deux|trois|quatre|\d+)"
    r" (?:petites? |nouvelles? )?(?:choses|points|demandes|idees|souhaits"
    r"|ameliorations|modifications|changements|besoins))$"
)


@dataclass(slots=True)
class _Reading:
    """A message, read: what it asks, the rules for it, and the heading of its list.

    `before` is the sentence before each ask, by the ask's own sentence.
    """

    asks: list[Asked] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    heading: str = ""
    before: dict[str, str] = field(default_factory=dict)

    @property
    def order(self) -> list[str]:
        """Return the sentences in the order in which they stand."""
        return list(self.before)


def build_specifications(text: str, language: str) -> list[Specification]:
    """Return what `text` asks for: one specification, or up to three distinct ones."""
    units = read_units(text)
    separate = _distinct_ideas(units, language)
    if separate:
        found = [_build([unit], language) for unit in separate]
    else:
        found = [_build(units, language)]
    return [one for one in found if one is not None]


def _distinct_ideas(units: list[Unit], language: str) -> list[Unit]:
    """Return two or three numbered wishes that have nothing in common, else none."""
    items = [u for u in units if u.item]
    if not 2 <= len(items) <= MAX_PROPOSALS or not all(u.numbered for u in items):
        return []
    if any(u.label is not IntentLabel.FEATURE_REQUEST for u in items):
        return []
    if any(_heading_of(u.text) for u in units if not u.item and u.text[-1:] == ":"):
        return []
    if any(read_ask(u, language) for u in units if not u.item and u.text[-1:] != ":"):
        return []
    bags = [stems(u.text) for u in items]
    for index, bag in enumerate(bags):
        if any(bag & other for other in bags[index + 1 :]) or len(bag) < 2:
            return []
    return items


def _heading_of(text: str) -> str:
    """Return what the line above a list names, "" where it only asks for the list."""
    body = bare(opened(text))
    found = _HEADING_ASKS.search(fold(body))
    if found is not None:
        body = bare(body[: found.start()])
    return body if stems(body) else ""


def _read(units: list[Unit], language: str) -> _Reading:
    found = _Reading()
    before = ""
    for unit, following in zip(units, [*units[1:], None], strict=False):
        if _heads_list(unit, following):
            found.heading = found.heading or _heading_of(unit.text) or " "
            continue
        asked = read_ask(unit, language)
        if asked is not None and asked.form is not Form.RULE:
            found.asks.append(asked)
        elif asked or is_rule(unit, asked=bool(found.asks)):
            found.rules.append(unit.text)
        elif asks_within(unit, language):
            whole = bare(opened(unit.text))
            found.asks.append(Asked(Form.WISH, whole, unit.text))
        elif (found.asks or found.rules) and is_detail(unit):
            found.rules.append(unit.text)
        found.before[unit.text] = before
        before = "" if unit.item else unit.text
    return found


def _heads_list(unit: Unit, following: Unit | None) -> bool:
    if following is None or not following.item or unit.item:
        return False
    return unit.text[-1:] not in {".", "!", "?", ";"}


def _let_rules_ask(found: _Reading, language: str) -> None:
    """Let what must hold stand as the work where no ask names any before it."""
    loose = grammar_of(language).is_loose
    if not found.rules or (found.asks and not loose(found.asks[0].text)):
        return
    first = found.asks[0].source if found.asks else ""
    earlier = found.order[: found.order.index(first)] if first else found.rules[:1]
    ruling = [
        Asked(Form.RULE, bare(opened(rule)), rule)
        for rule in earlier
        if rule in found.rules
    ]
    found.asks = [*ruling, *found.asks]


def _let_complaint_ask(found: _Reading, units: list[Unit]) -> None:
    telling = [u for u in units if not u.veto and len(stems(u.text)) > 1]
    asking = [u for u in telling if asks_by_label(u)] or telling
    # A short complaint begins with what is wrong; a long one may begin anywhere.
    chosen = telling if len(telling) <= SHORT_TALE else asking
    for unit in chosen[:1]:
        text = _WHY.sub("", bare(opened(unit.text)))
        found.asks.append(Asked(Form.COMPLAINT, text, unit.text))


def _build(units: list[Unit], language: str) -> Specification | None:
    found = _read(units, language)
    _let_rules_ask(found, language)
    if not found.asks:
        _let_complaint_ask(found, units)
    if not found.asks:
        return None
    labels = labels_for(language)
    return Specification(
        title=_title(found, language),
        objective=_objective(units, found),
        tasks=_tasks(found, language, labels),
        criteria=_criteria(found, labels),
        check=labels.check,
    )


def _title(found: _Reading, language: str) -> str:
    grammar = grammar_of(language)
    main = found.asks[0]
    if not found.heading:
        before = bare(opened(found.before.get(main.source, "")))
        line = grammar.headline(main.text)
        if before and (grammar.is_loose(main.text) or len(stems(line)) < MIN_STEMS):
            return _leaning(capital(before), small(line))
        return clipped(line, GOOD_TITLE)
    heading = found.heading.strip()
    if heading and not re.match(r"(?:for|on|in|pour|sur|dans|cote)\b", fold(heading)):
        return clipped(capital(heading), GOOD_TITLE)
    parts = [small(grammar.headline(asked.text)) for asked in found.asks]
    listed = ", ".join(part for part in parts if part)
    colon = "\u00a0: " if language == "fr" else ": "
    whole = f"{heading}{colon}{listed}" if heading else listed
    return clipped(capital(whole), GOOD_TITLE)


def _leaning(before: str, line: str) -> str:
    """Return a title of two sentences, each with its share of the room."""
    room = GOOD_TITLE - len(_DASH)
    share = max(room // 2, room - len(line))
    before = clipped(before, share)
    return f"{before}{_DASH}{clipped(line, room - len(before))}"


def _objective(units: list[Unit], found: _Reading) -> str:
    """Return the need in the person's own sentences."""
    told = {asked.source for asked in found.asks} | set(found.rules)
    wanted = {stem for asked in found.asks for stem in stems(asked.source)}
    text = ""
    for unit in units:
        near = len(units) <= SHORT or bool(stems(unit.text) & wanted)
        if unit.veto or not (unit.text in told or near):
            continue
        line = _whole(unit)
        if len(text) + len(line) < MAX_OBJECTIVE - 600:
            text = f"{text} {line}".strip()
    return text or clipped(sentence(found.asks[0].source), MAX_OBJECTIVE)


def _whole(unit: Unit) -> str:
    text = capital(squash(opened(unit.text)))
    return text if text[-1:] in {".", "!", "?", "…", ":", ";"} else f"{text}."


def _tasks(found: _Reading, language: str, labels: Labels) -> list[Task]:
    grammar = grammar_of(language)
    tasks: dict[str, Task] = {}
    for asked in found.asks:
        detail = ""
        if grammar.is_loose(asked.text) and found.before.get(asked.source):
            detail = f"{found.before[asked.source]} {asked.source}"
        for line in _work(asked, grammar, labels):
            task = _task(capital(line), detail)
            tasks.setdefault(task.title, task)
    return list(tasks.values())[:MAX_TASKS]


def _work(asked: Asked, grammar: Grammar, labels: Labels) -> list[str]:
    """Return the lines of work that an ask stands for."""
    if asked.form is Form.THING:
        parts = grammar.split_thing(asked.text)
        return [labels.set_up.format(bare(part)) for part in parts if bare(part)]
    if asked.form is Form.ACT:
        return [bare(part) for part in grammar.split_act(asked.text) if bare(part)]
    if asked.form is Form.RULE:
        return [_ensured(labels, asked.text)]
    if asked.form is Form.COMPLAINT:
        return [labels.deal.format(small(bare(asked.text)))]
    return [bare(asked.text)]


def _task(line: str, detail: str) -> Task:
    title = clipped(line, MAX_TITLE)
    detail = detail or ("" if title == line else line)
    return Task(title, clipped(squash(detail), MAX_DETAIL))


def _ensured(labels: Labels, text: str) -> str:
    # What the person says of themselves needs no label, and would read badly.
    if re.match(r"(?:i|we|je|j|nous|on)\b", fold(text)):
        return bare(text)
    return labels.ensure.format(small(bare(text)))


def _criteria(found: _Reading, labels: Labels) -> list[str]:
    lines = [_criterion(asked, labels) for asked in found.asks]
    lines += [sentence(opened(rule)) for rule in found.rules]
    kept = dict.fromkeys(clipped(line, MAX_CRITERION) for line in lines if line)
    return list(kept)[:MAX_CRITERIA]


def _criterion(asked: Asked, labels: Labels) -> str:
    if asked.holds:
        return sentence(asked.holds)
    if asked.form is Form.RULE:
        return sentence(asked.text)
    label = {
        Form.THING: labels.in_place,
        Form.ACT: labels.done,
        Form.COMPLAINT: labels.dealt,
        # A list may name what is wished for as well as what is wrong.
        Form.ITEM: labels.dealt,
    }.get(asked.form, labels.as_asked)
    return sentence(label.format(small(bare(asked.text))))
