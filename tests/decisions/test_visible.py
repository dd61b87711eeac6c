from __future__ import annotations

import pytest

from decisions.templatetags.review import FOLD_AT, review_text, visible
from decisions.visible import has_hidden


@pytest.mark.lesson("H-21")
@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("pay \u202e0001 EUR", "U+202E"),
        ("zero\u200bwidth", "U+200B"),
        ("bom\ufeff", "U+FEFF"),
        ("soft\u00adhyphen", "U+00AD"),
        ("tag\U000e0041", "U+E0041"),
        ("line\u2028break", "U+2028"),
        ("filler\u3164", "U+3164"),
        ("escape\x1b[31m", "U+001B"),
    ],
)
def test_what_hides_is_shown(text: str, mark: str) -> None:
    assert has_hidden(text)
    assert has_hidden({"a": [{"b": text}]})
    assert has_hidden({text: 1})
    html = visible(text)
    assert f">{mark}</span>" in html
    assert text[-1] not in html or text[-1].isalnum() or text[-1] in "Rm"


def test_plain_text_is_escaped_and_left_alone() -> None:
    assert not has_hidden({"a": ["Été, naïve – “ok”\nnext\tline", 3, None, True]})
    assert visible("<b>&") == "&lt;b&gt;&amp;"
    assert visible("<b>\u202e").startswith("&lt;b&gt;<span")


@pytest.mark.lesson("H-21")
@pytest.mark.case("A17")
def test_a_long_text_is_whole_and_says_how_long_it_is() -> None:
    text = "x" * 6_000 + "\nbudget: 999999"
    html = review_text(text)
    assert f'data-fold="{len(text)}"' in html
    assert "budget: 999999" in html
    assert html.count("x") >= 6_000
    assert "data-fold" not in review_text("x" * FOLD_AT)
