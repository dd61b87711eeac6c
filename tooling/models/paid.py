"""Which reads that cost money staff have opened."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tooling.ids import new_id


class PaidReadOptIn(models.Model):
    """A held-back read that staff opened, for the whole deployment.

    No row: it is held back. Withdrawing deletes the row; the audit log keeps both.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tool = models.CharField(_("tool"), max_length=120, unique=True)
    released_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        verbose_name=_("opened by"),
    )
    released_at = models.DateTimeField(_("opened"), default=timezone.now)

    class Meta:
        verbose_name = _("opened paid read")
        verbose_name_plural = _("opened paid reads")

    def __str__(self) -> str:
        return self.tool
