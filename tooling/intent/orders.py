"""Reads a sentence as an order on a row of this system, or as what looks like one.

    order   := lead* (go | polite)* adverb* act object tail
    act     := create | change | run | turn | dispose
    object  := determiner adjective* row, or attribute of row
    tail    := content ("to …", "for …", ":"), or cues

An order stands at the start of its sentence, or after a comma where what stands before
carries no cue. Cues of negation, condition, time, habit, report, supposition, doubt or
question outside the content take its force; they then decide the label.
"""

from __future__ import annotations

from dataclasses import dataclass

from tooling.intent import classes, cues
from tooling.intent.nouns import noun_at
from tooling.intent.objects import Row, find_named_before, find_needed, find_row
from tooling.intent.tails import (
    conditional_content,
    scope_and_content,
    without_polite_if,
)
from tooling.intent.types import IntentLabel
from tooling.intent.words import PUNCTUATION, Phrases, Word, read_words

_LABEL = IntentLabel
_MAX_ORDERS = 8
# Words that tie an order to what was said before it: "…, so create a task".
_TIES = frozenset(
    "so please pls now donc alors maintenant svp stp kindly go vas allez".split()
)
_BREAKS = frozenset({",", ";", ":", ".", "!", "-", "(", "and", "et", "then", "puis"})
_OPENERS = (classes.GO, classes.POLITE, classes.ABLE)
_NOW = frozenset("now maintenant ahead immediately".split())
_NEED = frozenset(
    """need needs want wants faut faudrait besoin voudrais voudrait aimerais souhaite
    like veux veut""".split()
)
_FRONTED = frozenset(
    """for in under on about regarding concerning to within pour dans sous sur
    concernant as comme""".split()
)


@dataclass(frozen=True, slots=True)
class Order:
    """An order on a row: its tools, its place in the sentence and what it comes to.

    `label` is `EXECUTION_COMMAND` for an order in force.
    """

    label: IntentLabel
    tools: frozenset[str]
    start: int
    end: int


