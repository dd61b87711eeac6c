"""Example prompts for an empty list, in both languages, and what Tracks are for."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dialogue.models import Track

TRACK_HELP: dict[Track, str | Promise] = {
    Track.GOVERNANCE: _("Rules, rights, risk, and who decides what."),
    Track.RESEARCH: _("Questions, sources, findings and open doubts."),
    Track.PLANNING: _("Goals, order, owners, dates and what depends on what."),
    Track.BUILD: _("Features and changes, and how they are checked."),
}


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt that starts a conversation with one click."""

    language: str
    track: Track
    text: str


# Not translated: each starts a conversation in its own language.
EXAMPLES = (
    Example(
        "en",
        Track.BUILD,
        "We need a weekly report of late deliveries for the warehouse leads, with a "
        "warning when a supplier is late three times.",
    ),
    Example("en", Track.PLANNING, "What is waiting for a decision right now?"),
    Example(
        "en",
        Track.GOVERNANCE,
        "We should log every change of access rights and send the security team a "
        "monthly summary.",
    ),
    Example(
        "fr",
        Track.BUILD,
        "Il nous faut un rapport hebdomadaire des livraisons en retard pour les "
        "chefs d’entrepôt, avec une alerte quand un fournisseur a trois retards.",
    ),
    Example("fr", Track.PLANNING, "Qu’est-ce qui attend une décision en ce moment ?"),
    Example(
        "fr",
        Track.GOVERNANCE,
        "Nous devrions journaliser chaque changement de droits d’accès et envoyer un "
        "résumé mensuel à l’équipe sécurité.",
    ),
)


def examples_for(language: str) -> list[Example]:
    """Return the examples, those in the reader's language first."""
    return sorted(EXAMPLES, key=lambda example: example.language != language)
