"""Tells English from French by their small words."""

from __future__ import annotations

from tooling.intent.cleaning import mask_inline_quotes, mask_reported
from tooling.intent.lexicon import EN_ACTS, FR_ACTS
from tooling.llm.planner.stems import words_of

_EN = frozenset(
    """the of and to we i you our my your with for when it that is are be this from by
    need needs should would could please have has not do does what which who why how
    where there at an on in or but its if as us their them than too can must every each
    so
    was were into only want let show still hello hi thanks make add build
    another about after before no any""".split()
)
_FR = frozenset(
    """le la les un une des du de et nous je vous tu il elle notre nos mon ma mes
    votre vos avec pour quand que qui est sont ce cette ces dans sur par ne pas faut
    besoin serait voudrais aimerais il y en au aux ou mais donc quel quelle quels
    quelles combien pourquoi comment chaque tous toutes plus merci bonjour salut si se
    leur leurs sans vers depuis peut peux doit doivent etre avoir svp stp l d j qu c n
    trop afin encore aussi tout toute ca""".split()
)
_ACCENTED = frozenset("éèêàùçîôœûâëï«»")


def detect_language(text: str, fallback: str = "en") -> str:
    """Return "en" or "fr" for `text`; `fallback` where its words do not tell."""
    own = mask_inline_quotes(mask_reported(text[:6_000]))
    words = words_of(own)
    english = sum(w in _EN for w in words)
    french = sum(w in _FR for w in words)
    if words and english == french:
        english += words[0] in EN_ACTS and words[0] not in FR_ACTS
        french += words[0] in FR_ACTS and words[0] not in EN_ACTS
        french += any(mark in _ACCENTED for mark in own.lower())
    if english != french:
        return "fr" if french > english else "en"
    return "fr" if fallback.lower().startswith("fr") else "en"
