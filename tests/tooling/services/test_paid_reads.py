"""Opening paid reads: staff alone, one row each, kept in the audit log."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tooling.errors import NotAllowed, NotFound
from tooling.models import AuditEntry, PaidReadOptIn, User
from tooling.selectors import released_reads
from tooling.services.paid_reads import (
    release_paid_read,
    save_paid_reads,
    withdraw_paid_read,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(db: None) -> User:
    return User.objects.create_user("root@deployment.test", is_staff=True)


def acts() -> list[tuple[str, object, object]]:
    rows = AuditEntry.objects.order_by("at", "id")
    return [(row.action, row.before["released"], row.after["released"]) for row in rows]


@pytest.mark.promise("D47", "A18")
def test_opening_and_withdrawing_leave_before_and_after(staff: User) -> None:
    now = timezone.now()
    assert release_paid_read(staff=staff, tool="expert_ask", now=now)
    assert not release_paid_read(staff=staff, tool="expert_ask", now=now)
    row = PaidReadOptIn.objects.get()
    assert (row.tool, row.released_by, row.released_at) == ("expert_ask", staff, now)
    assert released_reads() == {"expert_ask"}
    assert withdraw_paid_read(staff=staff, tool="expert_ask")
    assert not withdraw_paid_read(staff=staff, tool="expert_ask")
    assert released_reads() == set()
    assert acts() == [
        ("paid_read.released", False, True),
        ("paid_read.withdrawn", True, False),
    ]
    entry = AuditEntry.objects.latest("at")
    assert (entry.actor_id, entry.actor_kind, entry.target_type) == (
        staff.pk,
        "session",
        "paid_read",
    )


@pytest.mark.promise("A18")
@pytest.mark.parametrize("was_staff", [False, True])
def test_others_open_nothing(db: None, was_staff: bool) -> None:
    somebody = User.objects.create_user("somebody@acme.test")
    somebody.is_staff, somebody.is_active = was_staff, not was_staff
    now = timezone.now()
    with pytest.raises(NotAllowed):
        release_paid_read(staff=somebody, tool="expert_ask", now=now)
    with pytest.raises(NotAllowed):
        withdraw_paid_read(staff=somebody, tool="expert_ask")
    with pytest.raises(NotAllowed):
        save_paid_reads(staff=somebody, known=[], released=["expert_ask"], now=now)
    assert not PaidReadOptIn.objects.exists()
    assert not AuditEntry.objects.exists()


@pytest.mark.promise("D47")
@pytest.mark.parametrize("tool", ["mission_list", "mission_create", "nothing", ""])
def test_only_held_back_reads_can_be_opened(staff: User, tool: str) -> None:
    with pytest.raises(NotFound):
        release_paid_read(staff=staff, tool=tool, now=timezone.now())
    with pytest.raises(NotFound):
        save_paid_reads(
            staff=staff,
            known=["expert_ask"],
            released=["expert_ask", tool],
            now=timezone.now(),
        )
    assert not PaidReadOptIn.objects.exists()


@pytest.mark.promise("D47", "L2")
def test_all_at_once_or_one_by_one(staff: User) -> None:
    every = ["decision_brief", "expert_ask", "mission_summarise"]
    now = timezone.now()
    assert save_paid_reads(staff=staff, known=every, released=every, now=now) == every
    assert released_reads() == {*every}
    changed = save_paid_reads(
        staff=staff, known=every[:2], released=["expert_ask"], now=now
    )
    # What the form did not show stays open.
    assert changed == ["decision_brief"]
    assert released_reads() == {"expert_ask", "mission_summarise"}
