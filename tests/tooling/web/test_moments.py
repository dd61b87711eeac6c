"""How long ago something was, in both languages."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.utils import translation

from tooling.templatetags.moments import ago

NOW = dt.datetime(2026, 5, 4, 9, 30, tzinfo=dt.UTC)


@pytest.mark.promise("L5")
@pytest.mark.parametrize(
    ("before", "english", "french"),
    [
        (dt.timedelta(seconds=59), "just now", "à l’instant"),
        (dt.timedelta(minutes=1), "1\u00a0minute ago", "il y a 1\u00a0minute"),
        (dt.timedelta(hours=5, minutes=9), "5\u00a0hours ago", "il y a 5\u00a0heures"),
    ],
)
def test_ago_is_told_in_the_largest_unit(
    before: dt.timedelta, english: str, french: str
) -> None:
    with time_machine.travel(NOW, tick=False):
        with translation.override("en"):
            assert ago(NOW - before) == english
        with translation.override("fr"):
            assert ago(NOW - before) == french
