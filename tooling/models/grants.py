"""Grants: a person's leave for named tools in one conversation, bounded twice."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tooling.ids import new_id
from tooling.models.people import Tenant

MAX_USES = 50
MIN_MINUTES = 1
MAX_MINUTES = 8 * 60


class GrantEnd(models.TextChoices):
    """What ended a grant before its time and its uses did."""

    REVOKED = "revoked", pgettext_lazy("grant", "Revoked")
    COMPLETED = "completed", _("Ended with the conversation")


class SessionGrant(models.Model):
    """Leave for `tools` in one conversation: until `expires_at`, `uses_max` times.

    Its terms never change. What moves is `uses_left`, in the transaction of the
    write that a use pays for, and its end, once. The conversation is a plain key: it
    is no other than the one in which the grant was given, so a branch has none.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+")
    conversation_id = models.UUIDField(db_index=True)
    tools = models.JSONField(default=list)
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    given_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    uses_max = models.PositiveSmallIntegerField()
    uses_left = models.PositiveSmallIntegerField()
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    end = models.CharField(max_length=16, choices=GrantEnd.choices, blank=True)

    class Meta:
        verbose_name = _("grant")
        verbose_name_plural = _("grants")
        constraints = [
            models.CheckConstraint(
                condition=Q(uses_max__gte=1, uses_max__lte=MAX_USES),
                name="grant_uses_bounded",
            ),
            models.CheckConstraint(
                condition=Q(uses_left__gte=0, uses_left__lte=F("uses_max")),
                name="grant_uses_left",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("given_at")), name="grant_expires"
            ),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True, revoked_by__isnull=True, end="")
                | Q(
                    revoked_at__isnull=False,
                    revoked_by__isnull=False,
                    end__in=GrantEnd.values,
                ),
                name="grant_end_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.uses_left}/{self.uses_max} until {self.expires_at}"
