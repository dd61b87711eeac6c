"""Settle a pending Mission: only a person does, and a pending Mission never runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from dialogue.services.journal import touch_card
from missions.models import Mission, MissionStatus
from missions.selectors import find_mission
from tooling.errors import Conflict
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act

if TYPE_CHECKING:
    import datetime as dt
    import uuid


class NotPending(Conflict):
    """Somebody has settled the Mission, or it never waited."""

    code = "not_pending"
    message = _("This Mission does not wait for an approval any more.")


def settle_pending_mission(
    *, principal: Principal, mission_id: uuid.UUID, approve: bool, now: dt.datetime
) -> Mission:
    """Approve a pending Mission, which makes it ready, or cancel it.

    One conditional update: of two people one wins, the other gets `NotPending`.
    Raises `NotAllowed` for whoever may not decide, a model among them, and
    `NotFound`.
    """
    require(principal, Act.DECIDE)
    mission = find_mission(principal=principal, mission_id=mission_id)
    target = MissionStatus.READY if approve else MissionStatus.CANCELLED
    with transaction.atomic():
        waiting = Mission.objects.filter(pk=mission.pk, status=MissionStatus.PENDING)
        if not waiting.update(status=target, updated_at=now):
            raise NotPending(extra={"status": mission.status})
        record_act(
            principal=principal,
            action=f"missions.pending.{'approved' if approve else 'refused'}",
            target_type="mission",
            target_id=mission.pk,
            before={"status": MissionStatus.PENDING.value},
            after={"status": target.value},
        )
        if mission.origin_conversation is not None:
            touch_card(
                conversation_id=mission.origin_conversation,
                tenant_id=mission.tenant_id,
                kind="mission",
                id=mission.pk,
                now=now,
            )
    mission.status = target
    return mission
