"""tooling: tenants and features; tools, tiers, intent, the gate; the LLM layer."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _

from tooling import append_only, registry

# What a judged call said and did; that its card was put aside is no part of it.
JUDGED = (
    *("tenant_id", "conversation_id", "turn_id", "attempt", "human_message_id"),
    *("name", "tier", "arguments", "arguments_hash", "verdict", "gate", "state"),
    *("once_key", "result", "basis", "grant_id", "held_call_id", "person_id"),
    *("started_at", "ended_at"),
)
TERMS = (
    *("tenant_id", "conversation_id", "tools", "given_by_id", "given_at"),
    *("expires_at", "uses_max"),
)


class ToolingConfig(AppConfig):
    """Registers guards and finds every app's tools."""

    name = "tooling"
    verbose_name = _("Teams and tools")

    def ready(self) -> None:
        """Connect the database guards and discover tools."""
        autodiscover_modules("checks")
        connection_created.connect(append_only.on_connection)
        post_migrate.connect(append_only.on_migrated)
        append_only.guard(
            append_only.Guard("tooling_auditentry", "rows"),
            append_only.Guard("tooling_modelcall", "rows"),
            append_only.Guard("tooling_promptpart", "rows", delete=False),
            append_only.Guard("tooling_toolcall", "verdict", columns=JUDGED),
            append_only.Guard("tooling_sessiongrant", "terms", columns=TERMS),
            append_only.Guard(
                "tooling_sessiongrant",
                "ended",
                delete=False,
                when="OLD.revoked_at IS NOT NULL",
            ),
        )
        registry.autodiscover()
        self._register_sweeps()
        self._connect_pages()

    @staticmethod
    def _register_sweeps() -> None:
        # These import models, which exist only now.
        from tooling.services.idempotency import forget_keys
        from tooling.sweeps import register_sweep

        register_sweep("idempotency", forget_keys)

    @staticmethod
    def _connect_pages() -> None:
        # These import models, which exist only now.
        from allauth.mfa.signals import authenticator_added

        from tooling.web.second_factor import on_authenticator_added

        authenticator_added.connect(on_authenticator_added)
