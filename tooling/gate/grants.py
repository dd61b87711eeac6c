"""Grants where a call runs: read for its verdict, and a use taken with its write."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _

from tooling.gate.judge import GrantFact
from tooling.models import SessionGrant
from tooling.registry import ToolContext


class GrantGone(Exception):
    """The grant lost its last use, or its life, since the call was judged."""


def grants_of(context: ToolContext) -> tuple[GrantFact, ...]:
    """Return the grants of a call's conversation as they stand now."""
    rows = SessionGrant.objects.filter(
        tenant_id=context.principal.tenant_id,
        conversation_id=context.conversation_id,
        expires_at__gt=context.now,
    )
    return tuple(
        GrantFact(
            conversation_id=row.conversation_id,
            tools=frozenset(row.tools),
            expires_at=row.expires_at,
            uses_left=row.uses_left,
            revoked=row.revoked_at is not None,
            id=row.pk,
        )
        for row in rows
    )


def take_use(grant_id: uuid.UUID, *, context: ToolContext) -> SessionGrant:
    """Take one use, in the transaction of the write that it pays for.

    Raises `GrantGone`. Of two calls that want the last use, one gets it: whoever
    comes second waits for the first to commit, and then finds nothing to take.
    """
    taken = SessionGrant.objects.filter(
        pk=grant_id,
        tenant_id=context.principal.tenant_id,
        conversation_id=context.conversation_id,
        revoked_at__isnull=True,
        expires_at__gt=context.now,
        uses_left__gt=0,
    ).update(uses_left=F("uses_left") - 1)
    if not taken:
        raise GrantGone
    return SessionGrant.objects.get(pk=grant_id)


def said_of(grant: SessionGrant) -> dict[str, Any]:
    """Return what a result says of the grant that it ran under, in the active
    language: the model tells the person.
    """
    return {
        "uses_left": grant.uses_left,
        "expires_at": _iso(grant.expires_at),
        "note": _(
            "This ran under a grant that a person gave in this conversation, without "
            "being asked for in their message. Say so in your answer."
        ),
    }


def _iso(moment: dt.datetime) -> str:
    return moment.astimezone(dt.UTC).isoformat(timespec="seconds")
