"""What follows the row of an order: words about the order, and the row's content."""

from __future__ import annotations

from tooling.intent import classes, cues
from tooling.intent.words import QUOTE

_LIMITS = frozenset(
    """but mais if si unless sauf only seulement or ou not pas though however
    once""".split()
)
_NAMING = frozenset(
    """called named titled entitled intitulee intitule nommee nomme appelee
    appele""".split()
)
_BOUNDS = frozenset("before avant after apres until".split())


def without_polite_if(texts: list[str]) -> list[str]:
    """Return the words without conditions that are mere politeness."""
    kept, place = [], 0
    while place < len(texts):
        size = classes.NOT_REALLY_IF.at(texts, place)
        if size:
            place += size
            continue
        kept.append(texts[place])
        place += 1
    return kept


def scope_and_content(texts: list[str], end: int) -> tuple[list[str], list[str]]:
    """Part what follows the row into words about the order and the row's content."""
    place = end
    while place < len(texts):
        if texts[place] == ":":
            return [*texts[end:place], *_limit(texts[place:])], []
        if texts[place] != QUOTE and classes.CONTENT.at(texts, place):
            return _closed(texts, end, place)
        place += 1
    return texts[end:], []


def _limit(content: list[str]) -> list[str]:
    """Return a last piece that limits the order: "…: the lease, but not now"."""
    for mark in range(len(content) - 1, 0, -1):
        if content[mark] in {",", "-", "("} and len(content) - mark <= 7:
            last = content[mark + 1 :]
            return last if last and last[0] in _LIMITS else []
    return []


def _closed(texts: list[str], end: int, place: int) -> tuple[list[str], list[str]]:
    content = texts[place:]
    if ":" in content:
        content = content[: content.index(":")]
    scope = texts[end:place]
    for mark in range(len(content) - 1, 0, -1):
        # "…, Paul said", "…, or not?": a short last piece is about the order again.
        if content[mark] in {",", "-", "("} and len(content) - mark <= 7:
            last = content[mark + 1 :]
            # "…, to be done before May" is about the row.
            last = [t for n, t in enumerate(last) if not (n and t in _BOUNDS)]
            return [*scope, ",", *last], content[:mark]
    return scope, content


def _named_for_later(content: list[str]) -> bool:
    """Say whether a time or a condition follows a name: "called Port, next week"."""
    if content[:1] == [] or content[0] not in _NAMING:
        return False
    for place in range(2, len(content)):
        if cues.CONDITION.at(content, place):
            return True
        later = cues.LATER.at(content, place)
        if later and place + later == len(content):
            return True
    return False


def conditional_content(content: list[str]) -> bool:
    """Say whether a condition within the content is one on the order."""
    if _named_for_later(content):
        return True
    infinitive = content[:1] in (["to"], ["pour"], ["afin"], ["de"], ["d'"])
    place = 0
    if cues.LATER.at(content, 0) or cues.SUPPOSE.at(content, 0):
        return True
    while place < len(content):
        size = cues.CONDITION.at(content, place)
        if size and content[place] not in cues.SOFT_CONDITION:
            before = content[place - 1] if place else ""
            if before not in classes.INQUIRY:
                return True
        elif (
            size and content[place] in {"when", "whenever", "quand"} and not infinitive
        ):
            return True
        place += max(size, 1)
    return False
