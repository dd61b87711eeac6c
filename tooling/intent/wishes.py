"""Labels a sentence that is no order on a row: wish, question or neither."""

from __future__ import annotations

from tooling.intent import frames
from tooling.intent.lexicon import (
    EN_ACTS,
    EN_NOUN_TOO,
    FEATURE_NOUNS,
    FR_ACTS,
    FR_NOUN_TOO,
)
from tooling.intent.types import IntentLabel

_DETERMINERS = frozenset(
    """a an the our all every each any some this that these those my your their its new
    un une des le la les l notre nos tout toute tous toutes chaque ce cet cette ces mon
    ma mes son sa ses leur leurs du de d deux trois two three""".split()
)
_FR_ARTICLES = frozenset("le la les l un une ce cet cette ces nos notre mes".split())
# After these a leading word such as "export" is a noun.
_NOUN_SIGNS = frozenset(
    """of is are was were does doesn't has have isn't should must needs need can can't
    could fails fail takes keeps crashes request requests wrong please pls
    de d du des est sont ne n doit devrait ont""".split()
)
_NOT_FRAGMENT = frozenset(
    """could can would why how where when if after on before comment
    thanks merci the this that ce cette it i we you our my je nous notre le la les
    here voici ca c il elle j there""".split()
)
_VERBS_OF_BEING = frozenset("is are was were has had est sont etait y".split())
_NO_ORDER_AFTER = frozenset(
    """to we i you they he she it who that which and or can could will would must should
    may might do does did not the a an our all each every people users""".split()
)
_MAX_FRAGMENT_WORDS = 24


def strip_leads(folded: str) -> str:
    """Return `folded` without greetings, connectives and courtesy at its start."""
    for _ in range(5):
        lead = frames.LEAD.match(folded)
        if lead is None or lead.end() >= len(folded):
            return folded
        folded = folded[lead.end() :]
    return folded


def is_imperative(folded: str) -> bool:
    """Say whether `folded` begins with a verb of acting in the imperative."""
    words = frames.WORD.findall(folded[:80])
    if not words:
        return False
    if (
        words[0].endswith("ly")
        and words[0] not in EN_ACTS
        and len(words) > 2
        and words[1] in EN_ACTS
    ):
        words = words[1:]
        folded = folded[folded.index(words[0]) :]
    first, second = words[0], words[1] if len(words) > 1 else ""
    if folded[len(first) : len(first) + 1] == "-" and "-" in folded[:24]:
        first = first if first in FR_ACTS else ""
    if first in EN_ACTS:
        if first not in EN_NOUN_TOO:
            return bool(second)
        return bool(second) and second not in _NOUN_SIGNS
    if first in FR_ACTS and second:
        return first not in FR_NOUN_TOO or second in _FR_ARTICLES
    order = frames.ORDER_FR.match(folded) or frames.ORDER_EN.match(folded)
    return order is not None and not folded.endswith("?")


def is_fragment(folded: str) -> bool:
    """Say whether `folded` is a bare noun phrase that names something to have."""
    words = frames.WORD.findall(folded[:200])
    if not 1 <= len(words) <= _MAX_FRAGMENT_WORDS or folded.endswith("?"):
        return False
    return any(word in FEATURE_NOUNS for word in words) and not (
        not _VERBS_OF_BEING.isdisjoint(words)
        or frames.REPORT.match(folded)
        or words[0] in _NOT_FRAGMENT
    )


def _asks_for_change(piece: str) -> bool:
    if frames.MUSING.match(piece) or frames.HEDGE.search(piece):
        return False
    return bool(
        frames.NEED.match(piece)
        or frames.NEED_FR.match(piece)
        or is_imperative(piece)
        or frames.MODAL.match(piece)
        or frames.COMPLAINT.match(piece)
    )


def _label_opening(piece: str) -> IntentLabel | None:
    able = frames.ASK_ABLE.match(piece)
    if able is not None:
        rest = piece[able.end() :]
        if frames.DISPOSE.match(rest):
            return IntentLabel.OTHER
        reads = frames.READ.match(rest)
        return IntentLabel.QUESTION if reads else IntentLabel.FEATURE_REQUEST
    if frames.DISPOSE.match(piece):
        return IntentLabel.OTHER
    exclaimed = piece.endswith("!") and "?" not in piece
    if frames.READ.match(piece) or (frames.QUESTION.match(piece) and not exclaimed):
        return IntentLabel.QUESTION
    return None


def label_wish(folded: str, *, loose: bool = True) -> IntentLabel:
    """Return the label of one folded sentence without bullet and leads.

    A `loose` reading also takes complaints and rules that bear no word of wishing.
    """
    if frames.NEGATED.match(folded):
        wish = frames.NEGATED_WISH.match(folded) and not frames.SOCIAL.match(folded)
        return IntentLabel.FEATURE_REQUEST if wish else IntentLabel.OTHER
    opening = _label_opening(folded)
    asked_later = _later_piece_asks(folded)
    if opening is not None:
        conditional = folded.startswith(
            ("when ", "quand ", "where ")
        ) and not folded.endswith("?")
        rest = folded.partition(", ")[2]
        if conditional and (asked_later or frames.COMPLAINT.match(rest)):
            return IntentLabel.FEATURE_REQUEST
        if opening is IntentLabel.QUESTION and (
            _is_wish_question(folded) or frames.CONDITIONAL_NEED.match(folded)
        ):
            return IntentLabel.FEATURE_REQUEST
        return opening
    said = frames.REASON.sub("", folded)
    if frames.HEDGE.search(said) or frames.REPORT.match(said):
        return IntentLabel.OTHER
    if _asks_for_change(said) or asked_later:
        return IntentLabel.FEATURE_REQUEST
    if folded.endswith("?"):
        return IntentLabel.QUESTION
    wish = frames.POLITE_END.match(folded) is not None and len(folded.split()) > 1
    wish = wish or frames.WISH_WITHIN.search(said) is not None or placed_order(said)
    wish = wish or (loose and frames.HOLDS_WITHIN.search(said) is not None)
    if (wish or is_fragment(folded)) and not frames.MUSING.match(folded):
        return IntentLabel.FEATURE_REQUEST
    return IntentLabel.OTHER


def placed_order(folded: str) -> bool:
    """Say whether an order follows a time, a place or a condition without a comma."""
    if not frames.PLACED.match(folded):
        return False
    words = frames.WORD.findall(folded[:300])
    return any(
        verb in EN_ACTS and before not in _NO_ORDER_AFTER and after in _DETERMINERS
        for before, verb, after in zip(words[1:], words[2:], words[3:], strict=False)
    )


def _is_wish_question(folded: str) -> bool:
    return (
        "what would it take" in folded or frames.WISH_QUESTION.match(folded) is not None
    )


def _later_piece_asks(folded: str) -> bool:
    past = frames.PAST.match(folded) is not None
    if frames.MUSING.match(folded) and not past and ":" not in folded:
        return False
    for piece in frames.PIECE.split(folded)[1:8]:
        stripped = strip_leads(piece)
        if frames.NEGATED.match(stripped) or frames.QUESTION.match(stripped):
            continue
        if frames.ASK_ABLE.match(stripped) or frames.DISPOSE.match(stripped):
            continue
        if (
            frames.NEED.match(stripped)
            or frames.NEED_FR.match(stripped)
            or frames.MODAL.match(stripped)
            or is_imperative(stripped)
        ) and not (frames.MUSING.match(stripped) or frames.HEDGE.search(stripped)):
            return True
    return False
