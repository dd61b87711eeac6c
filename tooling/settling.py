"""What a model's arguments may never name: a status, a resolution, an approval.

Tools that change rows take these arguments; the words are looked for at any depth
and in any spelling before a single field is read, so nothing is done by halves.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from pydantic import model_validator

from tooling.errors import NotAllowed
from tooling.registry import ToolArguments
from tooling.tiers import DISPOSE_VERBS

SETTLING_WORDS = DISPOSE_VERBS | {
    *("status", "statuses", "state", "states", "outcome", "outcomes", "verdict"),
    *("approved", "approval", "approvals", "rejected", "rejection", "cancelled"),
    *("resolution", "resolutions", "resolved", "decided", "decision", "decisions"),
    *("settle", "settled", "published", "promoted", "responded", "granted"),
}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")


class SettlingRefused(NotAllowed):
    """Arguments that would settle something; the whole call is refused."""

    code = "settling_refused"
    message = _(
        "A conversation can set no status and settle nothing. A person does that on "
        "the page of the item. Nothing was changed."
    )


def is_settling(name: str) -> bool:
    """Tell whether a field's name has a word for a status or a settlement in it."""
    spaced = _HUMP.sub(" ", unicodedata.normalize("NFKC", name))
    return any(word in SETTLING_WORDS for word in _WORD.findall(spaced.casefold()))


def settling_fields(value: Any, *, own: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the names in arguments, at any depth, that would settle something.

    `own` are fields of the tool itself, spelled exactly so and at the top alone.
    """
    ahead: list[tuple[Any, bool]] = [(value, True)]
    while ahead:
        node, is_top = ahead.pop()
        if isinstance(node, dict):
            for key, item in node.items():
                if is_settling(str(key)) and not (is_top and key in own):
                    yield str(key)
                ahead.append((item, False))
        elif isinstance(node, list):
            ahead.extend((item, False) for item in node)


class ChangeArguments(ToolArguments):
    """Base of the arguments of tools that change rows."""

    own_fields: ClassVar[frozenset[str]] = frozenset()

    @model_validator(mode="before")
    @classmethod
    def _settles_nothing(cls, value: Any) -> Any:
        found = next(settling_fields(value, own=cls.own_fields), None)
        if found is not None:
            raise SettlingRefused(field=found[:120])
        return value
