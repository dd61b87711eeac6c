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
    """Registers the database guards of the queue, and its faces."""

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
        self._register_faces()

    def _register_faces(self) -> None:
        """Register the queue's card, its rows in a chat's trace, badge and sweep."""
        from decisions.cards import load_proposals, spawned_requests
        from decisions.kinds import register_subject
        from decisions.questions import QUESTION
        from decisions.selectors import waiting_count
        from decisions.services.closing import expire_requests
        from decisions.services.telling import CARD
        from dialogue.cards import register_card
        from dialogue.spawned import register_spawned
        from tooling.sweeps import register_sweep
        from tooling.web.nav import register_badge

        register_subject(QUESTION)
        register_card(
            CARD, template="decisions/cards/proposal.html", load=load_proposals
        )
        register_spawned("request", spawned_requests)
        register_badge("decisions", waiting_count)
        register_sweep("requests-expired", expire_requests)
