"""The few words of its own that the planner puts before a person's words.

Together with "should" for "to" and "can" for "could" or "want to" they are all that a
proposal holds beside quotations.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Labels:
    """What stands before a quoted piece, by what the piece is."""

    set_up: str
    in_place: str
    done: str
    as_asked: str
    ensure: str
    deal: str
    dealt: str
    change: str
    check: str


_EN = Labels(
    set_up="Set up {}",
    in_place="In place: {}",
    done="Done: {}",
    as_asked="As asked: {}",
    ensure="Ensure: {}",
    deal="Deal with: {}",
    dealt="Dealt with: {}",
    change="Change requested: {}",
    check="Check against the acceptance criteria",
)
_FR = Labels(
    set_up="Mettre en place {}",
    in_place="En place\u00a0: {}",
    done="Fait\u00a0: {}",
    as_asked="Comme demandé\u00a0: {}",
    ensure="À garantir\u00a0: {}",
    deal="À traiter\u00a0: {}",
    dealt="Traité\u00a0: {}",
    change="Modification demandée\u00a0: {}",
    check="Vérifier selon les critères d’acceptation",
)


def labels_for(language: str) -> Labels:
    """Return the labels of a language code."""
    return _FR if language == "fr" else _EN
