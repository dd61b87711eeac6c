"""Engine sessions: the window that prompts are built from."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from dialogue.models.conversation import Conversation
from tooling.ids import new_id


class EngineSession(models.Model):
    """A window over a conversation for one provider key.

    Prompts hold the messages from `start_seq` on. The start moves in big steps: a
    window that slides every turn breaks the provider's cache. A conversation's id
    never changes; what is replaced is this row.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, related_name="sessions"
    )
    provider_key = models.CharField(max_length=120)
    start_seq = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    retired_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("engine session")
        verbose_name_plural = _("engine sessions")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "provider_key"],
                condition=Q(retired_at__isnull=True),
                name="session_one_live_per_provider",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider_key} from {self.start_seq}"
