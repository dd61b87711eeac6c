"""Characters that change how a text reads are shown; ordinary writing is left alone."""

from __future__ import annotations

import pytest

from tooling.visible import has_hidden, show_hidden


@pytest.mark.parametrize(
    "char",
    [
        *("\u202e", "\u2066", "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad"),
        *("\x1b", "\x07", "\u2028", "\U000e0041", "\u3164", "\u2800", "\U000e0100"),
    ],
)
def test_what_a_screen_would_hide_is_shown(char: str) -> None:
    html = show_hidden(f"a{char}b")
    assert char not in html
    assert f"U+{ord(char):04X}</span>b" in html


@pytest.mark.parametrize(
    "text",
    [
        "plain, with\nlines\tand tabs",
        "Crédit : 12\u202f000\u00a0€, « œuvre »",
        "👨‍👩‍👧 ❤️‍🔥 👩🏽‍💻 1️⃣",
        "می‌خواهم",
        "क्‍ष",
        "日本語 한국어 שלום العربية",
    ],
)
def test_ordinary_writing_is_left_alone(text: str) -> None:
    assert not has_hidden(text)
    assert show_hidden(text) == text


def test_joiners_out_of_place_are_shown() -> None:
    assert "U+200D" in show_hidden("pay\u200dpal")
    assert "U+200C" in show_hidden("a\u200cb")


def test_the_rest_is_escaped() -> None:
    mark = '<span class="escape" title="RIGHT-TO-LEFT OVERRIDE">U+202E</span>'
    assert show_hidden("<b>\u202e&") == f"&lt;b&gt;{mark}&amp;"


def test_line_ends_of_forms_are_plain_line_ends() -> None:
    assert show_hidden("a\r\nb") == "a\nb"
