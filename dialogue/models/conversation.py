"""Conversations and their messages."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tooling.ids import new_id
from tooling.models import Tenant


class Track(models.TextChoices):
    """What a conversation is for. Context only: it opens and closes no tool."""

    GOVERNANCE = "Governance", _("Governance")
    RESEARCH = "Research", _("Research")
    PLANNING = "Planning", _("Planning")
    BUILD = "Build", _("Build")


class ConversationStatus(models.TextChoices):
    """Open, or closed for further messages."""

    OPEN = "open", _("Open")
    COMPLETED = "completed", _("Completed")


class Conversation(models.Model):
    """A line of messages.

    `message_seq` and `event_seq` are the last numbers given out; they are the
    counters of `ConversationMessage.seq` and `Event.seq`, moved under this row's
    lock. `title_source` tells whether a person chose the title.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+")
    track = models.CharField(_("Track"), max_length=16, choices=Track.choices)
    title = models.CharField(_("title"), max_length=200, blank=True)
    title_source = models.CharField(max_length=8, default="auto")
    language = models.CharField(max_length=8, default="en")
    status = models.CharField(
        _("status"),
        max_length=16,
        choices=ConversationStatus.choices,
        default=ConversationStatus.OPEN,
    )
    is_private = models.BooleanField(_("private"), default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    parent = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="branches"
    )
    fork_seq = models.PositiveIntegerField(null=True, blank=True)
    message_seq = models.PositiveIntegerField(default=0)
    event_seq = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    active_at = models.DateTimeField(_("last activity"), default=timezone.now)
    completed_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        indexes = [
            models.Index(
                fields=["tenant", "-active_at", "-id"], name="conversation_newest"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(track__in=Track.values), name="conversation_track_known"
            ),
            models.CheckConstraint(
                condition=Q(parent__isnull=True, fork_seq__isnull=True)
                | Q(parent__isnull=False, fork_seq__isnull=False),
                name="conversation_fork_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(status="open", completed_at__isnull=True)
                | Q(status="completed", completed_at__isnull=False),
                name="conversation_completed_at",
            ),
        ]

    def __str__(self) -> str:
        return self.title or str(self.id)


class MessageRole(models.TextChoices):
    """Who a message is from. A notice is the system's word to person and model."""

    USER = "user", _("You")
    ASSISTANT = "assistant", _("Assistant")
    TOOL = "tool", _("Tool")
    NOTICE = "notice", _("Notice")


class ConversationMessage(models.Model):
    """One message: append-only, ordered by `seq` within its conversation.

    `data` by role. assistant: `tool_calls` (list of id, name, arguments text),
    `partial` (true when the answer was cut off). tool: `call_id`, `name`,
    `verdict`, `gate`, `result`, `cards` (list of kind, id). notice: `kind`,
    `cards`, and facts that its kind needs.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.PROTECT, related_name="+")
    conversation = models.ForeignKey(
        Conversation, models.PROTECT, related_name="messages"
    )
    seq = models.PositiveIntegerField()
    role = models.CharField(max_length=16, choices=MessageRole.choices)
    text = models.TextField(blank=True)
    data = models.JSONField(default=dict)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    turn_id = models.UUIDField(null=True, db_index=True)
    attempt = models.PositiveSmallIntegerField(default=1)
    # Null, not blank: only keys that were given must be unique.
    client_key = models.CharField(max_length=120, null=True)  # noqa: DJ001
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "seq"], name="message_seq_once"
            ),
            models.UniqueConstraint(
                fields=["conversation", "client_key"], name="message_client_key_once"
            ),
            models.CheckConstraint(
                condition=Q(role__in=MessageRole.values), name="message_role_known"
            ),
            models.CheckConstraint(
                condition=~Q(role="user") | Q(author__isnull=False),
                name="message_human_has_author",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.role}"
