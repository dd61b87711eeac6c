"""Make visible what a screen would hide: characters that change how a text reads.

Direction marks, zero-width and other format characters, controls, odd separators,
tag characters and invisible fillers become marked escapes. Joiners stay where they
shape what is read: between emoji, and between letters of scripts that join.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

# Cc controls, Cf format (bidi, zero-width, tags), Co private, Cs surrogate,
# Zl and Zp separators.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_PLAIN = frozenset("\n\t")
# Letters and marks that draw nothing: Hangul fillers, the Braille blank, the
# combining grapheme joiner, Khmer and Mongolian invisibles.
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0"
)
_SELECTORS = (0xE0100, 0xE01EF)
_JOINERS = frozenset("\u200c\u200d")
_EMOJI_MARKS = frozenset("\ufe0f\u20e3")
# Arabic and its kin, Indic and South-East Asian scripts: joiners are spelling there.
_JOINING = ((0x0600, 0x08FF), (0x0900, 0x0DFF), (0x1000, 0x109F), (0x1780, 0x18AF))


def is_hidden(char: str) -> bool:
    """Tell whether a reader would not see this character for what it is."""
    if char in _PLAIN:
        return False
    if char in _INVISIBLE or unicodedata.category(char) in _HIDDEN_CATEGORIES:
        return True
    return _SELECTORS[0] <= ord(char) <= _SELECTORS[1]


def has_hidden(text: str) -> bool:
    """Tell whether `show_hidden` would mark something."""
    if text.isascii() and text.isprintable():
        return False
    return any(_hidden_at(text, index) for index in range(len(text)))


def show_hidden(text: str) -> SafeString:
    """Return HTML of plain text, hidden characters as `<span class="escape">`."""
    text = text.replace("\r\n", "\n")
    if not has_hidden(text):
        return SafeString(escape(text))
    # Every part is escaped or made by format_html.
    return mark_safe("".join(_parts(text)))  # noqa: S308


def _parts(text: str) -> Iterator[str]:
    start = 0
    for index, char in enumerate(text):
        if _hidden_at(text, index):
            yield escape(text[start:index])
            yield format_html(
                '<span class="escape" title="{}">U+{}</span>',
                unicodedata.name(char, "CONTROL"),
                f"{ord(char):04X}",
            )
            start = index + 1
    yield escape(text[start:])


def _hidden_at(text: str, index: int) -> bool:
    char = text[index]
    if not is_hidden(char):
        return False
    return char not in _JOINERS or not _joins(text, index)


def _joins(text: str, index: int) -> bool:
    if index == 0 or index + 1 >= len(text):
        return False
    before, after = text[index - 1], text[index + 1]
    if _is_joining(before) and _is_joining(after):
        return True
    pictures = _is_picture(before) and _is_picture(after)
    return text[index] == "\u200d" and pictures


def _is_joining(char: str) -> bool:
    code = ord(char)
    if unicodedata.category(char) not in {"Lo", "Mn", "Mc"}:
        return False
    return any(low <= code <= high for low, high in _JOINING)


def _is_picture(char: str) -> bool:
    # So are the skin tones (Sk) that an emoji sequence may hold.
    return char in _EMOJI_MARKS or unicodedata.category(char) in {"So", "Sk"}
