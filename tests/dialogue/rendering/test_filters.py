"""Filters of the chat pages."""

from __future__ import annotations

import pytest
from django.utils import translation

from dialogue.templatetags.dialogue_chat import grouped


@pytest.mark.promise("L5")
@pytest.mark.parametrize(
    ("language", "number", "shown"),
    [("en", 1234567, "1,234,567"), ("fr", 1234567, "1\u00a0234\u00a0567")],
)
def test_thousands_stand_apart(language: str, number: int, shown: str) -> None:
    with translation.override(language):
        assert grouped(number) == shown
        assert grouped(999) == "999"
