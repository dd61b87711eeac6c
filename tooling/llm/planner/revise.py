"""Reads the conversation: the person's messages, decisions' notes, what is pending."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tooling.intent import IntentLabel, judge_intent
from tooling.intent.cleaning import fold
from tooling.intent.judge import read_sentences
from tooling.llm.planner.drafting import build_specifications
from tooling.llm.planner.labels import labels_for
from tooling.llm.planner.language import detect_language
from tooling.llm.planner.model import (
    MAX_CRITERIA,
    MAX_CRITERION,
    MAX_OBJECTIVE,
    MAX_TASKS,
    MAX_TITLE,
    Specification,
    Task,
)
from tooling.llm.planner.stems import stems
from tooling.llm.planner.wording import bare, capital, clipped, cut, sentence, small

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tooling.llm.types import PromptMessage

PROPOSE = "mission_propose"
CREATE = "mission_create"
NOTE_MARK = "[decision note]"
NOTICE_MARK = "[notice]"
_NOTE_LINE = re.compile(r"^\s*note\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_OPTION = re.compile(r"^\s*option\s*:\s*(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
_REVISES = re.compile(
    r"^\s*(?:revises|request|proposal)\s*:\s*"
    r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_AGAIN = re.compile(
    r"\b(?:again|repropose|re-propose|resubmit|redo|retry|re-?send|one more time"
    r"|(?:propose|submit|raise|send|revise|update|change|adjust|amend) (?:it|that|this"
    r"|the proposal|a (?:new|revised) (?:one|version|proposal))|do (?:it|that|so)"
    r"|go ahead|(?:with|as|per) (?:the|that|this|those|their) (?:notes?|changes?"
    r"|comments?|remarks?)|take (?:the|that|this) (?:note|comment|remark)"
    r"|new (?:version|proposal|revision)|try with"
    r"|a nouveau|encore une fois|reproposer?|repropose[zr]?|re-propose[zr]?"
    r"|refai[st]e?s?"
    r"|reessaye?[zr]?|reessaie|recommence[zr]?|renvoie[sz]?|renvoye[zr]|relance[zr]?"
    r"|propose[zr]?-?(?:la|le|moi)|resoumet\w*|fais-le|vas-y|allez-y|revois|revoyez"
    r"|modifie|corrige|(?:avec|selon|d'apres|suivant) (?:la|cette|ces|les|ta|sa|leur"
    r"|leurs) (?:note|remarques?|modifications?|changements?|consignes?|commentaires?)"
    r"|tiens compte|tenez compte|prends? en compte|prenez en compte"
    r"|nouvelle (?:version|proposition)|comme demande|remets|remettez)\b"
)
_HOLD = re.compile(
    r"(?:please |surtout |no,? |non,? )?(?:do not|don't|dont|never|not|no need|ne |n'"
    r"|pas |inutile|laisse|laissez|surtout pas)"
)
_MAX_AGAIN_WORDS = 40
MAX_NOTE_TASKS = 4
# With fewer words of content a remark is no idea that could be put forward.
MIN_STEMS = 4


@dataclass(frozen=True, slots=True)
class Note:
    """What an operator answered to a proposal."""

    option: str
    text: str
    revises: str | None


@dataclass(frozen=True, slots=True)
class Situation:
    """The person's last message and what stands behind it.

    `request` is their earlier request, `notes` the operators' wishes for it, `fresh`
    whether a note has come that no proposal has answered.
    """

    text: str
    request: str = ""
    notes: tuple[Note, ...] = ()
    fresh: bool = False


def is_note(message: PromptMessage) -> bool:
    """Say whether a user-role message carries a decision, not a person's words."""
    return message.role == "user" and message.text.lstrip().lower().startswith(
        NOTE_MARK
    )


def is_notice(message: PromptMessage) -> bool:
    """Say whether a user-role message only tells what the system did."""
    return message.role == "user" and message.text.lstrip().startswith(NOTICE_MARK)


def read_note(text: str) -> Note:
    """Read the option and the note of a decision."""
    option = _OPTION.search(text)
    revises = _REVISES.search(text)
    note, lines = "", text.strip().split("\n")[1:]
    for index, line in enumerate(lines):
        found = _NOTE_LINE.match(line)
        if found is not None:
            note = "\n".join([found[1], *lines[index + 1 :]])
            break
    return Note(
        option=fold(option[1]) if option else "",
        text=note.strip(),
        revises=revises[1].lower() if revises else None,
    )


