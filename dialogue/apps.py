"""dialogue: conversations, turns, the agent loop, chat pages."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from tooling.append_only import Guard, guard
from tooling.sweeps import register_sweep


class DialogueConfig(AppConfig):
    """Registers the database guards of messages and the journal."""

    name = "dialogue"
    verbose_name = _("Conversations")

    def ready(self) -> None:
        """Register what must not change."""
        guard(
            Guard("dialogue_conversationmessage", "rows"),
            Guard("dialogue_event", "rows"),
            Guard("dialogue_intentcorrection", "rows"),
        )
        from dialogue import call_sites  # noqa: F401 -- registers them
        from dialogue.turns import worker  # noqa: F401 -- hears Celery
        from dialogue.turns.recovery import interrupt_lost_turns

        register_sweep("turns", interrupt_lost_turns)
        self._register_cards()

    @staticmethod
    def _register_cards() -> None:
        # These import models, which exist only now.
        from dialogue.action_cards import load_action_cards
        from dialogue.cards import register_card
        from dialogue.held import CARD

        register_card(
            CARD, template="dialogue/cards/action.html", load=load_action_cards
        )
