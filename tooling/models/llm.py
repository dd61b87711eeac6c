"""The ledger of model calls, named presets, and what a model saw."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tooling.ids import new_id
from tooling.models.people import Tenant


class BackendKind(models.TextChoices):
    """How a model is reached."""

    PLANNER = "planner", _("Offline planner (in this process)")
    OPENAI = "openai", _("OpenAI-compatible provider")
    ANTHROPIC = "anthropic", _("Anthropic")
    SIDECAR = "sidecar", _("Sidecar (a model server beside Dialogue)")


class Preset(models.Model):
    """A named choice of backend, model and parameters.

    A key is never stored: `key_env` names the environment variable that holds it.
    Prices are nano-dollars a token, null when not stated.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.SlugField(_("name"), max_length=60, unique=True)
    backend = models.CharField(_("kind"), max_length=16, choices=BackendKind.choices)
    model = models.CharField(_("model"), max_length=120, blank=True)
    base_url = models.CharField(_("address"), max_length=300, blank=True)
    key_env = models.CharField(_("key variable"), max_length=80, blank=True)
    is_default = models.BooleanField(_("used by default"), default=False)
    temperature = models.FloatField(_("temperature"), null=True, blank=True)
    max_output_tokens = models.PositiveIntegerField(_("output limit"), default=2048)
    connect_seconds = models.FloatField(_("connect time-out"), default=5.0)
    first_token_seconds = models.FloatField(_("first token time-out"), default=60.0)
    read_seconds = models.FloatField(_("read time-out"), default=60.0)
    retries = models.PositiveSmallIntegerField(_("retries"), default=2)
    fallback = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, verbose_name=_("fallback")
    )
    input_price = models.PositiveBigIntegerField(null=True, blank=True)
    cache_read_price = models.PositiveBigIntegerField(null=True, blank=True)
    cache_write_price = models.PositiveBigIntegerField(null=True, blank=True)
    output_price = models.PositiveBigIntegerField(null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("model preset")
        verbose_name_plural = _("model presets")
        constraints = [
            models.UniqueConstraint(
                fields=["is_default"],
                condition=models.Q(is_default=True),
                name="preset_one_default",
            ),
            models.CheckConstraint(
                condition=models.Q(backend__in=BackendKind.values),
                name="preset_backend_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PromptPart(models.Model):
    """A content-addressed piece of what a model saw (system text, tool list)."""

    digest = models.CharField(max_length=64, primary_key=True)
    text = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("prompt part")
        verbose_name_plural = _("prompt parts")

    def __str__(self) -> str:
        return self.digest[:12]


class CallOutcome(models.TextChoices):
    """How a provider call ended; a paid failure has a row too."""

    DONE = "done", _("Done")
    STOPPED = "stopped", _("Stopped")
    FAILED = "failed", _("Failed")
    LOST = "lost", _("Lost")


class ModelCall(models.Model):
    """One provider call: append-only, the ledger.

    Token buckets are disjoint. `cost_nano_usd` is integer nano-dollars; where the
    price is unknown it is null and `price_version` is `unpriced`, never 0.
    `manifest` lists what the model saw: `{"system": digest, "tools": digest,
    "messages": [first seq, last seq], "notes": …}`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="+")
    conversation_id = models.UUIDField(null=True, db_index=True)
    turn_id = models.UUIDField(null=True, db_index=True)
    attempt = models.PositiveSmallIntegerField(default=1)
    step = models.PositiveSmallIntegerField(default=1)
    call_site = models.CharField(max_length=80)
    preset = models.CharField(max_length=60)
    backend = models.CharField(max_length=16)
    model = models.CharField(max_length=120)
    outcome = models.CharField(max_length=16, choices=CallOutcome.choices)
    error_code = models.CharField(max_length=40, blank=True)
    fresh_tokens = models.PositiveIntegerField(default=0)
    cache_read_tokens = models.PositiveIntegerField(default=0)
    cache_write_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    reasoning_tokens = models.PositiveIntegerField(default=0)
    usage_reported = models.BooleanField(default=True)
    cost_nano_usd = models.BigIntegerField(null=True)
    price_version = models.CharField(max_length=60)
    manifest = models.JSONField(default=dict)
    first_token_ms = models.PositiveIntegerField(null=True)
    duration_ms = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("model call")
        verbose_name_plural = _("model calls")
        indexes = [
            models.Index(fields=["tenant", "-created_at"], name="modelcall_by_tenant"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(call_site="") & ~models.Q(price_version=""),
                name="modelcall_site_and_price",
            ),
            models.CheckConstraint(
                condition=models.Q(cost_nano_usd__isnull=True)
                | models.Q(cost_nano_usd__gte=0),
                name="modelcall_cost_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(cost_nano_usd__isnull=False)
                | models.Q(price_version="unpriced"),
                name="modelcall_unknown_is_unpriced",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.call_site} {self.outcome}"
