"""Change a Mission and its tasks: what they say, never how they end.

Each change is kept in the audit log with what stood there before. Rights are the
caller's to check: the gate or the role policy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from dialogue.services.journal import touch_card
from missions.models import (
    FINISHED_MISSIONS,
    Mission,
    MissionStatus,
    MissionTask,
    Priority,
    TaskStatus,
)
from missions.specification import (
    MAX_CRITERIA,
    MAX_CRITERION,
    MAX_OBJECTIVE,
    MAX_TASKS,
    TooMany,
    UnknownPriority,
    check_task,
    check_texts,
    one_line,
    paragraph,
)
from tooling.errors import Conflict, InvalidInput, NotFound
from tooling.services.audit import record_act

if TYPE_CHECKING:
    import datetime as dt
    import uuid
    from collections.abc import Mapping, Sequence

    from missions.makers import Maker, Origin

UNDER_WAY = (MissionStatus.READY, MissionStatus.RUNNING)
OPEN_TASKS = (TaskStatus.TODO, TaskStatus.RUNNING, TaskStatus.BLOCKED)


class MissionFinished(Conflict):
    """A Mission that is over stays as it is."""

    code = "mission_finished"
    message = _("This Mission is over, so it is not changed any more.")


class MissionNotUnderWay(Conflict):
    """Tasks move only where a Mission is ready or running."""

    code = "mission_not_under_way"
    message = _(
        "The tasks of a Mission change only while it is ready or running. This one "
        "is not."
    )


class TaskFinished(Conflict):
    """A task that is over stays as it is."""

    code = "task_finished"
    message = _("This task is over, so it is not changed any more.")


class NothingGiven(InvalidInput):
    """A change that names nothing to change."""

    code = "nothing_given"
    message = _("Name at least one field to change.")


class UnknownTaskStatus(InvalidInput):
    """A status that a task may not be given."""

    code = "unknown_status"
    field = "status"
    message = _("A task can be set to do, running or blocked; people end it.")


@dataclass(frozen=True, slots=True)
class Changed:
    """The fields that a change moves, before and after, by name."""

    before: dict[str, Any]
    after: dict[str, Any]

    @classmethod
    def of(cls, row: Mission | MissionTask, wanted: Mapping[str, Any]) -> Changed:
        """Compare a row with what is wanted of it."""
        moved = [name for name, value in wanted.items() if getattr(row, name) != value]
        return cls(
            {name: getattr(row, name) for name in moved},
            {name: wanted[name] for name in moved},
        )


def plan_mission_change(
    *,
    mission: Mission,
    title: str | None = None,
    objective: str | None = None,
    priority: str | None = None,
    acceptance_criteria: Sequence[str] | None = None,
) -> Changed:
    """Return what a change of a Mission would move. Pure but for the row given.

    Raises `MissionFinished`, `NothingGiven`, `InvalidInput`.
    """
    if mission.status in FINISHED_MISSIONS:
        raise MissionFinished(extra={"status": str(mission.status)})
    wanted: dict[str, Any] = {}
    if title is not None:
        wanted["title"] = one_line(title, field="title")
    if objective is not None:
        wanted["objective"] = paragraph(
            objective, field="objective", limit=MAX_OBJECTIVE
        )
    if priority is not None:
        if priority not in Priority.values:
            raise UnknownPriority
        wanted["priority"] = priority
    if acceptance_criteria is not None:
        wanted["acceptance_criteria"] = check_texts(
            acceptance_criteria,
            field="acceptance_criteria",
            count=MAX_CRITERIA,
            limit=MAX_CRITERION,
        )
    if not wanted:
        raise NothingGiven
    return Changed.of(mission, wanted)


def update_mission(
    *,
    maker: Maker,
    origin: Origin | None,
    mission_id: uuid.UUID,
    now: dt.datetime,
    **wanted: Any,
) -> Mission:
    """Change title, objective, priority or acceptance criteria; return the Mission.

    `wanted` is what `plan_mission_change` takes. The same values again change
    nothing. Raises `NotFound` and what that raises.
    """
    with transaction.atomic():
        mission = lock_mission(tenant_id=maker.tenant_id, mission_id=mission_id)
        changed = plan_mission_change(mission=mission, **wanted)
        if not changed.after:
            return mission
        for name, value in changed.after.items():
            setattr(mission, name, value)
        mission.updated_at = now
        mission.save(update_fields=[*changed.after, "updated_at"])
        _record(maker, origin, "mission", mission.pk, changed)
        touch_mission(mission, now=now)
    return mission


def add_task(
    *,
    maker: Maker,
    origin: Origin | None,
    mission_id: uuid.UUID,
    title: str,
    detail: str = "",
    now: dt.datetime,
) -> MissionTask:
    """Add a task, to do, after the last one of a Mission that is not over.

    Raises `NotFound`, `MissionFinished`, `TooMany`, `InvalidInput`.
    """
    task = check_task({"title": title, "detail": detail})
    with transaction.atomic():
        mission = lock_mission(tenant_id=maker.tenant_id, mission_id=mission_id)
        position = next_position(mission=mission)
        row = MissionTask.objects.create(
            mission=mission,
            position=position,
            title=task.title,
            detail=task.detail,
            maker_kind=maker.kind,
            origin_conversation=origin.conversation_id if origin else None,
            origin_message=origin.message_id if origin else None,
            created_at=now,
        )
        after = {"mission": str(mission.pk), "title": row.title, "detail": row.detail}
        _record(maker, origin, "task", row.pk, Changed({}, after), act="added")
        touch_mission(mission, now=now)
    return row


def next_position(*, mission: Mission) -> int:
    """Return where a further task would stand, if the Mission may have one."""
    if mission.status in FINISHED_MISSIONS:
        raise MissionFinished(extra={"status": str(mission.status)})
    rows = MissionTask.objects.filter(mission=mission)
    if rows.count() >= MAX_TASKS:
        message = _("A Mission has at most %(limit)s tasks.")
        raise TooMany(message % {"limit": MAX_TASKS}, field="mission_id")
    last: int = rows.aggregate(last=Max("position"))["last"] or 0
    return last + 1


def plan_task_change(
    *,
    task: MissionTask,
    title: str | None = None,
    detail: str | None = None,
    status: str | None = None,
) -> Changed:
    """Return what a change of a task would move. Pure but for the rows given.

    Raises `MissionNotUnderWay`, `TaskFinished`, `UnknownTaskStatus`, `NothingGiven`
    and `InvalidInput`.
    """
    if task.mission.status not in UNDER_WAY:
        raise MissionNotUnderWay(extra={"status": str(task.mission.status)})
    if task.status not in OPEN_TASKS:
        raise TaskFinished(extra={"status": str(task.status)})
    checked = check_task(
        {
            "title": task.title if title is None else title,
            "detail": task.detail if detail is None else detail,
        }
    )
    wanted: dict[str, Any] = {}
    if title is not None:
        wanted["title"] = checked.title
    if detail is not None:
        wanted["detail"] = checked.detail
    if status is not None:
        if status not in OPEN_TASKS:
            raise UnknownTaskStatus
        wanted["status"] = status
    if not wanted:
        raise NothingGiven
    return Changed.of(task, wanted)


def update_task(
    *,
    maker: Maker,
    origin: Origin | None,
    task_id: uuid.UUID,
    now: dt.datetime,
    **wanted: Any,
) -> MissionTask:
    """Change a task's words, or move it between to do, running and blocked.

    `wanted` is what `plan_task_change` takes; its errors, and `NotFound`.
    """
    with transaction.atomic():
        task = _lock_task(tenant_id=maker.tenant_id, task_id=task_id)
        changed = plan_task_change(task=task, **wanted)
        if not changed.after:
            return task
        for name, value in changed.after.items():
            setattr(task, name, value)
        task.save(update_fields=list(changed.after))
        _record(maker, origin, "task", task.pk, changed)
        touch_mission(task.mission, now=now)
    return task


def lock_mission(*, tenant_id: uuid.UUID, mission_id: uuid.UUID) -> Mission:
    """Return a Mission of the tenant, its row locked, or raise `NotFound`."""
    found = (
        Mission.objects.select_for_update()
        .filter(tenant_id=tenant_id, pk=mission_id)
        .first()
    )
    if found is None:
        raise NotFound
    return found


def _lock_task(*, tenant_id: uuid.UUID, task_id: uuid.UUID) -> MissionTask:
    """Return a task with its Mission; the Mission is locked first, as everywhere."""
    rows = MissionTask.objects.filter(mission__tenant_id=tenant_id, pk=task_id)
    mission_id = rows.values_list("mission_id", flat=True).first()
    if mission_id is None:
        raise NotFound
    mission = lock_mission(tenant_id=tenant_id, mission_id=mission_id)
    task = MissionTask.objects.select_for_update().get(pk=task_id)
    task.mission = mission
    return task


def touch_mission(mission: Mission, *, now: dt.datetime) -> None:
    """Make open pages fetch the Mission's card again. Last in the transaction."""
    if mission.origin_conversation is not None:
        touch_card(
            conversation_id=mission.origin_conversation,
            tenant_id=mission.tenant_id,
            kind="mission",
            id=mission.pk,
            now=now,
        )


def _record(
    maker: Maker,
    origin: Origin | None,
    kind: str,
    key: uuid.UUID,
    changed: Changed,
    *,
    act: str = "changed",
) -> None:
    record_act(
        principal=maker.principal(),
        action=f"{kind}.{act}",
        target_type=kind,
        target_id=key,
        before=changed.before,
        after={**changed.after, **(origin.facts() if origin else {})},
    )
