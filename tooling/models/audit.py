"""Who did what, when and from where: append-only."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tooling.ids import new_id


class AuditEntry(models.Model):
    """One act. `action` is a dotted code that pages translate.

    Plain UUID columns, no foreign keys: an entry outlives what it names.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant_id = models.UUIDField(null=True, db_index=True)
    actor_id = models.UUIDField(null=True)
    actor_kind = models.CharField(max_length=16)
    action = models.CharField(max_length=80)
    target_type = models.CharField(max_length=40, blank=True)
    target_id = models.UUIDField(null=True, db_index=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit log")
        indexes = [models.Index(fields=["tenant_id", "-at"], name="audit_by_tenant")]

    def __str__(self) -> str:
        return f"{self.action} {self.target_id}"
