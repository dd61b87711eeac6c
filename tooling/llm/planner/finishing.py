"""Turns what was read into tasks and criteria, each held to its source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tooling.intent.cleaning import fold
from tooling.intent.frames import ASK_ABLE
from tooling.intent.judge import strip_leads
from tooling.llm.planner import faithful
from tooling.llm.planner.model import (
    MAX_CRITERIA,
    MAX_CRITERION,
    MAX_DETAIL,
    MAX_OBJECTIVE,
    MAX_TASKS,
    MAX_TITLE,
    Ask,
    Kind,
    Specification,
    Task,
)
from tooling.llm.planner.wording import (
    bare,
    capital,
    cut,
    sentence,
    small,
    strip_leads_of,
)

if TYPE_CHECKING:
    from tooling.llm.planner.grammar import Grammar

# A title that an operator reads at a glance.
GOOD_TITLE = 100
_BROAD = re.compile(
    r"(?:improve|rework|redesign|overhaul|comply|update|modernise|modernize|simplify"
    r"|ameliorer|refondre|revoir|moderniser|simplifier|mettre a jour|repenser)\b"
)


@dataclass(slots=True)
class Draft:
    """A specification under construction."""

    grammar: Grammar
    main: Ask
    about: str
    title: str
    asks: list[Ask]
    checks: list[Ask]
    objective: str
    limits: list[str]


@dataclass(slots=True)
class _Line:
    """What one ask becomes: a task, where it is not only a check, and criteria."""

    ask: Ask
    task: str
    criteria: list[str]
    only_check: bool
    plain: bool = False


_ASKED = re.compile(
    r"(?:(?:can|could|would|will) (?:we|you|i|someone|somebody) (?:please |also )?"
    r"|(?:would it be|is it) possible to |(?:est-ce qu'on |on )?"
    r"(?:peut|pourrait)(?:-on)? (?:avoir )?|(?:pourriez|pouvez)-vous "
    r"|(?:serait-il|est-il) possible d(?:e |'))(?=[a-z])"
)


def own_sentence(grammar: Grammar, text: str) -> str:
    """Return a person's sentence without greeting, courtesy and words of asking."""
    said = bare(grammar.polish(text))
    asked = _ASKED.match(fold(said).replace("’", "'"))
    return said[asked.end() :] if asked else said


def own_clause(grammar: Grammar, ask: Ask, alone: bool) -> str:
    """Return the person's own clause of an ask, with its condition."""
    clause = own_sentence(grammar, ask.source or ask.text)
    if alone and ask.whole:
        clause = own_sentence(grammar, grammar.peel_reason(ask.whole))
    whole = ask.text
    if ask.condition:
        opens = fold(clause).startswith(fold(ask.condition)) or not fold(
            ask.source
        ).endswith(fold(ask.condition))
        whole = f"{ask.text} {small(ask.condition)}"
        if opens:
            whole = f"{capital(ask.condition)}, {small(ask.text)}"
    if ask.kind in {Kind.VERB, Kind.NOUN} and not (
        faithful.loses(clause, whole)
        or faithful.drops(clause, whole)
        or faithful.garbled(clause, whole)
    ):
        return bare(whole)
    if ask.condition and fold(ask.condition) not in fold(clause):
        return f"{capital(ask.condition)}, {small(clause)}"
    return clause


def _line(draft: Draft, ask: Ask, alone: bool) -> _Line:
    lines, about = draft.grammar.lines, draft.about
    own = own_clause(draft.grammar, ask, alone)
    only_check = ask in draft.checks
    if ask.kind is Kind.PLAIN:
        return _Line(ask, own, [sentence(own)], only_check, plain=True)
    source = ask.source or ask.text
    if ask.condition and fold(ask.condition) not in fold(source):
        source = f"{source}, {ask.condition}"
    task, criteria = lines.task(ask, about), lines.criteria(ask, about)
    plain = _unfit(source, task)
    if plain:
        task = own
    broad = ask.kind is Kind.VERB and len(draft.asks) > 1 and _BROAD.match(
        fold(ask.text))  # fmt: skip
    if broad:
        return _Line(ask, task, [], only_check, plain)
    if ask.kind is Kind.FAULT:
        fixed = faithful.mended(ask.text)
        fits = bool(criteria) and not faithful.marks(ask.text)
        criteria = [sentence(fixed)] if fixed else criteria if fits else [sentence(own)]
    elif _unfit(source, " ".join(criteria)) or _stumbles(ask, criteria):
        criteria = [sentence(own)]
    return _Line(ask, task, criteria, only_check, plain)


def _unfit(source: str, written: str) -> bool:
    return (
        not written
        or faithful.loses(source, written)
        or faithful.drops(source, written)
        or faithful.garbled(source, written)
    )


def _stumbles(ask: Ask, criteria: list[str]) -> bool:
    if any(faithful.garbled(ask.source, line) for line in criteria):
        return True
    torn = not ask.condition and any(_TORN.match(fold(line)) for line in criteria)
    if "," in ask.condition or (torn and ask.kind is not Kind.CLAUSE):
        return True
    return ask.kind is Kind.VERB and faithful.takes_no_passive(ask.text)


