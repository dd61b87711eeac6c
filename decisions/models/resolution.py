"""Resolutions: a human's choice on one revision."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decisions.models.request import MAX_OPTION_CHARS, AttentionRequest
from tooling.ids import new_id


class Resolution(models.Model):
    """The choice that won: append-only, one per request.

    `payload_hash` and `revision` are those of the page that the person decided on.
    `way` is how they came in: session, token or command.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    request = models.OneToOneField(
        AttentionRequest, models.PROTECT, related_name="resolution"
    )
    option = models.CharField(_("choice"), max_length=MAX_OPTION_CHARS)
    note = models.TextField(_("note"), blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    way = models.CharField(max_length=16)
    revision = models.PositiveSmallIntegerField()
    payload_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(_("decided"), default=timezone.now)

    class Meta:
        verbose_name = _("resolution")
        verbose_name_plural = _("resolutions")

    def __str__(self) -> str:
        return f"{self.option} on {self.request_id}"


class LateDecision(models.Model):
    """A choice that lost a race: kept with its note, never applied."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    request = models.ForeignKey(
        AttentionRequest, models.PROTECT, related_name="late_decisions"
    )
    option = models.CharField(max_length=MAX_OPTION_CHARS)
    note = models.TextField(blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("late decision")
        verbose_name_plural = _("late decisions")

    def __str__(self) -> str:
        return f"{self.option} on {self.request_id}"
