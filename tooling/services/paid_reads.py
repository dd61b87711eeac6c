"""Open reads that cost money, and hold them back again: staff alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from tooling.errors import NotAllowed, NotFound
from tooling.models import AuditEntry, PaidReadOptIn, User
from tooling.policy import PrincipalKind
from tooling.registry import find_tool

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection


def save_paid_reads(
    *, staff: User, known: Collection[str], released: Collection[str], now: dt.datetime
) -> list[str]:
    """Open the reads in `released`, hold back the others of `known`.

    `known` are those that the form showed: one that it did not show stays as it is.
    Returns the tools that changed. Raises `NotAllowed` and `NotFound`.
    """
    _require_staff(staff)
    wanted = {tool: tool in released for tool in [*known, *released]}
    with transaction.atomic():
        return [
            tool
            for tool, is_open in sorted(wanted.items())
            if (
                release_paid_read(staff=staff, tool=tool, now=now)
                if is_open
                else withdraw_paid_read(staff=staff, tool=tool)
            )
        ]


def release_paid_read(*, staff: User, tool: str, now: dt.datetime) -> bool:
    """Open one held-back read; the next judged call runs it. Tell whether it was shut.

    Raises `NotAllowed`, and `NotFound` for a name that is no held-back read.
    """
    _require_staff(staff)
    found = find_tool(tool)
    if found is None or not found.held_back:
        raise NotFound(field="tool")
    with transaction.atomic():
        row, created = PaidReadOptIn.objects.get_or_create(
            tool=tool, defaults={"released_by": staff, "released_at": now}
        )
        if created:
            _record(staff, "paid_read.released", row, before=False, after=True)
    return created


def withdraw_paid_read(*, staff: User, tool: str) -> bool:
    """Hold a read back again, from the next judged call on. Tell whether it was open.

    Raises `NotAllowed`.
    """
    _require_staff(staff)
    with transaction.atomic():
        row = PaidReadOptIn.objects.select_for_update().filter(tool=tool).first()
        if row is None:
            return False
        _record(staff, "paid_read.withdrawn", row, before=True, after=False)
        row.delete()
    return True


def _require_staff(user: User) -> None:
    if not (user.is_staff and user.is_active):
        raise NotAllowed


def _record(
    staff: User, action: str, row: PaidReadOptIn, *, before: bool, after: bool
) -> None:
    AuditEntry.objects.create(
        actor_id=staff.pk,
        actor_kind=PrincipalKind.SESSION.value,
        action=action,
        target_type="paid_read",
        target_id=row.pk,
        before={"tool": row.tool, "released": before},
        after={"tool": row.tool, "released": after},
    )