# The verb stands after a part that only hangs on to its subject.
_BE = r" (?:is|are|est|sont) "
_TORN = re.compile(rf"(?:(?!{_BE}).)*?, (?:(?!{_BE}).)*{_BE}")
_RUN_ON = re.compile(r", (?:and|et) (?!an?\b|the\b|our\b|une?\b|les?\b|la\b|des\b)")


def _keep_all(draft: Draft, lines: list[_Line]) -> None:
    """Let a sentence stand whole where its parts have lost a "not" or an "if"."""
    for whole in {line.ask.whole: None for line in lines if line.ask.whole}:
        parts = [line for line in lines if line.ask.whole == whole]
        if all(line.ask.kind is Kind.FAULT for line in parts):
            continue
        said = draft.grammar.peel_reason(whole)
        written = [w for line in parts for w in (line.task, *line.criteria)]
        tasks = [line.task for line in parts if not line.only_check]
        torn = bool(tasks) and faithful.scattered(said, tasks)
        torn = torn or any(
            line.ask.kind is Kind.NOUN and line.ask.after and _RUN_ON.search(line.task)
            for line in parts
        )
        if not (
            torn
            or faithful.scattered(said, written)
            or faithful.leaves_out(said, written)
        ):
            continue
        own = own_sentence(draft.grammar, said)
        for line in parts:
            line.criteria = []
        parts[0].criteria = [sentence(own)]
        if torn or len(parts) == 1:
            parts[0].task, parts[0].plain = own, True
            for line in parts[1:]:
                line.only_check = True


def finish(draft: Draft) -> Specification:
    """Return the specification of a draft."""
    asks = [*draft.asks, *draft.checks]
    wholes = [ask.whole for ask in asks]
    lines = [_line(draft, ask, wholes.count(ask.whole) == 1) for ask in asks]
    _keep_all(draft, lines)
    tasks: list[Task] = []
    criteria: list[str] = []
    for line in lines:
        if not line.only_check:
            title = capital(_fit(bare(line.task), MAX_TITLE))
            detail = _detail(draft, line)
            if title and title not in {t.title for t in tasks}:
                tasks.append(Task(title, detail, line.ask.after))
        criteria.extend(line.criteria)
    criteria.extend(draft.limits)
    title = _title(draft, lines, tasks)
    return Specification(
        title=title,
        objective=cut(draft.objective, MAX_OBJECTIVE),
        tasks=tasks[:MAX_TASKS],
        criteria=_unique(criteria)[:MAX_CRITERIA],
        about=draft.about,
        check=cut(draft.grammar.glue.check.format(small(title)), MAX_TITLE),
    )


def _title(draft: Draft, lines: list[_Line], tasks: list[Task]) -> str:
    """Return the title; the task itself where the title would say something else."""
    title = draft.title
    for line in lines:
        if line.ask.source != draft.main.source or line.only_check:
            continue
        own_title = fold(bare(title)) in fold(bare(line.task))
        if line.plain or (not own_title and faithful.turns(line.task, title)):
            return _fit(capital(bare(line.task)), GOOD_TITLE)
        break
    return _good_title(title) or (tasks[0].title if tasks else "")


def _detail(draft: Draft, line: _Line) -> str:
    ask = line.ask
    text = ask.source or ask.text
    if line.plain:
        return sentence(cut(line.task, MAX_DETAIL - 1))
    if ASK_ABLE.match(strip_leads(fold(text))):
        return sentence(cut(draft.grammar.lines.task(ask, draft.about), MAX_DETAIL - 1))
    if ask.condition and fold(ask.condition) not in fold(text):
        text = f"{text} {small(ask.condition)}"
    resolved = draft.grammar.lines.resolve(text, draft.about) if ask.after else text
    return sentence(cut(strip_leads_of(resolved), MAX_DETAIL - 1))


def _fit(text: str, limit: int) -> str:
    """Cut `text` to `limit`, with a mark where a "not" or an "if" is cut off."""
    if len(text) <= limit:
        return text
    short = cut(text, limit - 1)
    return f"{short}…" if faithful.loses(text, short) else cut(text, limit)


def _good_title(title: str) -> str:
    title = capital(bare(title))
    if len(title) > GOOD_TITLE:
        whole = re.match(rf".{{30,{GOOD_TITLE}}}(?=[,;(] )", title)
        short = whole[0] if whole else title
        lost = faithful.loses(title, short)
        title = _fit(title, GOOD_TITLE) if not whole or lost else short
    return _fit(title.strip(), MAX_TITLE)


def _unique(lines: list[str]) -> list[str]:
    seen: dict[str, str] = {}
    for line in lines:
        line = _fit(line, MAX_CRITERION)
        key = re.sub(r"\W+", " ", fold(line)).strip()
        if key:
            ends = line.endswith((".", "…"))
            seen.setdefault(key, line if ends else sentence(line))
    return list(seen.values())
