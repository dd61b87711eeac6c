"""Create a Mission: the one path for tools, approvals and people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from missions.models import Mission, MissionStatus, MissionTask
from tooling.services.audit import record_act

if TYPE_CHECKING:
    import datetime as dt

    from decisions.models import AttentionRequest
    from missions.makers import Maker, Origin
    from missions.specification import MissionSpec


def create_mission(
    *,
    maker: Maker,
    origin: Origin | None,
    spec: MissionSpec,
    source_request: AttentionRequest | None = None,
    payload_hash: str = "",
    status: MissionStatus = MissionStatus.READY,
    now: dt.datetime,
) -> Mission:
    """Create a Mission with its tasks, and an audit entry, in one transaction.

    It is ready; `status` is for the older way, which leaves it pending. `spec` is
    checked by its own constructors. `source_request` is the approved request, if
    there is one: a second Mission for it raises `IntegrityError`. Rights are the
    caller's to check: the gate, the approval or the role policy.
    """
    with transaction.atomic():
        mission = Mission.objects.create(
            tenant_id=maker.tenant_id,
            title=spec.title,
            objective=spec.objective,
            acceptance_criteria=list(spec.acceptance_criteria),
            priority=spec.priority,
            status=status,
            source_request=source_request,
            payload_hash=payload_hash,
            maker_kind=maker.kind,
            created_by_id=maker.user_id,
            origin_conversation=origin.conversation_id if origin else None,
            origin_message=origin.message_id if origin else None,
            created_at=now,
        )
        MissionTask.objects.bulk_create(
            MissionTask(
                mission=mission,
                position=position,
                title=task.title,
                detail=task.detail,
                maker_kind=maker.kind,
                origin_conversation=mission.origin_conversation,
                origin_message=mission.origin_message,
                created_at=now,
            )
            for position, task in enumerate(spec.tasks, start=1)
        )
        record_act(
            principal=maker.principal(),
            action="mission.created",
            target_type="mission",
            target_id=mission.id,
            after={
                "title": mission.title,
                "status": str(mission.status),
                "request": str(source_request.id) if source_request else None,
            },
        )
    return mission
