"""Ideas that reached no proposal."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decisions.models import MakerKind
from tooling.ids import new_id
from tooling.models import Tenant


class SuggestionReason(models.TextChoices):
    """Why it did not become a proposal."""

    SWITCH_OFF = "switch_off", _("Proposing is off in this deployment")
    PROPOSE_FAILED = "propose_failed", _("The proposal failed")
    PROSE_ONLY = "prose_only", _("The model only wrote about it")
    BLOCKED_WRITE = "blocked_write", _("A write was held back")
    NOTED = "noted", _("Noted down on request")


class SuggestionStatus(models.TextChoices):
    """What became of it."""

    OPEN = "open", _("Open")
    DISMISSED = "dismissed", _("Dismissed")
    CONVERTED = "converted", _("Turned into a proposal")


class MissionSuggestionRecord(models.Model):
    """An idea, kept for later review, tied to the turn that it came from.

    At most one per turn for the turn itself (`tool_call_id` null) and one per
    blocked call; the model may note down more where it was asked to. `maker_kind`
    is empty where the system kept the idea by itself.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+")
    origin_conversation = models.UUIDField(db_index=True)
    origin_message = models.UUIDField()
    origin_turn = models.UUIDField()
    tool_call_id = models.UUIDField(null=True, blank=True)
    title = models.CharField(_("title"), max_length=200)
    text = models.TextField(_("text"))
    reason = models.CharField(
        _("reason"), max_length=24, choices=SuggestionReason.choices
    )
    tool = models.CharField(max_length=120, blank=True)
    arguments = models.JSONField(default=dict)
    maker_kind = models.CharField(max_length=8, choices=MakerKind.choices, blank=True)
    status = models.CharField(
        _("status"),
        max_length=16,
        choices=SuggestionStatus.choices,
        default=SuggestionStatus.OPEN,
    )
    created_at = models.DateTimeField(_("recorded"), default=timezone.now)

    class Meta:
        verbose_name = _("suggestion")
        verbose_name_plural = _("suggestions")
        indexes = [
            models.Index(
                fields=["tenant", "-created_at", "-id"], name="suggestion_newest"
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["origin_turn"],
                condition=Q(tool_call_id__isnull=True) & ~Q(reason="noted"),
                name="suggestion_once_per_turn",
            ),
            models.UniqueConstraint(
                fields=["tool_call_id"], name="suggestion_once_per_call"
            ),
        ]

    def __str__(self) -> str:
        return self.title
