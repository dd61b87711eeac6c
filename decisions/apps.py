"""decisions: the Decisions queue."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from tooling.append_only import Guard, guard

# What a revision says and where it came from never changes once it is raised.
FROZEN = (
    *("kind", "subject", "proposal_id", "revision", "revises_id", "title"),
    *("payload", "payload_hash", "options", "tenant_id", "maker_kind"),
    *("requested_by_id", "origin_conversation", "origin_message", "origin_turn"),
)


class DecisionsConfig(AppConfig):
    """Registers the database guards of the queue."""

    name = "decisions"
    verbose_name = _("Decisions")

    def ready(self) -> None:
        """Register what must not change."""
        request = "decisions_attentionrequest"
        guard(
            Guard(request, "closed", delete=False, when="OLD.state <> 'open'"),
            Guard(request, "content", columns=FROZEN),
            Guard("decisions_resolution", "rows"),
            Guard("decisions_latedecision", "rows"),
        )
