"""tooling: tenants and features; tools, tiers, intent, the gate; the LLM layer."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext_lazy as _

from tooling import append_only, registry


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
