"""Reads an act and its object: which row of this system, and by which tools.

"Create a mission" is an order on a row; "create a mission dashboard" is work to be
done, and so is "add a task to the calendar". In doubt there is no row.
"""

from __future__ import annotations

from dataclasses import dataclass

from tooling.intent import classes
from tooling.intent.nouns import (
    ARTICLES,
    INTO,
    Noun,
    noun_at,
    noun_behind,
    over_adverbs,
)
from tooling.intent.types import IntentLabel
from tooling.intent.words import PUNCTUATION, QUOTE, Word

CREATED: dict[str, frozenset[str]] = {
    "mission": frozenset({"mission_create"}),
    "task": frozenset({"task_create", "mission_add_task"}),
    "decision": frozenset({"decision_create"}),
    "suggestion": frozenset({"suggestion_create"}),
}
CHANGED: dict[str, frozenset[str]] = {
    "mission": frozenset({"mission_update"}),
    "task": frozenset({"task_update"}),
    "draft": frozenset({"workflow_draft_update"}),
}
_CLOSING = PUNCTUATION | {"please", "now", "maintenant", "stp", "svp", "for"}
_MAKE = frozenset("make take fais faites faire prends prenez".split())
_OPEN = frozenset("open ouvre ouvrez ouvrir".split())
_WRITE_DOWN = frozenset(
    """save note record log register file enter noter notez enregistre enregistrer
    enregistrez consigne consignez inscris inscrivez saisis saisissez""".split()
)
_RANKING = frozenset("make rends give donne donnez donner".split())
_RANKS = frozenset(
    """high higher low lower medium top priority urgent blocked done haute basse
    prioritaire urgente""".split()
)
_CERTAIN = (classes.INDEFINITE - {"a", "an", "des", "de", "d'", "un", "une"}) | {
    *("these", "those", "both", "ces"),
}
_BECOMES = frozenset("into as comme en to in dans a aux une un au".split())
_OF = frozenset("of de du des d' in from 's on to sur".split())


@dataclass(frozen=True, slots=True)
class Row:
    """The object of an order. `end` is the place of the word behind it.

    `label` is set where the act has no tool. `generic` names no row in particular
    ("missions"), `content` tells that a colon, name or purpose follows.
    """

    tools: frozenset[str]
    end: int
    label: IntentLabel | None = None
    pronoun: bool = False
    generic: bool = False
    content: bool = False
    indefinite: bool = False


def find_row(words: list[Word], act: int, *, gerund: bool = False) -> Row | None:
    """Return the row that the act at a place is done to, None where there is none."""
    texts = [word.text for word in words]
    if gerund:
        size = classes.GERUND.at(texts, act)
        if not size:
            return None
        noun = noun_behind(words, texts, act + size)
        return _created(texts, noun) if noun and not noun.definite else None
    for read in (_draft, _turned, _new_row, _changed, _settled):
        row = read(words, texts, act)
        if row is not None:
            return row
    return None


def _pronoun_closes(texts: list[str], act: int) -> int:
    """Return the words of "create it" where nothing else follows, or 0."""
    size = classes.CREATE.at(texts, act) or classes.CREATE_NEW.at(texts, act)
    it = classes.PRONOUN.at(texts, act + size) if size else 0
    end = act + size + it
    return size + it if it and (end >= len(texts) or texts[end] in _CLOSING) else 0


def find_needed(texts: list[str], act: int, needed: list[str]) -> Row | None:
    """Return the row of "create it" after a sentence that needs such a row."""
    it = _pronoun_closes(texts, act)
    kinds = [found for place in range(len(needed)) if (found := noun_at(needed, place))]
    if not it or not kinds or kinds[0][0] not in CREATED:
        return None
    return Row(CREATED[kinds[0][0]], act + it)


def find_named_before(texts: list[str], start: int, act: int) -> Row | None:
    """Return the row that was named before the clause of the act.

    "I need a task …, create it", "In the workflow draft, move the review".
    """
    named = next(
        ((found, place) for place in range(start) if (found := noun_at(texts, place))),
        None,
    )
    if named is None:
        return None
    (kind, _), place = named
    it = _pronoun_closes(texts, act)
    if it:
        tools = CREATED.get(kind)
        return Row(tools, act + it, pronoun=True) if tools else None
    fronted = texts[0] in {"in", "on", "for", "dans", "sur", "pour"} and place < 5
    size = classes.CHANGE.at(texts, act) or _swap(texts, act)
    size = size or classes.CREATE.at(texts, act)
    if not (fronted and size and kind in CHANGED):
        return None
    if kind == "draft" or classes.ATTRIBUTE.within(texts[act + size : act + size + 3]):
        return Row(CHANGED[kind], len(texts), content=True)
    return None


# --- the acts -----------------------------------------------------------------------


