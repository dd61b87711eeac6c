"""dialogue: conversations, turns, the agent loop, chat pages."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from tooling.append_only import Guard, guard


class DialogueConfig(AppConfig):
    """Registers the database guards of messages and the journal."""

    name = "dialogue"
    verbose_name = _("Conversations")

    def ready(self) -> None:
        """Register what must not change."""
        guard(
            Guard("dialogue_conversationmessage", "rows"),
            Guard("dialogue_event", "rows"),
        )
