"""Personal tokens: hashed, scoped, expiring, revocable."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tooling.ids import new_id
from tooling.models.people import Tenant


class PersonalToken(models.Model):
    """A key to the API for one person in one tenant.

    Only the SHA-256 of the secret is stored. `scopes` is a list of names from
    `tooling.policy.Scope`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="tokens")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens"
    )
    name = models.CharField(_("name"), max_length=80)
    prefix = models.CharField(_("begins with"), max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(_("scopes"), default=list)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    expires_at = models.DateTimeField(_("expires"))
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name = _("personal token")
        verbose_name_plural = _("personal tokens")

    def __str__(self) -> str:
        return f"{self.prefix}…"