@dataclass(slots=True)
class _Opening:
    """Where an act stands, after leads and words of politeness."""

    act: int
    polite: bool = False
    question: bool = False
    gerund: bool = False
    permission: bool = False
    able: bool = False


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause that begins at `start`; the order before it ends at `behind`."""

    texts: list[str]
    start: int
    behind: int
    opening: _Opening
    row: Row


def read_orders(folded: str, *, previous: str = "") -> list[Order]:
    """Return the orders of one folded sentence with its quotations masked.

    `previous` is the sentence before it, which may name what "create it" means.
    """
    words = read_words(folded)
    texts = [word.text for word in words]
    found: list[Order] = []
    needed = [word.text for word in read_words(previous)] if previous else []
    needed = [] if _NEED.isdisjoint(needed) else needed
    place = behind = 0
    while place < len(words) and len(found) < _MAX_ORDERS:
        opening = _open(texts, place)
        row = _row_of(words, texts, place, opening)
        after = opening.act
        if row is None and place == 0 and needed:
            row = find_needed(texts, opening.act, needed)
        if row is not None:
            clause = _Clause(texts, place, behind, opening, row)
            label = _weigh(clause, found[-1].label if found else None)
            if label is not None:
                end = words[_content_end(texts, row.end) - 1].end
                start = words[opening.act].start
                found.append(Order(label, row.tools, start, max(start, end)))
                behind = after = row.end
        place = _next_start(texts, max(after, place + 1))
    return found


def _next_start(texts: list[str], place: int) -> int:
    """Return the place after the next mark or word that can begin a clause."""
    while place < len(texts):
        if texts[place] in _BREAKS:
            return place + 1
        place += 1
    return place


def _open(texts: list[str], start: int) -> _Opening:
    """Step over leads, politeness and adverbs to where an act should stand."""
    place = _skip_leads(texts, start)
    opening = _Opening(place)
    for _ in range(4):
        if size := classes.GO.at(texts, place):
            place += size + (texts[place + size : place + size + 1] == [","])
        elif size := classes.MIND.at(texts, place):
            opening.polite = opening.gerund = opening.question = True
            place += size
        elif size := classes.ABLE.at(texts, place):
            opening.polite = opening.question = opening.able = True
            place += size
        elif size := classes.POLITE.at(texts, place):
            opening.polite = True
            opening.question = opening.question or _inverted(texts[place])
            opening.permission = texts[place] in {"you", "vous"}
            place += size
        elif classes.YOU.at(texts, place) and place + 1 < len(texts):
            # "tu me crées une mission ?"
            if not texts[place + 1].endswith(("es", "ez")) and texts[place + 1] not in (
                {"me", "m'", "nous"}
            ):
                break
            opening.polite = True
            place += 1
        else:
            break
        place = _skip(texts, place, classes.ADVERB)
    opening.act = _skip_leads(texts, place)
    return opening


def _inverted(word: str) -> bool:
    return word in {"can", "could", "would", "will", "est", "peux", "pouvez"}


def _skip_leads(texts: list[str], place: int) -> int:
    for _ in range(12):
        if any(kind.at(texts, place) for kind in _OPENERS):
            return place
        size = classes.LEAD.at(texts, place)
        if not size and place < len(texts):
            marks = {",", "!", "-", ".", ":"}
            size = int(texts[place] in marks and place > 0)
        if not size:
            return place
        place += size
    return place


def _skip(texts: list[str], place: int, kind: Phrases) -> int:
    for _ in range(6):
        size = kind.at(texts, place)
        if not size:
            break
        place += size
    return place


def _row_of(
    words: list[Word], texts: list[str], start: int, opening: _Opening
) -> Row | None:
    place = opening.act
    if place >= len(texts) or texts[place] in PUNCTUATION:
        return None
    row = find_row(words, place, gerund=opening.gerund)
    if row is None and start > 0:
        row = find_named_before(texts, start, place)
    return row


# --- whether it is in force ---------------------------------------------------------


def _weigh(clause: _Clause, earlier: IntentLabel | None) -> IntentLabel | None:
    """Return what an order comes to, None where it is none after all.

    `earlier` is what the order before it in the same sentence came to.
    """
    texts, row = clause.texts, clause.row
    before = texts[clause.behind : clause.start]
    tied = earlier is not None or _is_tied(clause)
    if before and not tied and not _is_fronted(clause):
        # Only its cues can tell that "…, create a mission" is an order at all.
        return _label_of_condition(before)
    if earlier is not None and not _may_follow(clause):
        return None
    scope, content = scope_and_content(texts, row.end)
    said = _without_polite(texts, clause.start, clause.opening) + scope
    if not tied:
        said = before + said
    label = _cue_label(without_polite_if(said))
    if label is None and tied and _spoils(before):
        label = _LABEL.OTHER
    if label is None and conditional_content(without_polite_if(content)):
        label = _LABEL.OTHER
    if cues.HABIT.within(texts[clause.opening.act : row.end]) is not None:
        label = label or _LABEL.FEATURE_REQUEST
    if label is not None:
        return label
    if row.label is not None:
        return row.label
    if earlier not in (None, _LABEL.EXECUTION_COMMAND):
        return earlier
    return _question_label(texts, clause.opening, row)


def _label_of_condition(before: list[str]) -> IntentLabel | None:
    if cues.HABIT.within(before) is not None:
        return _LABEL.FEATURE_REQUEST
    inverted = before[0] in {"should", "were", "had"} and before[-1] == ","
    conditional = inverted or cues.CONDITION.within(before) is not None
    return _LABEL.OTHER if conditional else None


def _spoils(before: list[str]) -> bool:
    return any(
        kind.within(before) is not None
        for kind in (cues.CONDITION, cues.SUPPOSE, cues.REPORT, cues.HABIT)
    )


def _may_follow(clause: _Clause) -> bool:
    """Say whether a further order is one, and not part of what the first is about."""
    texts, start = clause.texts, clause.start
    between = texts[clause.behind : start]
    purpose = between[:1] in (["to"], ["pour"], ["afin"], ["de"])
    if not purpose or (
        between[0] in {"pour", "de"} and not between[1].endswith(("er", "ir", "re"))
    ):
        return True
    tie = {"then", "also", "puis", "ensuite", "aussi", "please", "too"}
    return (
        texts[start - 1] in {",", ";", "."}
        or texts[start - 2] in {",", ";"}
        or not tie.isdisjoint(texts[start - 1 : clause.opening.act])
    )


def _is_fronted(clause: _Clause) -> bool:
    """Say whether all before the clause is courtesy, or "for the audit,"."""
    texts, start = clause.texts, clause.start
    if _skip_leads(texts, 0) >= start:
        return True
    if texts[start - 1] == ":" and start <= 4 and noun_at(texts, 0):
        # "Task 7: mark it as done"
        return True
    return texts[0] in _FRONTED and texts[start - 1] == ","


def _is_tied(clause: _Clause) -> bool:
    """Say whether a later clause is addressed anew: "…, so please create"."""
    texts, start = clause.texts, clause.start
    if start == 0:
        return False
    before = texts[:start]
    if clause.row.pronoun:
        return not _NEED.isdisjoint(before)
    if ":" in before:
        return False
    lead = texts[start : clause.opening.act]
    mark = texts[start - 1]
    if mark in {"!", ".", "(", "…"} or clause.opening.polite:
        return mark not in {"and", "et", "then", "puis"} or clause.opening.polite
    return mark in {",", ";", "-"} and not _TIES.isdisjoint(lead[:2])


def _cue_label(spoken: list[str]) -> IntentLabel | None:
    """Return the label that the cues among `spoken` lead to, None without any."""
    asked = spoken[-1:] == ["?"]
    if cues.SUPPOSE.within(spoken) is not None:
        return _LABEL.QUESTION if asked else _LABEL.OTHER
    for kind in (cues.NEGATION, cues.REPORT, cues.PAST):
        if kind.within(spoken) is not None:
            return _LABEL.QUESTION if asked else _LABEL.OTHER
    if cues.HABIT.within(spoken) is not None:
        return _LABEL.FEATURE_REQUEST
    if cues.CONDITION.within(spoken) is not None:
        return _LABEL.QUESTION if asked else _LABEL.OTHER
    if cues.HEDGE.within(spoken) is not None:
        return _LABEL.FEATURE_REQUEST
    if cues.LATER.within(spoken) is not None:
        return _LABEL.OTHER
    return None


def _question_label(texts: list[str], opening: _Opening, row: Row) -> IntentLabel:
    asked = texts[-1:] == ["?"]
    if opening.able:
        return _LABEL.QUESTION
    rest = [text for text in texts[row.end :] if text not in PUNCTUATION]
    if opening.permission and not asked and _NOW.isdisjoint(texts):
        # "You can create a mission with the plus button."
        return _LABEL.OTHER
    if asked and opening.question and row.indefinite and not rest:
        return _LABEL.QUESTION
    if opening.polite:
        if row.generic and (not rest or (opening.question and len(rest) < 2)):
            # "Can you create missions?" asks what can be done.
            return _LABEL.QUESTION if asked or opening.question else _LABEL.OTHER
        return _LABEL.EXECUTION_COMMAND
    content = row.content or ":" in texts[row.end :]
    if asked and not content and not _ends_politely(texts):
        return _LABEL.QUESTION
    return _LABEL.EXECUTION_COMMAND


def _ends_politely(texts: list[str]) -> bool:
    return any(
        classes.POLITE_TAG.at(texts, place) == len(texts) - 1 - place
        for place in range(max(0, len(texts) - 5), len(texts) - 1)
    )


def _without_polite(texts: list[str], start: int, opening: _Opening) -> list[str]:
    """Return what is said from `start` to the act, without words of politeness."""
    place, kept = start, []
    while place < opening.act:
        size = 0
        for kind in (classes.POLITE, classes.MIND, classes.LEAD, classes.GO):
            size = size or kind.at(texts, place)
        if size:
            place += size
            continue
        kept.append(texts[place])
        place += 1
    return kept


def _content_end(texts: list[str], end: int) -> int:
    """Return the place after the last word of the clause that holds the order."""
    while end < len(texts) and texts[end] not in PUNCTUATION - {":", ",", "-", "("}:
        end += 1
    return end
