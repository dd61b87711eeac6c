"""Every tool call that a model asked for, with its verdict."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tooling.ids import new_id
from tooling.models.people import Tenant
from tooling.tiers import Basis


class ToolCallState(models.TextChoices):
    """A call is judged once, and then runs or does not."""

    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    REFUSED = "refused", _("Refused")
    SURFACED = "surfaced", _("Surfaced")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", pgettext_lazy("tool call", "Cancelled")


class ToolCall(models.Model):
    """A judged call. Never holds a secret; arguments are the model's, bounded.

    `verdict` is run, refuse or surface; `gate` names the rule that said so, `basis`
    by what a write may run, and `grant_id` the grant of which it took a use. A row
    with `held_call_id` is what became of a held-back call that `person_id` ran by
    hand. Nothing of a row is changed later but that somebody put its card aside.

    There is no state for an effect whose record was lost: both are one transaction,
    and no tool has an effect outside the database.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="+")
    conversation_id = models.UUIDField(null=True, db_index=True)
    turn_id = models.UUIDField(null=True, db_index=True)
    attempt = models.PositiveSmallIntegerField(default=1)
    human_message_id = models.UUIDField(null=True)
    provider_call_id = models.CharField(max_length=120)
    name = models.CharField(max_length=120)
    tier = models.CharField(max_length=16, blank=True)
    arguments = models.JSONField(default=dict)
    arguments_hash = models.CharField(max_length=64)
    verdict = models.CharField(max_length=16)
    gate = models.CharField(max_length=40)
    state = models.CharField(max_length=16, choices=ToolCallState.choices)
    # A write or proposal runs at most once for one human message and arguments.
    once_key = models.CharField(  # noqa: DJ001 -- null: only given keys are unique
        max_length=64, null=True, unique=True
    )
    result = models.JSONField(null=True)
    basis = models.CharField(max_length=16, choices=Basis.choices, blank=True)
    grant_id = models.UUIDField(null=True, db_index=True)
    held_call_id = models.UUIDField(null=True, db_index=True)
    person_id = models.UUIDField(null=True)
    dismissed_at = models.DateTimeField(null=True)
    dismissed_by_id = models.UUIDField(null=True)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("tool call")
        verbose_name_plural = _("tool calls")
        constraints = [
            models.CheckConstraint(
                condition=Q(grant_id__isnull=True) | Q(basis="grant", state="done"),
                name="toolcall_grant_pays_a_run",
            ),
            models.CheckConstraint(
                condition=Q(held_call_id__isnull=True, person_id__isnull=True)
                | Q(held_call_id__isnull=False, person_id__isnull=False),
                name="toolcall_by_hand_is_whole",
            ),
            models.CheckConstraint(
                condition=~Q(basis="run_once") | Q(held_call_id__isnull=False),
                name="toolcall_run_once_names_a_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.state}"
