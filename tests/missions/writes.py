"""What tests of the tools that change things share."""

from __future__ import annotations

from typing import Any

from decisions.models import AttentionRequest
from missions.models import (
    Mission,
    MissionSuggestionRecord,
    MissionTask,
    WorkflowDraft,
    WorkflowVersion,
)
from tests.missions.support import (
    SOUND_PLAN,
    Scene,
    make_mission,
    plan,
    propose,
)
from tooling.models import AuditEntry


def sound(scene: Scene, name: str) -> dict[str, Any]:
    """Return arguments with which a tool runs."""
    mission = make_mission(scene)
    task = mission.tasks.get()
    draft = propose(scene, plan=SOUND_PLAN).draft
    return {
        "mission_update": {"id": str(mission.pk), "title": "Other"},
        "mission_add_task": {"mission_id": str(mission.pk), "title": "More"},
        "task_create": {"mission_id": str(mission.pk), "title": "More"},
        "task_update": {"id": str(task.pk), "status": "running"},
        "workflow_draft_update": {
            "id": str(draft.pk),
            "edit_version": 1,
            **plan(("only", ())),
        },
        "suggestion_create": {"title": "Shorter months"},
    }[name]


NAMES = (
    *("mission_update", "mission_add_task", "task_create", "task_update"),
    *("workflow_draft_update", "suggestion_create"),
)


def everything() -> list[Any]:
    """Return every row that a write tool could touch."""
    models = (
        *(Mission, MissionTask, WorkflowDraft, WorkflowVersion),
        *(MissionSuggestionRecord, AttentionRequest, AuditEntry),
    )
    return [list(model.objects.order_by("pk").values()) for model in models]


def last_act() -> AuditEntry:
    return AuditEntry.objects.latest("at", "id")
