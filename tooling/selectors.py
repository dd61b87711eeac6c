"""Reads of tooling's rows."""

from __future__ import annotations

import datetime as dt
import uuid

from django.db.models import Count, F, Q, QuerySet, Sum

from tooling.errors import NotFound
from tooling.models import (
    Features,
    Membership,
    ModelCall,
    PaidReadOptIn,
    PersonalToken,
    Preset,
    SessionGrant,
    Tenant,
    ToolCall,
    User,
)
from tooling.paging import Page, keyset
from tooling.policy import Principal, PrincipalKind, person_of


def membership_of(*, user: User, slug: str) -> Membership:
    """Return a person's membership in the tenant at `slug`, or raise `NotFound`.

    The same answer for a foreign tenant and for one that never existed.
    """
    membership = (
        Membership.objects.select_related("tenant")
        .filter(user=user, tenant__slug=slug, user__is_active=True)
        .first()
    )
    if membership is None:
        raise NotFound
    return membership


def memberships_of(*, user: User) -> QuerySet[Membership]:
    """Return a person's memberships with their tenants, by the tenant's name."""
    return (
        Membership.objects.select_related("tenant")
        .filter(user=user)
        .order_by("tenant__name", "id")
    )


def session_principal(membership: Membership) -> Principal:
    """Return the principal of a person who signed in in a browser."""
    return Principal(
        kind=PrincipalKind.SESSION,
        tenant_id=membership.tenant_id,
        user_id=membership.user_id,
        role=membership.role,
    )


def features_of(*, tenant_id: uuid.UUID) -> Features:
    """Return a tenant's toggles; unsaved defaults (all off) where it has no row."""
    found = Features.objects.filter(tenant_id=tenant_id).first()
    return found or Features(tenant_id=tenant_id)


def released_reads() -> frozenset[str]:
    """Return the held-back reads that staff have opened, now."""
    return frozenset(PaidReadOptIn.objects.values_list("tool", flat=True))


def paid_read_opt_ins() -> dict[str, PaidReadOptIn]:
    """Return by tool who opened which paid read, and when."""
    rows = PaidReadOptIn.objects.select_related("released_by")
    return {row.tool: row for row in rows}


def tenant_by_id(*, tenant_id: uuid.UUID) -> Tenant:
    """Return a tenant by its key."""
    return Tenant.objects.get(pk=tenant_id)


def cost_of_conversation(*, conversation_id: uuid.UUID) -> dict[str, int]:
    """Return the sum of a conversation's ledger rows.

    Keys: `nano_usd` (priced rows), `calls`, `unpriced_calls`, `input_tokens`,
    `output_tokens`.
    """
    return cost_summary(ModelCall.objects.filter(conversation_id=conversation_id))


def cost_summary(calls: QuerySet[ModelCall]) -> dict[str, int]:
    """Return the sums of ledger rows; see `cost_of_conversation`."""
    sums = calls.aggregate(
        nano_usd=Sum("cost_nano_usd"),
        calls=Count("id"),
        unpriced_calls=Count("id", filter=Q(cost_nano_usd__isnull=True)),
        input_tokens=Sum(
            F("fresh_tokens") + F("cache_read_tokens") + F("cache_write_tokens")
        ),
        output_tokens=Sum(F("output_tokens") + F("reasoning_tokens")),
    )
    return {name: int(value or 0) for name, value in sums.items()}


def model_calls(
    *, conversation_id: uuid.UUID, cursor: str, limit: int
) -> Page[ModelCall]:
    """Return a page of a conversation's ledger rows, newest first."""
    rows = ModelCall.objects.filter(conversation_id=conversation_id)
    return keyset(rows, cursor=cursor, limit=limit)


def tool_calls_of_turn(*, turn_id: uuid.UUID) -> list[ToolCall]:
    """Return the judged calls of a turn in the order in which they were made."""
    return list(ToolCall.objects.filter(turn_id=turn_id).order_by("started_at", "id"))


def live_grants(
    *, tenant_id: uuid.UUID, conversation_id: uuid.UUID, now: dt.datetime
) -> QuerySet[SessionGrant]:
    """Return a conversation's grants that can still pay for a call, next end first."""
    return (
        SessionGrant.objects.select_related("given_by")
        .filter(
            tenant_id=tenant_id,
            conversation_id=conversation_id,
            revoked_at__isnull=True,
            expires_at__gt=now,
            uses_left__gt=0,
        )
        .order_by("expires_at", "id")
    )


def grants_of_conversation(
    *, tenant_id: uuid.UUID, conversation_id: uuid.UUID
) -> QuerySet[SessionGrant]:
    """Return every grant that a conversation ever had, newest first."""
    return (
        SessionGrant.objects.select_related("given_by", "revoked_by")
        .filter(tenant_id=tenant_id, conversation_id=conversation_id)
        .order_by("-given_at", "-id")
    )


def members_of(*, principal: Principal) -> QuerySet[Membership]:
    """Return a tenant's memberships with their people, by name."""
    return (
        Membership.objects.select_related("user")
        .filter(tenant_id=principal.tenant_id)
        .order_by("user__full_name", "user__email", "id")
    )


def tokens_of(*, principal: Principal) -> QuerySet[PersonalToken]:
    """Return the person's own tokens in the tenant: live ones first, then newest."""
    return PersonalToken.objects.filter(
        tenant_id=principal.tenant_id, user_id=person_of(principal)
    ).order_by(F("revoked_at").asc(nulls_first=True), "-created_at", "-id")


def list_presets() -> QuerySet[Preset]:
    """Return every preset of the deployment, the default one first."""
    rows = Preset.objects.select_related("fallback")
    return rows.order_by("-is_default", "name")


def find_preset(*, preset_id: uuid.UUID) -> Preset:
    """Return a preset, or raise `NotFound`."""
    preset = Preset.objects.filter(pk=preset_id).first()
    if preset is None:
        raise NotFound
    return preset


def tenant_for_tests_by(*, user: User) -> uuid.UUID | None:
    """Return the tenant whose ledger a connection test of this person goes to.

    Their own first; else the oldest; None where there is no tenant at all.
    """
    own = memberships_of(user=user).values_list("tenant_id", flat=True).first()
    oldest = Tenant.objects.order_by("created_at", "id").values_list("id", flat=True)
    return own or oldest.first()
