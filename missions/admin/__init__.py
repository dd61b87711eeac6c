"""Rows of this app in the admin."""

from missions.admin.rows import (
    MaterialisationAdmin,
    MissionAdmin,
    MissionSuggestionAdmin,
    MissionTaskAdmin,
    WorkflowDraftAdmin,
    WorkflowVersionAdmin,
)

__all__ = [
    "MaterialisationAdmin",
    "MissionAdmin",
    "MissionSuggestionAdmin",
    "MissionTaskAdmin",
    "WorkflowDraftAdmin",
    "WorkflowVersionAdmin",
]
