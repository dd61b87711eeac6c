"""Reads the rows that an order may name: missions, tasks, decisions, drafts, ideas.

A row is named by a small noun phrase. What only contains such a word ("a mission
page", "a decision tree") is work on a product and names no row.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from tooling.intent.lexicon import EN_ACTS, FEATURE_NOUNS


class Row(enum.StrEnum):
    """The kinds of rows that a command may touch."""

    MISSION = "mission"
    TASK = "task"
    DECISION = "decision"
    DRAFT = "draft"
    SUGGESTION = "suggestion"


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark of a folded sentence; `capital` as the person typed it."""

    text: str
    start: int
    end: int
    capital: bool = False


@dataclass(frozen=True, slots=True)
class Named:
    """A row that is named at some tokens, up to `end` (exclusive)."""

    row: Row
    definite: bool
    plural: bool
    end: int
    indefinite: bool = False


MAX_TOKENS = 120
_TOKEN = re.compile(r"[a-z0-9œæ_]+(?:'(?=[a-z]))?|[^\s]")


def tokenise(folded: str, original: str) -> list[Token]:
    """Return the first tokens of `folded`, which is as long as `original`."""
    letters = [c for c in re.sub(r"q{2,}", "", original) if c.isalpha()]
    shouted = sum(c.isupper() for c in letters) * 2 > len(letters)
    found = []
    for match in _TOKEN.finditer(folded):
        capital = not shouted and original[match.start()].isupper()
        found.append(Token(match[0], match.start(), match.end(), capital))
        if len(found) >= MAX_TOKENS:
            break
    return found


def words(text: str) -> frozenset[str]:
    """Return the words of `text` as a set."""
    return frozenset(text.split())


def is_quotation(token: str) -> bool:
    """Say whether a token stands for masked words between quotation marks."""
    return len(token) > 1 and not token.strip("q")


def swapped(word: str, right: str) -> bool:
    """Say whether `word` is `right` with one letter wrong, missing, double or moved."""
    gap = len(right) - len(word)
    if word == right or word[:1] != right[:1] or abs(gap) > 1:
        return False
    at = next((i for i in range(min(len(word), len(right))) if word[i] != right[i]), -1)
    if at < 0:
        # Cut at the end, or longer there: only a doubled last letter is a slip.
        return gap == 1 or word[-1:] == word[-2:-1]
    if gap == 1:
        return word[at:] == right[at + 1 :]
    if gap == -1:
        return word[at + 1 :] == right[at:] and word[at] in right[max(0, at - 1) :]
    moved = word[at : at + 2] == right[at : at + 2][::-1]
    rest = at + 2 if moved else at + 1
    return word[rest:] == right[rest:]


_SINGULAR = {
    "mission": Row.MISSION,
    "task": Row.TASK,
    "subtask": Row.TASK,
    "todo": Row.TASK,
    "decision": Row.DECISION,
    "suggestion": Row.SUGGESTION,
    "tache": Row.TASK,
    "arbitrage": Row.DECISION,
}
_PLURAL = {
    word + "s": row for word, row in _SINGULAR.items() if word not in ("arbitrage",)
}
_SLIPPED = {
    "task": words("taks tsak tak taskk tassk"),
    "tache": words("tahce tacha tche tcahe tachee"),
}
_PHRASES: tuple[tuple[tuple[str, ...], Row], ...] = (
    (("workflow", "draft"), Row.DRAFT),
    (("draft", "workflow"), Row.DRAFT),
    (("draft", "of", "the", "workflow"), Row.DRAFT),
    (("brouillon", "du", "workflow"), Row.DRAFT),
    (("brouillon", "de", "workflow"), Row.DRAFT),
    (("workflow", "brouillon"), Row.DRAFT),
    (("brouillon", "du", "processus"), Row.DRAFT),
    (("brouillon", "du", "flux"), Row.DRAFT),
    (("decision", "request"), Row.DECISION),
    (("decision", "requests"), Row.DECISION),
    (("request", "for", "a", "decision"), Row.DECISION),
    (("request", "for", "decision"), Row.DECISION),
    (("demande", "de", "decision"), Row.DECISION),
    (("demande", "d'", "arbitrage"), Row.DECISION),
    (("demandes", "de", "decision"), Row.DECISION),
    (("sous", "-", "tache"), Row.TASK),
    (("sub", "-", "task"), Row.TASK),
    (("to", "-", "do"), Row.TASK),
)
_DEFINITE = words(
    "the this that these those my our your cette cet ce ces la le les l' ma mon mes"
    " notre nos votre vos ta ton both"
)
_INDEFINITE = words(
    "a an another one new two three four five several some une un d' de des du"
    " nouvelle nouveau deux trois quatre cinq plusieurs autre 1 2 3 4 5"
)
_ADJECTIVES = words(
    "new urgent separate dedicated small big quick short fresh proper single second"
    " first last next following whole full formal official simple real extra"
    " additional same open pending blocked current existing high low top medium"
    " priority follow up high-priority all every each toutes tous toute tout nouvelle"
    " nouveau petite grande autre seconde deuxieme premiere derniere prochaine vraie"
    " bonne meme seule courte"
)
# A task of a machine, and things that are no row though their last word is one.
_MACHINE = words("background cron scheduled batch async celery periodic recurring")
_NO_MODIFIER = words(
    """of for to in on at by with from about into per as that which who and or but
    not no any if when a an the this these those my our your is are was were be been do
    does did don't it them us me we you they i de du des pour dans sur a au aux en et
    ou qui que est sont pas plus ne n' aucune aucun jamais without under over than
    listing showing containing adding called named titled l' d' s' qu' le la les un une
    whose where there here then now never said says"""
)
_AFTER_NOUN = words(
    """for to about on in of at called named titled entitled labelled that which who
    with within under regarding concerning covering so as into from by before until and
    or now please pls right here today asap then us me immediately straight named
    saying asking whose again there comme
    we i you nous je vous tu tomorrow later soon tonight yesterday demain plus hier
    pour de d' du des sur afin qui que qu' dans a au aux en avec intitulee nommee
    appelee titree concernant relative portant visant svp stp maintenant immediatement
    ici et ou tout sous chez avant vers suivante suivant urgente prioritaire distincte
    supplementaire dediee separee nouvelle complete ouverte existante bloquee est stp
    si if when once unless quand lorsque des apres after quant
    the la le les l' un une"""
)
# Words after which the noun was only the first half of another thing's name.
_OTHER_THING = FEATURE_NOUNS | words(
    """statement control log logs tree list lists board boards view views table tables
    box tracker manager critical force history planner counter status statuses maker
    making matrix card cards screen tab tabs column columns row rows type types
    proposal proposals queue runner scheduler switcher bar builder editor engine model
    models name names title titles description descriptions comments comment archive
    owners assignments dependencies support service tracking planning
    management"""
)
# Parts of a row that an order may change.
ATTRIBUTES = words(
    "title name priority deadline due date owner assignee status state description"
    " objective goal budget criteria criterion summary label titre nom priorite"
    " echeance responsable statut etat objectif critere criteres limite intitule"
    " proprietaire resume wording libelle"
)
_PAST_NOUN = re.compile(r"[-/_@]")


