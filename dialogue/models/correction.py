"""What a person says that the judge should have read in their message."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from dialogue.models.turn import Turn
from tooling.ids import new_id
from tooling.intent.types import IntentLabel
from tooling.models import Tenant


class IntentCorrection(models.Model):
    """A person's reading of a turn's message beside the judge's: append-only.

    For those who improve the judge. Nothing that runs reads it: it gives no right,
    takes none back and changes nothing that ran.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+")
    turn = models.ForeignKey(Turn, models.PROTECT, related_name="+")
    judged = models.CharField(max_length=24, blank=True)
    label = models.CharField(max_length=24)
    corrected_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("corrected reading")
        verbose_name_plural = _("corrected readings")
        constraints = [
            models.CheckConstraint(
                condition=Q(label__in=[label.value for label in IntentLabel]),
                name="correction_label_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judged} -> {self.label}"
