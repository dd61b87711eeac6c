"""A pending Mission waits for a person, and for a person only."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from missions.models import Mission, MissionStatus, MissionTask
from missions.services.pending import (
    NotPending,
    PendingChanged,
    content_hash,
    settle_pending_mission,
)
from tests.missions.support import Scene
from tooling.errors import NotAllowed, NotFound
from tooling.models import AuditEntry, User
from tooling.policy import Principal

pytestmark = pytest.mark.django_db


@pytest.fixture
def pending(scene: Scene) -> Mission:
    """A Mission as the older bridge makes it: pending, from a conversation."""
    return Mission.objects.create(
        tenant_id=scene.member.tenant_id,
        title="Clean the archive",
        objective="Old projects leave the archive.",
        status=MissionStatus.PENDING,
        maker_kind="model",
        created_by_id=scene.member.person,
        origin_conversation=scene.conversation.pk,
    )


def settle(mission: Mission, who: Principal, *, approve: bool = True) -> Mission:
    """Settle as this principal, now."""
    return settle_pending_mission(
        principal=who,
        mission_id=mission.pk,
        approve=approve,
        shown=content_hash(mission),
        now=timezone.now(),
    )


@pytest.mark.promise("A6")
@pytest.mark.parametrize(
    ("approve", "status"),
    [(True, MissionStatus.READY), (False, MissionStatus.CANCELLED)],
)
def test_an_operator_settles_it_once(
    scene: Scene, pending: Mission, approve: bool, status: MissionStatus
) -> None:
    settle(pending, scene.operator, approve=approve)
    pending.refresh_from_db()
    assert pending.status == status
    with pytest.raises(NotPending):
        settle(pending, scene.operator, approve=not approve)
    pending.refresh_from_db()
    assert pending.status == status
    assert AuditEntry.objects.filter(target_id=pending.pk).count() == 1


@pytest.mark.promise("A6", "D66", "N3")
def test_neither_member_model_nor_stranger_settles_it(
    scene: Scene, pending: Mission
) -> None:
    for who in (scene.member, scene.model):
        with pytest.raises(NotAllowed):
            settle(pending, who)
    with pytest.raises(NotFound):
        settle(pending, scene.stranger)
    pending.refresh_from_db()
    assert pending.status == MissionStatus.PENDING


@pytest.mark.promise("A6", "A12")
def test_what_was_not_shown_is_not_settled(scene: Scene, pending: Mission) -> None:
    seen = content_hash(pending)
    MissionTask.objects.create(
        mission=pending,
        position=1,
        title="Delete the backups, too",
        maker_kind="model",
        origin_conversation=scene.conversation.pk,
    )
    for approve in (True, False):
        with pytest.raises(PendingChanged):
            settle_pending_mission(
                principal=scene.operator,
                mission_id=pending.pk,
                approve=approve,
                shown=seen,
                now=timezone.now(),
            )
    pending.refresh_from_db()
    assert pending.status == MissionStatus.PENDING


@pytest.mark.promise("A6")
def test_the_page_offers_it_to_whoever_may_decide(
    scene: Scene, pending: Mission, client: Client
) -> None:
    tenant = pending.tenant.slug
    page = reverse("missions:mission", args=[tenant, pending.pk])
    act = reverse("missions:mission_settle", args=[tenant, pending.pk])
    client.force_login(User.objects.get(pk=scene.member.person))
    assert act not in client.get(page).content.decode()
    assert client.post(act, {"choice": "approve"}).status_code == 403
    client.force_login(User.objects.get(pk=scene.operator.person))
    assert act in client.get(page).content.decode()
    assert client.post(act, {"choice": "maybe"}).status_code == 400
    pending.refresh_from_db()
    assert pending.status == MissionStatus.PENDING
    shown = content_hash(pending)
    Mission.objects.filter(pk=pending.pk).update(title="Clean everything")
    sent = {"choice": "approve", "shown": shown}
    assert "has changed" in client.post(act, sent, follow=True).content.decode()
    pending.refresh_from_db()
    assert pending.status == MissionStatus.PENDING
    sent["shown"] = content_hash(pending)
    assert client.post(act, sent).status_code == 302
    pending.refresh_from_db()
    assert pending.status == MissionStatus.READY
    assert act not in client.get(page).content.decode()