def _row_at(tokens: list[Token], at: int) -> tuple[Row, bool, int] | None:
    """Return (row, plural, end) of the noun that begins at a token."""
    for phrase, row in _PHRASES:
        if tuple(token.text for token in tokens[at : at + len(phrase)]) == phrase:
            return row, phrase[-1].endswith("s"), at + len(phrase)
    word = tokens[at].text.rstrip("'")
    if word in _SINGULAR:
        return _SINGULAR[word], False, at + 1
    if word in _PLURAL:
        return _PLURAL[word], True, at + 1
    for right, slips in _SLIPPED.items():
        if word in slips:
            return _SINGULAR[right], False, at + 1
    if len(word) >= 6:
        for right, row in _SINGULAR.items():
            if len(right) >= 7 and swapped(word, right):
                return row, False, at + 1
    return None


def _part_end(tokens: list[Token], end: int) -> int:
    """Return the end behind the parts of a row: "description", "'s due date"."""
    at = end
    while at < min(end + 3, len(tokens)) and tokens[at].text in ATTRIBUTES | {"s"}:
        at += 1
    return at


def _stands_alone(tokens: list[Token], end: int) -> bool:
    """Say whether the phrase before `end` is over there, so that the row is meant."""
    if end >= len(tokens):
        return True
    after = tokens[end]
    if after.text == "de" and [t.text for t in tokens[end + 1 : end + 2]] == ["fond"]:
        return False
    if after.capital and not tokens[end - 1].capital:
        return True
    if after.text in _OTHER_THING or _PAST_NOUN.match(after.text):
        return after.text == "-" and _spaced(tokens, end)
    if after.text in _AFTER_NOUN or is_quotation(after.text) or after.capital:
        return True
    if not after.text[0].isalnum() or after.text[0].isdigit():
        return True
    following = tokens[end + 1].text if end + 1 < len(tokens) else ""
    return after.text in EN_ACTS and following in _DEFINITE | _INDEFINITE


def _spaced(tokens: list[Token], at: int) -> bool:
    return tokens[at].start > tokens[at - 1].end


def read_row(tokens: list[Token], at: int, *, parts: bool = False) -> Named | None:
    """Return the row that is named from token `at` on, or None.

    At most four words of description may stand before the noun. With `parts`, a part
    may stand behind it, as in "the mission description".
    """
    definite = indefinite = False
    described = 0
    for here in range(at, min(at + 8, len(tokens))):
        word = tokens[here].text
        # "à cette mission": a preposition, no article.
        if word == "a" and _is_definite(tokens, here + 1):
            return None
        found = _row_at(tokens, here)
        if found is not None and _compound(tokens, found[2]):
            found = None
        if found is not None:
            row, plural, end = found
            end = _part_end(tokens, end) if parts and not plural else end
            if not _stands_alone(tokens, end) or (plural and described):
                return None
            return Named(row, definite, plural, end, indefinite)
        if word in _DEFINITE and not described:
            definite = definite or not indefinite
        elif word in _INDEFINITE and not described:
            indefinite = True
        elif is_quotation(word):
            definite = definite or not indefinite
        elif word in _ADJECTIVES or word == "-":
            continue
        elif word in _NO_MODIFIER or word in _MACHINE or not word[0].isalnum():
            return None
        else:
            described += 1
            if described > 4 or "_" in word:
                return None
    return None


def _is_definite(tokens: list[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].text in _DEFINITE


def _compound(tokens: list[Token], end: int) -> bool:
    """Say whether another row follows at once, as in "the decision task"."""
    return end < len(tokens) and _row_at(tokens, end) is not None
