"""What a tool may do, and the names that no model may ever call."""

from __future__ import annotations

import unicodedata

from django.db import models
from django.utils.translation import gettext_lazy as _


class Tier(models.TextChoices):
    """A tool's tier follows from its effect, never from its name's look."""

    READ = "read", _("Read")
    WRITE = "write", _("Write")
    PROPOSE = "propose", _("Propose")


class Basis(models.TextChoices):
    """By what a write may run: somebody asked, gave leave, or ran it by hand."""

    INTENT = "intent", _("Asked for")
    GRANT = "grant", _("By a grant")
    RUN_ONCE = "run_once", _("Run once, by hand")


# Verbs that settle a human-gated item. Out in every tier and setting, by the shape
# of the name, so that one registered tomorrow is out with no further code.
DISPOSE_VERBS = frozenset(
    {
        *("approve", "reject", "respond", "promote"),
        *("resolve", "decide", "dispose", "publish", "grant"),
    }
)


def fold_name(name: str) -> str:
    """Return the form in which two names that look alike are equal."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def is_dispose_name(name: str) -> bool:
    """Tell whether the last word of a tool's name is a dispose verb."""
    words = "".join(c if c.isalnum() else " " for c in fold_name(name)).split()
    return bool(words) and words[-1] in DISPOSE_VERBS
