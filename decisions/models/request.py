"""Attention requests: what waits for a human's choice."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tooling.ids import new_id
from tooling.models import Tenant

# Of one of the answers that a request offers.
MAX_OPTION_CHARS = 80


class RequestKind(models.TextChoices):
    """What is asked for. Options and effect follow from the kind."""

    APPROVAL = "Approval", _("Approval")
    QUESTION = "Question", _("Question")


class RequestState(models.TextChoices):
    """Open until a human chooses, it expires, or its requester withdraws it."""

    OPEN = "open", _("Open")
    RESOLVED = "resolved", _("Resolved")
    EXPIRED = "expired", _("Expired")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    SUPERSEDED = "superseded", _("Superseded")


class MakerKind(models.TextChoices):
    """Whether a model or a person made a row."""

    MODEL = "model", _("Model")
    HUMAN = "human", _("Person")


class AttentionRequest(models.Model):
    """One revision of a request. Its payload never changes; an edit is a revision.

    Changes state only in `decisions.services.decide`, `withdraw` and the expiry
    sweep, each a conditional update from `open`; a database guard freezes the rest.
    `proposal_id` is shared by all revisions of one proposal, `payload` is what the
    kind's schema says, `payload_hash` the SHA-256 of its canonical form.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+")
    kind = models.CharField(_("kind"), max_length=16, choices=RequestKind.choices)
    subject = models.CharField(max_length=40)
    proposal_id = models.UUIDField(default=new_id, editable=False)
    revision = models.PositiveSmallIntegerField(_("revision"), default=1)
    revises = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="revised_by"
    )
    title = models.CharField(_("title"), max_length=200)
    payload = models.JSONField()
    payload_hash = models.CharField(max_length=64)
    options = models.JSONField(default=list)
    state = models.CharField(
        _("state"),
        max_length=16,
        choices=RequestState.choices,
        default=RequestState.OPEN,
    )
    resolved_option = models.CharField(
        _("choice"), max_length=MAX_OPTION_CHARS, blank=True
    )
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("decided by"),
    )
    resolved_at = models.DateTimeField(_("decided"), null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    maker_kind = models.CharField(max_length=8, choices=MakerKind.choices)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        verbose_name=_("asked by"),
    )
    origin_conversation = models.UUIDField(null=True, blank=True, db_index=True)
    origin_message = models.UUIDField(null=True, blank=True)
    origin_turn = models.UUIDField(null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    created_at = models.DateTimeField(_("raised"), default=timezone.now)

    class Meta:
        verbose_name = _("request")
        verbose_name_plural = _("decisions queue")
        indexes = [
            models.Index(
                fields=["tenant", "-created_at", "-id"], name="request_newest"
            ),
            models.Index(
                fields=["tenant", "created_at"],
                condition=Q(state="open"),
                name="request_open",
            ),
            models.Index(fields=["origin_turn"], name="request_by_turn"),
            # The sweep looks for approvals without a Mission, oldest first.
            models.Index(
                fields=["resolved_at"],
                condition=Q(state="resolved", resolved_option="Approve and create"),
                name="request_approved",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["proposal_id"],
                condition=Q(state="open"),
                name="request_one_live_revision",
            ),
            models.UniqueConstraint(
                fields=["proposal_id", "revision"], name="request_revision_once"
            ),
            models.UniqueConstraint(
                fields=["origin_message", "payload_hash"],
                condition=Q(maker_kind="model"),
                name="request_once_per_message",
            ),
            models.CheckConstraint(
                condition=Q(
                    state="resolved",
                    resolved_by__isnull=False,
                    resolved_at__isnull=False,
                )
                & ~Q(resolved_option="")
                | ~Q(state="resolved")
                & Q(
                    resolved_option="",
                    resolved_by__isnull=True,
                    resolved_at__isnull=True,
                ),
                name="request_resolved_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(state__in=RequestState.values), name="request_state_known"
            ),
            models.CheckConstraint(
                condition=~Q(kind="Approval")
                | Q(
                    resolved_option__in=[
                        "",
                        "Approve and create",
                        "Request changes",
                        "Reject",
                    ]
                ),
                name="request_approval_options",
            ),
            # The other way about: an answer never reads like an approval.
            models.CheckConstraint(
                condition=~Q(kind="Question")
                | ~Q(
                    resolved_option__in=[
                        "Approve and create",
                        "Request changes",
                        "Reject",
                    ]
                ),
                name="request_question_options",
            ),
            models.CheckConstraint(
                condition=Q(maker_kind="human")
                | Q(origin_conversation__isnull=False, origin_message__isnull=False),
                name="request_origin_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.revision})"
