"""missions: approved work, workflow drafts, suggestions, the materialiser."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from tooling.append_only import Guard, guard


class MissionsConfig(AppConfig):
    """Registers guards, the proposal kind, cards and receivers."""

    name = "missions"
    verbose_name = _("Missions")

    def ready(self) -> None:
        """Register what must not change."""
        guard(Guard("missions_workflowversion", "rows"))
