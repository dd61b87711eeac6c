"""A tenant's toggles."""

from __future__ import annotations

from django.db import transaction

from tooling.models import Features
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act

TOGGLES = ("write_tools", "four_eyes")


def change_features(
    *, principal: Principal, write_tools: bool, four_eyes: bool
) -> Features:
    """Set the tenant's toggles; the next judged call and decision see them.

    One audit entry holds what changed; none where nothing did. Raises `NotAllowed`.
    """
    require(principal, Act.FEATURES)
    wanted = {"write_tools": write_tools, "four_eyes": four_eyes}
    with transaction.atomic():
        features, _created = Features.objects.select_for_update().get_or_create(
            tenant_id=principal.tenant_id
        )
        before = {name: getattr(features, name) for name in TOGGLES}
        changed = {
            name: value for name, value in wanted.items() if before[name] != value
        }
        if not changed:
            return features
        for name, value in changed.items():
            setattr(features, name, value)
        features.save(update_fields=[*changed, "updated_at"])
        record_act(
            principal=principal,
            action="features.changed",
            target_type="tenant",
            target_id=principal.tenant_id,
            before={name: before[name] for name in changed},
            after=changed,
        )
    return features
