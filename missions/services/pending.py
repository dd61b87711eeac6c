"""Settle a pending Mission: only a person does, and a pending Mission never runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from missions.models import Mission, MissionStatus
from missions.selectors import find_mission
from missions.services.changing import lock_mission
from missions.services.telling import tell_of_mission
from tooling.boundary import payload_hash
from tooling.errors import Conflict
from tooling.models import User
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act

if TYPE_CHECKING:
    import datetime as dt
    import uuid
    from typing import Any


class NotPending(Conflict):
    """Somebody has settled the Mission, or it never waited."""

    code = "not_pending"
    message = gettext_lazy("This Mission does not wait for an approval any more.")


class PendingChanged(Conflict):
    """The Mission says something else than the page that the person saw."""

    code = "content_changed"
    message = gettext_lazy(
        "The Mission has changed since you opened the page. Nothing was settled. Read "
        "it again and decide anew."
    )


def content_hash(mission: Mission) -> str:
    """Return the fingerprint of what a Mission says now: what its page shows."""
    content: dict[str, Any] = {
        "title": mission.title,
        "objective": mission.objective,
        "tasks": list(
            mission.tasks.order_by("position").values("title", "detail", "status")
        ),
        "acceptance_criteria": mission.acceptance_criteria,
        "priority": str(mission.priority),
    }
    return payload_hash(content)


def settle_pending_mission(
    *,
    principal: Principal,
    mission_id: uuid.UUID,
    approve: bool,
    shown: str,
    now: dt.datetime,
) -> Mission:
    """Approve a pending Mission, which makes it ready, or cancel it.

    `shown` is the `content_hash` of what the person saw. One conditional update: of
    two people one wins, the other gets `NotPending`. Raises `NotAllowed` for whoever
    may not decide, a model among them, `NotFound` and `PendingChanged`.
    """
    require(principal, Act.DECIDE)
    find_mission(principal=principal, mission_id=mission_id)
    target = MissionStatus.READY if approve else MissionStatus.CANCELLED
    with transaction.atomic():
        mission = lock_mission(tenant_id=principal.tenant_id, mission_id=mission_id)
        if mission.status == MissionStatus.PENDING and shown != content_hash(mission):
            raise PendingChanged
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
        _tell(mission, principal, approve=approve, now=now)
    mission.status = target
    return mission


def _tell(
    mission: Mission, principal: Principal, *, approve: bool, now: dt.datetime
) -> None:
    """Let the conversation know; the model reads it on its next turn."""
    name = str(User.objects.get(pk=principal.person))

    def sentence() -> str:
        text = (
            _("%(name)s approved the pending Mission “%(title)s”; it is ready.")
            if approve
            else _("%(name)s refused the pending Mission “%(title)s”.")
        )
        return text % {"name": name, "title": mission.title}

    tell_of_mission(
        mission=mission,
        kind="decision",
        sentence=sentence,
        facts={"approved": approve, "by": name},
        now=now,
    )
