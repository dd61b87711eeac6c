"""Rows of approved work and of what leads to it."""

from missions.models.materialisation import Materialisation, MaterialisationState
from missions.models.mission import (
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