def _created(texts: list[str], noun: Noun) -> Row | None:
    tools = CREATED.get(noun.kind)
    if tools is None:
        return None
    behind = texts[noun.end : noun.end + 1]
    content = bool(behind) and (
        behind[0] in {":", QUOTE} or classes.CONTENT.at(texts, noun.end) > 0
    )
    generic = noun.plural and (noun.bare or texts[noun.place - 1] == "des")
    return Row(
        tools,
        noun.end,
        generic=generic,
        content=content,
        indefinite=not (noun.definite or noun.bare),
    )


def _new_row(words: list[Word], texts: list[str], act: int) -> Row | None:
    size = classes.CREATE.at(texts, act)
    only_new = not size
    size = size or classes.CREATE_NEW.at(texts, act)
    if not size:
        return None
    noun = noun_behind(words, texts, act + size)
    if noun is None:
        return _added_to(texts, act + size)
    if noun.definite and texts[act] in _OPEN and noun.kind in {"mission", "decision"}:
        return Row(frozenset(), noun.end, label=IntentLabel.QUESTION)
    row = _created(texts, noun)
    return row if row and _is_new(texts, act, noun, row, only_new=only_new) else None


def _is_new(
    texts: list[str], act: int, noun: Noun, row: Row, *, only_new: bool
) -> bool:
    """Say whether the act makes the row and does not look at it or put it somewhere."""
    verb = texts[act]
    if classes.ATTRIBUTE.at(texts, noun.end):
        return False
    if verb in _WRITE_DOWN and noun.bare and noun.plural:
        return False
    if verb in _MAKE and noun.kind in {"decision", "suggestion"}:
        return False
    if noun.definite and (
        only_new or (verb in _WRITE_DOWN and noun.kind != "decision")
    ):
        return False
    if noun.bare and only_new:
        return row.content and texts[noun.end] != QUOTE
    into = texts[noun.end : noun.end + 2]
    placed = bool(into) and into[0] in INTO and noun.kind != "task"
    infinitive = placed and into[0] == "to" and into[-1] not in ARTICLES
    return infinitive or not placed or not (noun.definite or noun.bare)


def _added_to(texts: list[str], place: int) -> Row | None:
    """Read "add 'call Bob' to the tasks": what is quoted becomes such a row."""
    size = 1 if texts[place : place + 1] == [QUOTE] else 0
    size = size or classes.ALL_OF_IT.at(texts, place)
    into = place + size
    if not size or into >= len(texts) or texts[into] not in INTO | {"as", "comme"}:
        return _attribute_added(texts, place)
    for ahead in range(into + 1, min(into + 4, len(texts))):
        found = noun_at(texts, ahead)
        if found and found[0] in CREATED:
            plural = texts[ahead + found[1] - 1].endswith("s")
            if texts[into] in {"as", "comme"} or plural:
                return Row(CREATED[found[0]], ahead + found[1], content=True)
            break
    return None


def _attribute_added(texts: list[str], place: int) -> Row | None:
    """Read "add a note to the mission": a change of that mission."""
    size = 0
    while place < len(texts) and not (size := classes.ATTRIBUTE.at(texts, place)):
        if texts[place] not in ARTICLES | classes.ADJECTIVES:
            return None
        place += 1
    if place + size >= len(texts):
        return None
    return _owner(texts, place + size, texts[place + size] in INTO)


def _owner(texts: list[str], place: int, linked: bool) -> Row | None:
    if not linked and texts[place] not in INTO:
        return None
    for ahead in range(place + 1, min(place + 7, len(texts))):
        found = noun_at(texts, ahead)
        if found and found[0] in CHANGED:
            if texts[ahead].endswith("s") and texts[ahead - 1] in INTO:
                return None
            return Row(CHANGED[found[0]], ahead + found[1], content=True)
        if texts[ahead] in PUNCTUATION:
            break
    return None


def _changed(words: list[Word], texts: list[str], act: int) -> Row | None:
    run = classes.RUN.at(texts, act)
    size = classes.CHANGE.at(texts, act) or run
    if not size:
        return None
    place = _over_attribute(texts, act + size)
    # "donne à la tâche une priorité haute"
    place += texts[act][:4] == "donn" and texts[place : place + 1] == ["a"]
    noun = noun_behind(words, texts, place)
    if noun is None or noun.kind not in CHANGED:
        return None
    if noun.kind == "draft" or (noun.plural and not noun.definite):
        return None
    if not noun.definite and not noun.bare and texts[act] not in {"set", "mets"}:
        return None
    if noun.plural and not _names_them(texts, noun):
        return None
    if texts[noun.place - 1] in {"our", "notre", "its"}:
        return None
    if texts[act] in _RANKING and _RANKS.isdisjoint(texts[noun.end : noun.end + 6]):
        return None
    if run and noun.kind == "mission":
        return Row(frozenset(), noun.end, label=IntentLabel.OTHER)
    return Row(CHANGED[noun.kind], noun.end, content=True)


