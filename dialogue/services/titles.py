"""Automatic titles: the beginning of what the person said, in their own words."""

from __future__ import annotations

import re

_MAX = 70
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s")


def title_from(text: str) -> str:
    """Return a title of at most 70 characters, cut at a word."""
    line = next((part.strip() for part in text.splitlines() if part.strip()), "")
    line = " ".join(line[:400].lstrip("#>*- \t").split())
    sentence = _SENTENCE_END.split(line, maxsplit=1)[0].rstrip(".!… ")
    if len(sentence) <= _MAX:
        return sentence
    cut = sentence[: _MAX - 1]
    head, _space, _tail = cut.rpartition(" ")
    return (head if len(head) > _MAX // 2 else cut).rstrip(",;: ") + "…"
