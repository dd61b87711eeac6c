"""Give a grant, and end it: acts of people, each with its audit entry.

A conversation is a plain key here; who gives checks it (`dialogue.services.grants`).
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tooling.errors import Conflict, InvalidInput, NotFound
from tooling.gate.judge import WRITE_ALLOWLIST
from tooling.models import GrantEnd, SessionGrant
from tooling.models.grants import MAX_MINUTES, MAX_USES, MIN_MINUTES
from tooling.policy import Act, Principal, PrincipalKind, allows, person_of, require
from tooling.registry import find_tool
from tooling.selectors import live_grants
from tooling.services.audit import record_act
from tooling.tiers import Tier

MAX_LIVE = 20


class BadGrantTools(InvalidInput):
    """No tool, or one that no grant may name."""

    code = "bad_grant_tools"
    message = _("Choose one or more of the write tools that are offered here.")


class BadGrantTime(InvalidInput):
    """Too short or too long."""

    code = "bad_grant_time"
    message = _("A grant lasts from 1 minute to 8 hours.")


class BadGrantUses(InvalidInput):
    """Too few or too many."""

    code = "bad_grant_uses"
    message = _("A grant is for 1 to 50 uses.")


class TooManyGrants(Conflict):
    """More live grants than anybody keeps an eye on."""

    code = "too_many_grants"
    message = _("This conversation has many live grants already. Revoke some first.")


def grantable_tools() -> list[str]:
    """Return the tools that a grant may name: registered, allow-listed writes."""
    return [
        name
        for name in sorted(WRITE_ALLOWLIST)
        if (tool := find_tool(name)) is not None and tool.tier is Tier.WRITE
    ]


def give_grant(
    *,
    principal: Principal,
    conversation_id: uuid.UUID,
    tools: Collection[str],
    minutes: int,
    uses: int,
    now: dt.datetime,
) -> SessionGrant:
    """Give leave for `tools` in one conversation. Only somebody at a page does.

    Must run in the transaction that holds the conversation open. Raises `NotAllowed`,
    `BadGrantTools`, `BadGrantTime`, `BadGrantUses`, `TooManyGrants`.
    """
    require(principal, Act.GRANT)
    chosen = sorted(set(tools))
    if not chosen or not set(chosen) <= set(grantable_tools()):
        raise BadGrantTools(field="tools")
    if not MIN_MINUTES <= minutes <= MAX_MINUTES:
        raise BadGrantTime(field="minutes")
    if not 1 <= uses <= MAX_USES:
        raise BadGrantUses(field="uses")
    live = live_grants(
        tenant_id=principal.tenant_id, conversation_id=conversation_id, now=now
    )
    if live.count() >= MAX_LIVE:
        raise TooManyGrants
    grant = SessionGrant.objects.create(
        tenant_id=principal.tenant_id,
        conversation_id=conversation_id,
        tools=chosen,
        given_by_id=person_of(principal),
        given_at=now,
        expires_at=now + dt.timedelta(minutes=minutes),
        uses_max=uses,
        uses_left=uses,
    )
    _record(principal, "grant.given", grant, before={}, after=facts_of(grant))
    return grant


def revoke_grant(
    *, principal: Principal, grant_id: uuid.UUID, now: dt.datetime
) -> tuple[SessionGrant, bool]:
    """End a grant; the next judged call finds it ended. Twice is harmless.

    Returns the grant and whether this ended it. At a page, whoever may write in the
    conversation may do it; by a token it takes the right and the scope of its own.
    """
    at_a_page = principal.kind == PrincipalKind.SESSION
    if not (at_a_page and allows(principal, Act.CONVERSE)):
        require(principal, Act.REVOKE)
    grant = SessionGrant.objects.filter(
        pk=grant_id, tenant_id=principal.tenant_id
    ).first()
    if grant is None:
        raise NotFound
    ended = _end(principal, grant, GrantEnd.REVOKED, "grant.revoked", now)
    return grant, ended


def end_grants(
    *, principal: Principal, conversation_id: uuid.UUID, now: dt.datetime
) -> int:
    """End what a conversation has left, because it was completed; return how many."""
    require(principal, Act.CONVERSE)
    rows = SessionGrant.objects.filter(
        tenant_id=principal.tenant_id,
        conversation_id=conversation_id,
        revoked_at__isnull=True,
    ).order_by("pk")
    ended = [
        _end(principal, grant, GrantEnd.COMPLETED, "grant.ended", now) for grant in rows
    ]
    return sum(ended)


def facts_of(grant: SessionGrant) -> dict[str, Any]:
    """Return a grant's terms and what is left, for the audit log and the journal."""
    return {
        "conversation": str(grant.conversation_id),
        "tools": grant.tools,
        "expires_at": grant.expires_at.isoformat(),
        "uses_max": grant.uses_max,
        "uses_left": grant.uses_left,
    }


def _end(
    principal: Principal,
    grant: SessionGrant,
    how: GrantEnd,
    action: str,
    now: dt.datetime,
) -> bool:
    with transaction.atomic():
        ended = SessionGrant.objects.filter(pk=grant.pk, revoked_at__isnull=True)
        moved = ended.update(
            revoked_at=now, revoked_by_id=person_of(principal), end=how
        )
        before = facts_of(grant)
        grant.refresh_from_db()
        if moved:
            after = {**facts_of(grant), "end": str(how)}
            _record(principal, action, grant, before=before, after=after)
    return bool(moved)


def _record(
    principal: Principal,
    action: str,
    grant: SessionGrant,
    *,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    record_act(
        principal=principal,
        action=action,
        target_type="grant",
        target_id=grant.pk,
        before=before,
        after=after,
    )
