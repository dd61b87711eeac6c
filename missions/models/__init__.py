"""Rows of approved work and of what leads to it."""

from missions.models.materialisation import Materialisation, MaterialisationState
from missions.models.mission import (
    FINISHED_MISSIONS,
    FINISHED_TASKS,
    Mission,
    MissionStatus,
    MissionTask,
    Priority,
    TaskStatus,
)
from missions.models.suggestion import (
    MissionSuggestionRecord,
    SuggestionReason,
    SuggestionStatus,
)
from missions.models.workflow import WorkflowDraft, WorkflowVersion

__all__ = [
    "FINISHED_MISSIONS",
    "FINISHED_TASKS",
    "Materialisation",
    "MaterialisationState",
    "Mission",
    "MissionStatus",
    "MissionSuggestionRecord",
    "MissionTask",
    "Priority",
    "SuggestionReason",
    "SuggestionStatus",
    "TaskStatus",
    "WorkflowDraft",
    "WorkflowVersion",
]
