"""Turns: one human message and all that is done to answer it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from dialogue.models.conversation import Conversation, ConversationMessage
from tooling.ids import new_id
from tooling.models import Tenant


class TurnState(models.TextChoices):
    """Where a turn stands; `dialogue.turns.states` holds the moves."""

    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    WAITING = "waiting", _("Waiting for the provider")
    STOPPING = "stopping", _("Stopping")
    STOPPED = "stopped", _("Stopped")
    INTERRUPTED = "interrupted", _("Interrupted")
    FAILED = "failed", _("Failed")
    DONE = "done", _("Done")


# A worker holds these under a lease.
LIVE_STATES = (TurnState.RUNNING, TurnState.WAITING, TurnState.STOPPING)


class Turn(models.Model):
    """A turn, leased by one worker while it runs.

    `attempt` counts runs; a retry is the next attempt of the same turn.
    `call_in_flight` describes a provider call that has begun and has no ledger row
    yet, so that a crash leaves a trace of it. `intent*` is what the judge read in
    the human's message before any tool ran.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+")
    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="turns")
    human_message = models.OneToOneField(
        ConversationMessage, models.PROTECT, related_name="turn"
    )
    requested_by_id = models.UUIDField()
    state = models.CharField(
        _("state"), max_length=16, choices=TurnState.choices, default=TurnState.QUEUED
    )
    attempt = models.PositiveSmallIntegerField(default=1)
    lease_owner = models.CharField(max_length=120, blank=True)
    lease_expires_at = models.DateTimeField(null=True)
    stop_requested_at = models.DateTimeField(null=True)
    call_in_flight = models.JSONField(null=True)
    intent = models.CharField(max_length=24, blank=True)
    intent_tools = models.JSONField(default=list)
    intent_span = models.JSONField(null=True)
    error_code = models.CharField(max_length=40, blank=True)
    error_detail = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        indexes = [
            models.Index(
                fields=["created_at"],
                condition=Q(state="queued"),
                name="turn_queue",
            ),
            models.Index(
                fields=["lease_expires_at"],
                condition=Q(state__in=["running", "waiting", "stopping"]),
                name="turn_leases",
            ),
            models.Index(fields=["conversation", "-created_at"], name="turn_newest"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"],
                condition=Q(state__in=["running", "waiting", "stopping"]),
                name="turn_one_live_per_conversation",
            ),
            models.CheckConstraint(
                condition=Q(state__in=TurnState.values), name="turn_state_known"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["running", "waiting", "stopping"])
                | Q(lease_expires_at__isnull=False) & ~Q(lease_owner=""),
                name="turn_live_has_lease",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["stopped", "interrupted", "failed", "done"])
                | Q(ended_at__isnull=False),
                name="turn_ended_has_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.state}"


class TurnChunk(models.Model):
    """Streamed text of a turn's answer: a buffer, pruned once the message is stored.

    `offset` counts characters from the start of the turn's current text.
    """

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="chunks")
    attempt = models.PositiveSmallIntegerField()
    step = models.PositiveSmallIntegerField()
    offset = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["turn", "attempt", "step", "offset"], name="chunk_offset_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}+{self.offset}"