def read_situation(messages: Sequence[PromptMessage]) -> Situation:
    """Read a prompt; only what stands in the user role counts as the person's words."""
    own = [i for i, m in enumerate(messages) if m.role == "user" and not is_note(m)]
    if not own:
        return Situation("")
    last = own[-1]
    request, notes, fresh, unsure = "", [], False, ""
    for message in messages[:last]:
        if is_note(message):
            note = read_note(message.text)
            if "request changes" in note.option or not note.option:
                notes.append(note)
                fresh = True
            else:
                notes, fresh = [], False
        elif message.role == "user":
            if _is_new_request(message.text, request, bool(notes)):
                request, notes, fresh = message.text, [], False
            elif may_be_a_request(message.text):
                unsure = message.text
        elif any(call.name == PROPOSE for call in message.tool_calls):
            fresh = False
        elif message.role == "tool" and _has_created(message, messages):
            # What was done by order is not proposed once more.
            request, notes, unsure = "", [], ""
    return Situation(messages[last].text, request or unsure, tuple(notes), fresh)


def _has_created(result: PromptMessage, messages: Sequence[PromptMessage]) -> bool:
    names = {call.id: call.name for one in messages for call in one.tool_calls}
    name = result.tool_name or names.get(result.tool_call_id, "")
    return name == CREATE and '"refused"' not in result.text


def may_be_a_request(text: str) -> bool:
    """Say whether a message that asks nothing plainly says enough to be proposed."""
    if judge_intent(text).label is not IntentLabel.OTHER:
        return False
    readings = read_sentences(text)
    return len(stems(text)) >= MIN_STEMS and not any(one.veto for one in readings)


def _is_new_request(text: str, request: str, noted: bool) -> bool:
    label = judge_intent(text).label
    if label not in {IntentLabel.FEATURE_REQUEST, IntentLabel.EXECUTION_COMMAND}:
        return False
    if request and asks_again(text):
        return False
    return not (noted and stems(text) & stems(request))


def asks_again(text: str) -> bool:
    """Say whether a short message asks for the same proposal once more."""
    folded = fold(text.strip())
    return (
        len(folded.split()) <= _MAX_AGAIN_WORDS
        and _AGAIN.search(folded) is not None
        and not _HOLD.match(folded)
    )


def says_only_again(text: str) -> bool:
    """Say whether a message names nothing beside "propose it"."""
    return asks_again(text) and not _new_stems(text)


def is_revision(situation: Situation) -> bool:
    """Say whether the last message asks for the earlier request, changed."""
    if not situation.request:
        return False
    if asks_again(situation.text):
        return judge_intent(situation.text).label is not IntentLabel.QUESTION
    if not situation.fresh:
        return False
    label = judge_intent(situation.text).label
    known = stems(situation.request).union(*(stems(n.text) for n in situation.notes))
    return label is IntentLabel.FEATURE_REQUEST and bool(stems(situation.text) & known)


def revise(situation: Situation, language: str) -> list[Specification]:
    """Return the earlier request's specification with the notes folded in."""
    spoken = detect_language(situation.request, language)
    found = build_specifications(situation.request, spoken)
    if not found:
        return []
    spec = found[0]
    for note in situation.notes:
        if note.text:
            _fold_in(spec, note.text, spoken)
        spec.revises = note.revises or spec.revises
    own = judge_intent(situation.text).label is IntentLabel.FEATURE_REQUEST
    if own and _adds_words(situation):
        _fold_in(spec, situation.text, spoken)
    return [spec]


def _adds_words(situation: Situation) -> bool:
    known = stems(situation.request).union(*(stems(n.text) for n in situation.notes))
    return len(_new_stems(situation.text) - known) >= 2


def _new_stems(text: str) -> set[str]:
    words = {w[:5] for w in _AGAIN_WORDS}
    return stems(_AGAIN.sub(" ", fold(text))) - words


_AGAIN_WORDS = (
    "propose proposal again mission change changes note notes please request version"
    " proposer proposition nouvelle nouveau modification remarque demande merci".split()
)


def _fold_in(spec: Specification, note: str, language: str) -> None:
    labels = labels_for(language)
    line = sentence(note)
    spec.objective = cut(
        f"{spec.objective} {labels.change.format(line)}", MAX_OBJECTIVE
    )
    extra = build_specifications(note, language)
    tasks = [t for one in extra for t in one.tasks] or [Task(capital(bare(note)))]
    known = {t.title for t in spec.tasks}
    for task in tasks[:MAX_NOTE_TASKS]:
        title = clipped(task.title, MAX_TITLE)
        if title and title not in known and len(spec.tasks) < MAX_TASKS:
            spec.tasks.append(Task(title, task.detail))
    wanted = labels.as_asked.format(small(bare(note)))
    for criterion in [c for one in extra for c in one.criteria] or [sentence(wanted)]:
        if criterion not in spec.criteria and len(spec.criteria) < MAX_CRITERIA + 4:
            spec.criteria.append(clipped(criterion, MAX_CRITERION))
