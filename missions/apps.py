"""missions: approved work, workflow drafts, suggestions, the materialiser."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy as _

from tooling.append_only import Guard, guard


class MissionsConfig(AppConfig):
    """Registers guards, the proposal kind, cards and receivers."""

    name = "missions"
    verbose_name = _("Missions")

    def ready(self) -> None:
        """Register what must not change, and what the apps below are to know."""
        guard(Guard("missions_workflowversion", "rows"))
        self._follow_approvals()
        self._register_faces()

    def _register_faces(self) -> None:
        """Register cards, traces and the hooks of turns."""
        # Models are not loaded when this module is.
        from missions.registration import register_everything

        register_everything()

    def _follow_approvals(self) -> None:
        """Register the proposal kind, and what an approval leads to."""
        from decisions.kinds import register_subject
        from decisions.models import Resolution
        from missions.receivers import on_resolution_saved
        from missions.services.aftermath import aftermaths_of
        from missions.services.drafts import follow_edit
        from missions.services.materialising import (
            retry_materialisation,
            sweep_materialisations,
        )
        from missions.subject import mission_subject
        from tooling.sweeps import register_sweep

        register_subject(
            mission_subject(
                aftermaths=aftermaths_of,
                retry=retry_materialisation,
                on_edited=follow_edit,
                editable=("mission",),
            )
        )
        post_save.connect(
            on_resolution_saved, sender=Resolution, dispatch_uid="missions.materialise"
        )
        register_sweep("materialisations", sweep_materialisations)
