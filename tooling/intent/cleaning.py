"""Masks what a person did not say themselves, and folds text for matching.

Every function here keeps the length of its text, so that positions found in the
result are positions in the original.
"""

from __future__ import annotations

import re
import unicodedata

# A verdict needs no more than this; it also bounds the time of every pattern.
MAX_JUDGED = 8_000

_FENCE = re.compile(r"^[ \t]{0,3}(```|~~~)")
_QUOTED_LINE = re.compile(r"^[ \t]{0,3}>")
_FORWARD = re.compile(
    r"^[ \t]*(?:-{2,}[ \t]*(?:original message|forwarded message"
    r"|message (?:d'origine|transfere|original))"
    r"|begin forwarded message|debut du message (?:transfere|reexpedie)"
    r"|(?:from|de)[ \t]?:[ \t]\S.{0,80}[@<]"
    r"|on [^\n]{4,100} wrote[ \t]?:[ \t]*$|le [^\n]{4,100} a ecrit[ \t]?:[ \t]*$)"
)
_INLINE_QUOTES = (
    re.compile(r"“[^“”]{0,2000}”"),
    re.compile(r"«[^«»]{0,2000}»"),
    re.compile(r'(?<=[:,])\s{0,9}"[^"]{1,2000}"'),
    re.compile(r'"[^"\n]{1,400}"'),
    re.compile(r"‘[^‘’\n]{1,200}’(?!\w)"),
    re.compile(r"(?<![\w'])'(?=\S)[^'\n]{1,200}(?:'\w[^'\n]{0,100}){0,3}'(?!\w)"),
    re.compile(r"`[^`\n]{1,400}`"),
)

_QUOTED_STOP = re.compile(r"[.!?…]\s?[\"”»'](?=\s)")


def _fold_table() -> dict[int, str]:
    table = {ord("’"): "'", ord("ʼ"): "'", ord("İ"): "i", 0xA0: " ", 0x202F: " "}
    for code in range(0xC0, 0x250):
        base = unicodedata.normalize("NFD", chr(code))
        if len(base) > 1 and code not in table:
            table[code] = base[0]
    return table


_FOLDS = _fold_table()


def fold(text: str) -> str:
    """Return `text` in lower case without accents, of the same length."""
    return text.translate(_FOLDS).lower()


def _blank(text: str) -> str:
    return " " * len(text)


def mask_reported(text: str) -> str:
    """Blank out fenced blocks, `>` lines and everything below a forwarding line."""
    kept: list[str] = []
    fence = ""
    forwarded = False
    for line in text.splitlines(keepends=True):
        body = line.rstrip("\r\n")
        ending = line[len(body) :]
        opened = _FENCE.match(body)
        hidden = forwarded or bool(fence) or bool(_QUOTED_LINE.match(body))
        if opened and not forwarded:
            hidden = True
            fence = "" if fence == opened[1] else fence or opened[1]
        elif not fence and _FORWARD.match(fold(body[:200])):
            forwarded = hidden = True
        kept.append((_blank(body) if hidden else body) + ending)
    return "".join(kept)


def mask_inline_quotes(text: str) -> str:
    """Replace what stands between quotation marks by a row of the letter q."""
    for pattern in _INLINE_QUOTES:
        text = pattern.sub(_quoted, text)
    return text


def _quoted(found: re.Match[str]) -> str:
    whole = found[0]
    body = whole.lstrip()
    return whole[: len(whole) - len(body)] + "q" * len(body)


def mask_for_splitting(text: str) -> str:
    """Mask quotations, save a full stop at their end, where a sentence may end."""
    masked = mask_inline_quotes(text)
    for stop in _QUOTED_STOP.finditer(text):
        start, end = stop.span()
        if masked[start:end] == "q" * (end - start):
            masked = masked[:start] + stop[0] + masked[end:]
    return masked
