"""What follows an approval: attempts, the Mission, or the reason why there is none."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from decisions.models import AttentionRequest
from missions.models.mission import Mission


class MaterialisationState(models.TextChoices):
    """Erring is tried again by itself; blocked needs a person."""

    ERRING = "erring", _("Being tried again")
    BLOCKED = "blocked", _("Blocked")
    CREATED = "created", pgettext_lazy("Mission", "Created")


class Materialisation(models.Model):
    """The state of one approved request's way to its Mission.

    The approved request without a Mission is itself the outbox; this row is made at
    the first attempt. `next_try_at` is when the sweep may try again.
    """

    request = models.OneToOneField(
        AttentionRequest,
        models.PROTECT,
        primary_key=True,
        related_name="materialisation",
    )
    state = models.CharField(
        _("state"), max_length=16, choices=MaterialisationState.choices
    )
    mission = models.OneToOneField(
        Mission, models.PROTECT, null=True, related_name="materialisation"
    )
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    next_try_at = models.DateTimeField(null=True)
    error_code = models.CharField(max_length=60, blank=True)
    error_detail = models.CharField(max_length=500, blank=True)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("materialisation")
        verbose_name_plural = _("materialisations")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state="created", mission__isnull=False)
                | ~models.Q(state="created") & models.Q(mission__isnull=True),
                name="materialisation_created_has_mission",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request_id} {self.state}"
