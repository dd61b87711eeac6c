"""The numbered journal of a conversation: what every page and client reads."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from dialogue.models.conversation import Conversation


class EventKind(models.TextChoices):
    """Facts about a conversation. Names are part of the API."""

    MESSAGE = "message", _("Message")
    TURN = "turn", _("Turn")
    TOOL = "tool", _("Tool")
    CARD = "card", _("Card")
    CONVERSATION = "conversation", _("Conversation")


class Event(models.Model):
    """One fact: append-only. Large things go by reference; `data` stays small."""

    id = models.BigAutoField(primary_key=True)
    conversation = models.ForeignKey(
        Conversation, models.PROTECT, related_name="events"
    )
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=16, choices=EventKind.choices)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "seq"], name="event_seq_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"
