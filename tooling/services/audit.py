"""Append to the audit log."""

from __future__ import annotations

import uuid
from typing import Any

from tooling.models import AuditEntry
from tooling.policy import Principal


def record_act(
    *,
    principal: Principal,
    action: str,
    target_type: str = "",
    target_id: uuid.UUID | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> AuditEntry:
    """Write one entry, in the transaction of the act itself."""
    return AuditEntry.objects.create(
        tenant_id=principal.tenant_id,
        actor_id=principal.user_id,
        actor_kind=principal.kind.value,
        action=action,
        target_type=target_type,
        target_id=target_id,
        before=before or {},
        after=after or {},
    )
