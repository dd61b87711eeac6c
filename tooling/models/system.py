"""Leases between processes and idempotent requests."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from tooling.ids import new_id
from tooling.models.people import Tenant


class Lease(models.Model):
    """A named right to do something alone until `expires_at`."""

    name = models.CharField(max_length=80, primary_key=True)
    owner = models.CharField(max_length=120)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class IdempotencyRecord(models.Model):
    """The first answer to a request, given again to its repetition.

    `status` is null while the first request is still at work.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="+")
    user_id = models.UUIDField()
    key = models.CharField(max_length=120)
    body_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    response = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "user_id", "key"], name="idempotency_once"
            ),
        ]

    def __str__(self) -> str:
        return self.key
