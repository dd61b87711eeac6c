"""Missions and their tasks."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decisions.models import AttentionRequest, MakerKind
from tooling.ids import new_id
from tooling.models import Tenant


class MissionStatus(models.TextChoices):
    """Pending comes from the older bridge only; approval and creation give ready."""

    PENDING = "pending", _("Pending")
    READY = "ready", _("Ready")
    RUNNING = "running", _("Running")
    COMPLETED = "completed", _("Completed")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


FINISHED_MISSIONS = (
    MissionStatus.COMPLETED,
    MissionStatus.FAILED,
    MissionStatus.CANCELLED,
)


class Priority(models.TextChoices):
    """How urgent."""

    LOW = "low", _("Low")
    NORMAL = "normal", _("Normal")
    HIGH = "high", _("High")


class Mission(models.Model):
    """Approved work.

    `source_request` is unique: that, not a task or a signal, makes it exactly one
    Mission per approval. `acceptance_criteria` is a list of sentences;
    `payload_hash` is that of what was approved, or, for a Mission that a model made
    pending, of what it was made of: one for each message and content.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+")
    title = models.CharField(_("title"), max_length=200)
    objective = models.TextField(_("objective"))
    acceptance_criteria = models.JSONField(_("acceptance criteria"), default=list)
    priority = models.CharField(
        _("priority"), max_length=8, choices=Priority.choices, default=Priority.NORMAL
    )
    status = models.CharField(
        _("status"),
        max_length=16,
        choices=MissionStatus.choices,
        default=MissionStatus.READY,
    )
    source_request = models.OneToOneField(
        AttentionRequest,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="mission",
    )
    payload_hash = models.CharField(max_length=64, blank=True)
    maker_kind = models.CharField(max_length=8, choices=MakerKind.choices)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    origin_conversation = models.UUIDField(null=True, blank=True, db_index=True)
    origin_message = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    updated_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        verbose_name = _("Mission")
        verbose_name_plural = _("Missions")
        indexes = [
            models.Index(
                fields=["tenant", "-created_at", "-id"], name="mission_newest"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=MissionStatus.values),
                name="mission_status_known",
            ),
            models.CheckConstraint(
                condition=Q(maker_kind="human") | Q(origin_conversation__isnull=False),
                name="mission_origin_known",
            ),
            models.UniqueConstraint(
                fields=["origin_message", "payload_hash"],
                condition=Q(maker_kind="model", source_request__isnull=True)
                & ~Q(payload_hash=""),
                name="mission_pending_once",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class TaskStatus(models.TextChoices):
    """Where a part of a Mission stands."""

    TODO = "todo", _("To do")
    RUNNING = "running", _("Running")
    BLOCKED = "blocked", _("Blocked")
    COMPLETED = "completed", _("Completed")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


FINISHED_TASKS = (TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.CANCELLED)


class MissionTask(models.Model):
    """A part of a Mission, in order. `outcome` says what came of it once it is over."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    mission = models.ForeignKey(Mission, models.PROTECT, related_name="tasks")
    position = models.PositiveSmallIntegerField()
    title = models.CharField(_("title"), max_length=200)
    detail = models.TextField(_("detail"), blank=True)
    outcome = models.TextField(_("outcome"), blank=True)
    status = models.CharField(
        _("status"),
        max_length=16,
        choices=TaskStatus.choices,
        default=TaskStatus.TODO,
    )
    maker_kind = models.CharField(max_length=8, choices=MakerKind.choices)
    origin_conversation = models.UUIDField(null=True, blank=True, db_index=True)
    origin_message = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("task")
        verbose_name_plural = _("tasks")
        constraints = [
            models.UniqueConstraint(
                fields=["mission", "position"], name="task_position_once"
            ),
            models.CheckConstraint(
                condition=Q(status__in=TaskStatus.values), name="task_status_known"
            ),
            models.CheckConstraint(
                condition=Q(maker_kind="human") | Q(origin_conversation__isnull=False),
                name="task_origin_known",
            ),
        ]

    def __str__(self) -> str:
        return self.title
