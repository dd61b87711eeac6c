"""The grammar of orders on rows: courtesy, act, row, and what forbids to obey.

An order is: courtesy? act row. The act is an imperative (an infinitive in French, or
behind words of asking); the row is a noun phrase that `objects` reads. Anything that
`vetoes` finds around them makes it no order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tooling.intent import acts
from tooling.intent.lexicon import EN_ACTS, FR_ACTS
from tooling.intent.objects import (
    ATTRIBUTES,
    Named,
    Row,
    Token,
    is_quotation,
    read_row,
    swapped,
    words,
)

CREATES: dict[Row, frozenset[str]] = {
    Row.MISSION: frozenset({"mission_create"}),
    Row.TASK: frozenset({"task_create", "mission_add_task"}),
    Row.DECISION: frozenset({"decision_create"}),
    Row.SUGGESTION: frozenset({"suggestion_create"}),
}
UPDATES: dict[Row, frozenset[str]] = {
    Row.MISSION: frozenset({"mission_update"}),
    Row.TASK: frozenset({"task_update"}),
    Row.DRAFT: frozenset({"workflow_draft_update"}),
}

CLAUSE = re.compile(
    r"[,;:!.?)]+\s+|\s[-–—]+\s|\b(?:and then|and|then|et puis|et|puis|so|donc|alors|but"
    r"|mais)\b "
)
LEAD_MORE = re.compile(
    r"(?:no (?:problem|worries|rush)|pas de (?:souci|probleme)|(?:great|perfect|parfait"
    r"|super|cool|right|sure|fine|good|excellent|d'accord|entendu|tres bien|ca marche"
    r"|c'est bon|allez|allons|hop|pelase|plase|pleas|plese|plaese|todo|action"
    r"|one more thing|quick one"
    r"|assistant|dialogue|agent|bot|team"
    r"|just|simply|immediately|directement|immediatement|maintenant"
    r"|do|go on and|go|et|and|then|puis)(?=[ ,:;.!']))[,:;.!]*\s*"
)
_ORDER = (
    r"(?:i(?:'d| would)? (?:want|need|like) you to|i(?:'d| would) like for you to"
    r"|i(?:'m| am) asking you to|i (?:hereby )?(?:ask|authori[sz]e|instruct|order) you"
    r" to|(?:you can|you may|feel free to) (?:now|go ahead and)|make sure (?:you|to)"
    r"|be sure to|be so kind as to|would you mind|do please|do go ahead and"
    r"|je (?:veux|voudrais|souhaite|souhaiterais) que (?:tu|vous)"
    r"|j'aimerais que (?:tu|vous)|il faut que (?:tu|vous)"
    r"|je (?:te|vous) (?:demande|prie|charge) d(?:e |')|tu peux y aller,? |charge-toi"
    r" d(?:e |')|occupe-toi d(?:e |')|pense a|n'hesite pas a|veuillez"
    r"|(?:grand )?merci (?:beaucoup )?(?:bien vouloir "
    r"|de bien vouloir )?d(?:e (?!bien v)|')"
    r"|(?:merci|priere) de bien vouloir|priere d(?:e |'))"
)
_ABLE = (
    r"(?:(?:can|could|would|will) you(?: please| kindly| now| just| quickly)*"
    r"|(?:est-ce que )?(?:tu peux|tu pourrais|vous pouvez|vous pourriez|peux[- ]tu"
    r"|pourrais[- ]tu|pouvez[- ]vous|pourriez[- ]vous|tu veux bien|voudrais-tu|veux-tu"
    r"|voulez-vous|voudriez-vous)(?: bien)?(?: stp| svp| maintenant)*)"
)
COURTESY = re.compile(rf"(?:(?P<order>{_ORDER})|(?P<able>{_ABLE}))[ ,]*")
_SLIP_ADVERB = words(
    "me us now please pls just quickly also immediately then up moi nous aussi vite"
    " maintenant en - y donc svp stp immediatement directement encore"
)
TAG = re.compile(
    r"(?:[,.;:–-]|\bplease\b|\bok\b|\bsvp\b|\bstp\b|s'il (?:te|vous) plait|d'accord"
    r"|tu veux bien)"
)
_TOPIC = words(
    "for to about called named titled entitled on regarding that with in under at pour"
    " sur afin intitulee nommee appelee titree qui dans a au de d' concernant please"
    " now pls svp stp right maintenant urgente prioritaire"
)


def _act(tokens: list[Token], at: int, original: str) -> str:
    """Return the act at a token, mended if a letter slipped, else an empty string."""
    word = tokens[at].text
    typed = original[tokens[at].start : tokens[at].end].lower()
    if typed.endswith(("é", "és")):
        # "Créé", "ajouté": it was done.
        return ""
    if word in acts.KNOWN:
        return word
    if word in acts.GERUNDS and [t.text for t in tokens[max(0, at - 1) : at]] == [
        "mind"
    ]:
        return acts.GERUNDS[word]
    if word in acts.SLIPS:
        return acts.SLIPS[word]
    if word in EN_ACTS or word in FR_ACTS or len(word) < 4:
        return ""
    for right in acts.LONG_ACTS:
        if right[0] == word[0] and swapped(word, right):
            return right
    return ""


_ADVERBS = (
    ("des", "a", "present"),
    ("des", "maintenant"),
    ("tout", "de", "suite"),
    ("right", "now"),
    ("right", "away"),
    ("at", "once"),
    ("for", "me"),
    ("for", "us"),
    ("pour", "moi"),
    ("pour", "nous"),
    ("s'", "il", "te", "plait"),
    ("s'", "il", "vous", "plait"),
    ("as", "well"),
    ("en", "place"),
    ("en", "oeuvre"),
    ("sans", "attendre"),
)


def _skip(tokens: list[Token], at: int) -> int:
    """Return the token behind adverbs and the person who is served."""
    while at < len(tokens):
        step = int(tokens[at].text in _SLIP_ADVERB)
        for phrase in _ADVERBS:
            there = tuple(token.text for token in tokens[at : at + len(phrase)])
            step = max(step, len(phrase) * (there == phrase))
        if not step:
            break
        at += step
    return at


def _named(tokens: list[Token], row: Named) -> bool:
    """Say whether a certain row is meant: "the task", "task 'X'", "mission Blue"."""
    after = tokens[row.end] if row.end < len(tokens) else None
    if row.plural and after is not None and after.text in acts.INTO | acts.OF:
        inner = read_row(tokens, row.end + 1)
        return inner is not None and inner.row is Row.MISSION
    if row.definite:
        return not row.plural or after is None or after.text in ("as", "comme")
    return after is not None and (
        is_quotation(after.text) or after.capital or after.text[0] in "#0123456789"
    )


def _create(tokens: list[Token], act: str, at: int) -> tuple[frozenset[str], int]:
    """Read a row to make after the act; (tools, where the row ends)."""
    nothing: frozenset[str] = frozenset()
    if act in ("turn", "transforme", "transformer", "transformez", "convert", "make"):
        made = _turned(tokens, at)
        if made is not None or act != "make":
            return made or (nothing, 0)
    row = read_row(tokens, at)
    if row is None:
        return _put_as(tokens, at)
    if act in acts.IDIOM and row.row in (Row.DECISION, Row.SUGGESTION):
        return nothing, 0
    if tokens[at].text in acts.EACH or (row.plural and not _several(tokens, at, row)):
        return nothing, 0
    if act in acts.MAKE_NEW and not row.indefinite and _named(tokens, row):
        return nothing, 0
    return CREATES.get(row.row, nothing), row.end


def _several(tokens: list[Token], at: int, row: Named) -> bool:
    """Say whether certain new rows are meant: "two tasks", "tasks for mission X:"."""
    follows = [token.text for token in tokens[row.end : row.end + 2]]
    listed = any(t.text in ("following", "suivantes") for t in tokens[at : row.end + 1])
    if row.indefinite or listed or follows[:1] == [":"]:
        return True
    if row.row is not Row.TASK or row.definite or len(follows) < 2:
        return False
    inner = read_row(tokens, row.end + 1)
    into = follows[0] in acts.INTO | {"for", "pour"}
    return into and inner is not None and inner.row is Row.MISSION


def _turned(tokens: list[Token], at: int) -> tuple[frozenset[str], int] | None:
    """Read "this into a task", "that a mission", "ça en mission"."""
    if at >= len(tokens) or tokens[at].text not in acts.PRONOUNS:
        return None
    if at + 1 < len(tokens) and tokens[at + 1].text in ("into", "en"):
        at += 1
    row = read_row(tokens, at + 1)
    if row is None or row.definite:
        return None
    return CREATES.get(row.row, frozenset()), row.end


def _put_as(tokens: list[Token], at: int) -> tuple[frozenset[str], int]:
    """Read "'X' as a task", "to this mission the task", "'X' to the tasks of"."""
    words_there = [token.text for token in tokens[at : at + 24]]
    if words_there and (words_there[0] in acts.INTO):
        inner = read_row(tokens, at + 1)
        if inner is not None and inner.definite:
            for here in range(inner.end, min(inner.end + 8, len(tokens))):
                row = read_row(tokens, here)
                if row is not None and row.row is Row.TASK:
                    return CREATES[Row.TASK], row.end
    if words_there and (
        is_quotation(words_there[0]) or words_there[0] in acts.PRONOUNS | {"the", "l'"}
    ):
        for here in range(1, min(5, len(words_there))):
            if words_there[here] in ("as", "comme", "en"):
                row = read_row(tokens, at + here + 1)
                if row is not None and not row.definite:
                    return CREATES.get(row.row, frozenset()), row.end
    if words_there and is_quotation(words_there[0]):
        row = read_row(tokens, at + 2) if len(words_there) > 2 else None
        joined = len(words_there) > 1 and words_there[1] in acts.INTO
        if joined and row is not None and row.row is Row.TASK and row.plural:
            return CREATES[Row.TASK], row.end
    return frozenset(), 0


def _change(tokens: list[Token], act: str, at: int) -> tuple[frozenset[str], int]:
    """Read the certain row to change, itself or behind one of its attributes."""
    nothing: frozenset[str] = frozenset()
    if at < len(tokens) and tokens[at].text in ("a", "to"):
        at += 1
    row = read_row(tokens, at, parts=True)
    if row is None:
        for here in range(at, min(at + 5, len(tokens) - 1)):
            if tokens[here].text in ATTRIBUTES and (tokens[here + 1].text in acts.OF):
                row = read_row(tokens, here + 2)
                break
    if row is None or not _named(tokens, row):
        return nothing, 0
    if row.row is Row.MISSION and act in acts.ENDS:
        return nothing, -1
    return UPDATES.get(row.row, nothing), row.end


def _draft(tokens: list[Token], at: int) -> tuple[frozenset[str], int]:
    """Read "the review step before the deploy step in the workflow draft"."""
    row = read_row(tokens, 1) if tokens[0].text in acts.INTO else None
    if row is not None and row.row is Row.DRAFT and row.end < at:
        return UPDATES[Row.DRAFT], at
    for here in range(at, min(at + 16, len(tokens) - 1)):
        if tokens[here].text in ("that", "which", "so", "qui", "if", "si"):
            break
        if tokens[here].text in acts.INTO:
            row = read_row(tokens, here + 1)
            if row is not None and row.row is Row.DRAFT:
                return UPDATES[Row.DRAFT], row.end
    return frozenset(), 0


def _back_reference(
    tokens: list[Token], at: int, before: list[Token]
) -> tuple[frozenset[str], int]:
    """Read "create it": the first row that was named before."""
    end = at + 1
    if at < len(tokens) and tokens[at].text == "-":
        end += 1
    pronoun = tokens[end - 1].text if end <= len(tokens) else ""
    closed = end >= len(tokens) or not tokens[end].text[0].isalnum()
    closed = closed or tokens[end].text in _TOPIC
    if pronoun not in acts.PRONOUNS | words("la le les") or not closed:
        return frozenset(), 0
    for here in range(len(before)):
        row = read_row(before, here)
        if row is not None:
            known = frozenset[str]() if row.definite else CREATES.get(row.row)
            return known or frozenset(), end
    return frozenset(), 0


@dataclass(frozen=True, slots=True)
class Shape:
    """An act and its row at some tokens; no tools where the act disposes of it."""

    tools: frozenset[str]
    end: int
    definite: bool


def read_shape(
    tokens: list[Token], at: int, original: str, before: list[Token]
) -> Shape | None:
    """Return the order that begins at token `at`, by its form alone."""
    act = _act(tokens, at, original) if at < len(tokens) else ""
    if not act:
        return None
    after = at + 1
    following = [token.text for token in tokens[after : after + 3]]
    if following[:2] == ["a", "jour"]:
        act, after = "update", after + 2
    if act in ("tick", "spin", "set") and following[:1] in (["off"], ["up"]):
        after += 1
    after = _skip(tokens, after)
    found: tuple[frozenset[str], int] = (frozenset(), 0)
    if act in acts.CHANGE:
        found = _change(tokens, act, after)
    if not found[1] and act in acts.PLACE:
        found = _draft(tokens, after)
    if not found[1] and act in acts.DISPOSE:
        row = read_row(tokens, after)
        if row is not None and _named(tokens, row):
            return Shape(frozenset(), row.end, True)
    if not found[0] and found[1] >= 0 and act in acts.MAKE:
        found = _create(tokens, act, after)
        if not found[0]:
            found = _back_reference(tokens, _dash(tokens, at + 1, after), before)
    if found[1] < 0:
        return Shape(frozenset(), after, True)
    if not found[0]:
        return None
    return Shape(found[0], found[1], _settled(tokens, after, found[1]))


def _dash(tokens: list[Token], dash: int, after: int) -> int:
    return dash if dash < len(tokens) and tokens[dash].text == "-" else after


def _settled(tokens: list[Token], after: int, end: int) -> bool:
    """Say whether a question about ability is about this very thing."""
    row = read_row(tokens, after)
    if row is None:
        return True
    if row.plural and not row.definite:
        return False
    follows = tokens[end].text if end < len(tokens) else ""
    return _named(tokens, row) or follows in _TOPIC or follows == ":"
