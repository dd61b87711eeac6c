"""Make visible what a screen would hide: characters that can change how text reads.

Direction marks, zero-width and other format characters, controls, odd separators,
tag characters and invisible fillers. A person who decides sees them as escapes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

# Cc controls, Cf format (bidi, zero-width, tags), Co private, Cs surrogate,
# Zl and Zp separators.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_PLAIN = frozenset("\n\t")
# Letters and marks that draw nothing: Hangul fillers, the Braille blank, the
# combining grapheme joiner, Khmer and Mongolian invisibles.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164")
_INVISIBLE_RANGES = ((0xFFA0, 0xFFA0), (0xFFF9, 0xFFFB), (0xE0100, 0xE01EF))


def is_hidden(char: str) -> bool:
    """Tell whether a reader would not see this character for what it is."""
    if char in _PLAIN:
        return False
    if char < "\u0100":
        return unicodedata.category(char) in _HIDDEN_CATEGORIES
    code = ord(char)
    return (
        char in _INVISIBLE
        or unicodedata.category(char) in _HIDDEN_CATEGORIES
        or any(low <= code <= high for low, high in _INVISIBLE_RANGES)
    )


def has_hidden(value: Any) -> bool:
    """Tell whether a text, or any text or key within plain JSON, hides something."""
    if isinstance(value, str):
        return any(is_hidden(char) for char in value)
    if isinstance(value, dict):
        return any(has_hidden(key) or has_hidden(item) for key, item in value.items())
    if isinstance(value, list):
        return any(has_hidden(item) for item in value)
    return False


def show_hidden(text: str) -> SafeString:
    """Return HTML of plain text with hidden characters as marked escapes."""
    if not has_hidden(text):
        return escape(text)
    # Every part is escaped or made by format_html.
    return mark_safe("".join(_parts(text.replace("\r\n", "\n"))))  # noqa: S308


def _parts(text: str) -> Iterator[str]:
    plain: list[str] = []
    for char in text:
        if is_hidden(char):
            yield escape("".join(plain))
            plain = []
            yield format_html(
                '<span class="escape" title="{}">U+{}</span>',
                unicodedata.name(char, "CONTROL"),
                f"{ord(char):04X}",
            )
        else:
            plain.append(char)
    yield escape("".join(plain))
