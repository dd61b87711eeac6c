"""Workflow drafts, which can be edited, and versions, which cannot."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decisions.models import AttentionRequest, MakerKind
from tooling.ids import new_id
from tooling.models import Tenant


class WorkflowDraft(models.Model):
    """A graph of steps that a human completes and publishes by a separate act.

    `graph` is `{"steps": [{"id", "title", "kind", "after": [ids]}],
    "placeholder": bool}`; `content_hash` the SHA-256 of its canonical form;
    `source_request` is the request that proposed it, one draft each.
    `edit_version` counts edits, so that two editors cannot overwrite each other.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+")
    title = models.CharField(_("title"), max_length=200)
    graph = models.JSONField()
    is_placeholder = models.BooleanField(_("placeholder"))
    content_hash = models.CharField(max_length=64)
    source_request = models.OneToOneField(
        AttentionRequest,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="draft",
    )
    edit_version = models.PositiveIntegerField(default=1)
    maker_kind = models.CharField(max_length=8, choices=MakerKind.choices)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    origin_conversation = models.UUIDField(null=True, blank=True, db_index=True)
    origin_message = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    updated_at = models.DateTimeField(_("changed"), default=timezone.now)

    class Meta:
        verbose_name = _("workflow draft")
        verbose_name_plural = _("workflow drafts")
        indexes = [
            models.Index(fields=["tenant", "-created_at", "-id"], name="draft_newest"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(maker_kind="human") | Q(origin_conversation__isnull=False),
                name="draft_origin_known",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class WorkflowVersion(models.Model):
    """A published graph: append-only."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+")
    draft = models.ForeignKey(WorkflowDraft, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    graph = models.JSONField()
    content_hash = models.CharField(max_length=64)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    published_at = models.DateTimeField(_("published"), default=timezone.now)

    class Meta:
        verbose_name = _("workflow version")
        verbose_name_plural = _("workflow versions")
        constraints = [
            models.UniqueConstraint(
                fields=["draft", "number"], name="version_number_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} v{self.number}"
