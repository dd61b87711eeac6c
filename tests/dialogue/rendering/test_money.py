"""Amounts never read as nothing when they are something."""

from __future__ import annotations

import pytest
from django.utils import translation

from dialogue.rendering.money import format_money


@pytest.mark.promise("D32")
@pytest.mark.parametrize(
    ("nano", "shown"),
    [
        (0, "$0.00"),
        (1, "$0.000000001"),
        (123_456, "$0.000123"),
        (9_987_600, "$0.00999"),
        (12_365_678, "$0.0124"),
        (1_500_000_000, "$1.50"),
        (123_456_000_000, "$123.46"),
    ],
)
def test_amounts_keep_their_figures(nano: int, shown: str) -> None:
    with translation.override("en"):
        assert format_money(nano) == shown


def test_french_amounts_have_a_comma() -> None:
    with translation.override("fr"):
        assert "1,50" in format_money(1_500_000_000)