def _names_them(texts: list[str], noun: Noun) -> bool:
    """Say whether a plural means certain rows, not all there will ever be."""
    before = set(texts[max(0, noun.place - 3) : noun.place])
    behind = texts[noun.end : noun.end + 1]
    if "all" in before and behind in (["of"], ["de"], ["du"]):
        return True
    return not before.isdisjoint(_CERTAIN) or behind in ([QUOTE], ["as"], ["comme"])


def _over_attribute(texts: list[str], place: int) -> int:
    """Step over "the priority of" in front of the row."""
    ahead, size = over_adverbs(texts, place), 0
    while ahead < len(texts) and not (size := classes.ATTRIBUTE.at(texts, ahead)):
        if texts[ahead] not in ARTICLES | classes.ADJECTIVES:
            return place
        ahead += 1
    if ahead + size >= len(texts) or texts[ahead + size] not in _OF:
        return place
    return ahead + size + 1


def _turned(words: list[Word], texts: list[str], act: int) -> Row | None:
    """Read "turn this into a task", "fais-en une mission", "note ça comme …"."""
    size = classes.TURN.at(texts, act)
    it = classes.ALL_OF_IT.at(texts, act + size) if size else 0
    if not it:
        return None
    place = act + size + it
    linked = place < len(texts) and texts[place] in _BECOMES
    if not linked:
        return None
    start = place if texts[place] in {"a", "une", "un"} else place + 1
    noun = noun_behind(words, texts, start)
    if noun is None or noun.kind not in CREATED:
        return None
    if texts[place] in {"to", "in", "dans", "aux"} and not noun.plural:
        return None
    return Row(CREATED[noun.kind], noun.end, content=True)


def _draft(words: list[Word], texts: list[str], act: int) -> Row | None:
    """Read a change of the workflow draft, or of a step of it."""
    size = classes.CHANGE.at(texts, act) or classes.CREATE.at(texts, act)
    size = size or classes.CREATE_NEW.at(texts, act)
    step_only = not size
    size = size or classes.REMOVE.at(texts, act) or _swap(texts, act)
    if not size:
        return None
    noun = noun_behind(words, texts, act + size)
    if noun is not None and noun.kind == "draft" and not step_only:
        changed = classes.CHANGE.at(texts, act) > 0 and (noun.definite or noun.bare)
        named = texts[noun.place : noun.end] != ["workflow"]
        row = Row(CHANGED["draft"], noun.end, content=True)
        return row if changed and named else None
    return _step(texts, act + size)


def _swap(texts: list[str], act: int) -> int:
    return int(texts[act] in {"swap", "reorder", "insert", "replace", "inverse"})


def _step(texts: list[str], place: int) -> Row | None:
    """Read "the review step … of the workflow draft" within the clause."""
    clause: list[str] = []
    for text in texts[place : place + 18]:
        if text in {":", ";", ".", "?", "!", ","}:
            break
        clause.append(text)
    step = classes.STEP.within(clause)
    draft = classes.DRAFT.within(clause)
    if draft is None:
        return None
    size = classes.DRAFT.at(clause, draft)
    # "The workflow draft" alone says it; of "the draft" a step must be meant.
    if step is None and (size == 1 or draft < 2):
        return None
    if step is not None and draft < step:
        return None
    if clause[draft - 1] not in classes.DEFINITE | {"du", "au", "workflow", "of"}:
        return None
    if step is None and _OF.union(INTO).isdisjoint(clause[draft - 2 : draft]):
        return None
    return Row(CHANGED["draft"], place + draft + size, content=True)


def _settled(words: list[Word], texts: list[str], act: int) -> Row | None:
    """Read an act that settles or destroys a row: no tool exists for it."""
    size = classes.DISPOSE.at(texts, act)
    if not size:
        return None
    place = over_adverbs(texts, act + size)
    noun = noun_behind(words, texts, place)
    if noun is not None:
        return Row(frozenset(), noun.end, label=IntentLabel.OTHER)
    behind = place
    while behind < min(place + 4, len(texts)) and (
        texts[behind] in ARTICLES | classes.ADJECTIVES
    ):
        behind += 1
    if classes.PROPOSAL.at(texts, behind):
        return Row(frozenset(), behind + 1, label=IntentLabel.OTHER)
    last = place + 1 >= len(texts) or texts[place + 1] in PUNCTUATION | {
        "for",
        "please",
    }
    if classes.PRONOUN.at(texts, place) and last:
        return Row(frozenset(), place + 1, label=IntentLabel.OTHER)
    return None
