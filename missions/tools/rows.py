"""Rows as a model reads them: short, plain JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from missions.cards import draft_status
from tooling.listing import excerpt

if TYPE_CHECKING:
    from missions.models import (
        Mission,
        MissionSuggestionRecord,
        MissionTask,
        WorkflowDraft,
    )


def mission_row(row: Mission) -> dict[str, Any]:
    """Return a Mission in short."""
    return {
        "id": str(row.pk),
        "title": row.title,
        "status": str(row.status),
        "priority": str(row.priority),
        "created_at": row.created_at.isoformat(),
    }


def task_row(row: MissionTask) -> dict[str, Any]:
    """Return a task in short."""
    return {
        "id": str(row.pk),
        "title": row.title,
        "status": str(row.status),
        "mission": row.mission.title,
        "detail": excerpt(row.detail),
    }


def draft_row(row: WorkflowDraft) -> dict[str, Any]:
    """Return a workflow draft in short."""
    published = bool(getattr(row, "version_count", 0))
    return {
        "id": str(row.pk),
        "title": row.title,
        "status": draft_status(row, published=published),
        "steps_count": len(row.graph.get("steps", [])),
        "edit_version": row.edit_version,
        "created_at": row.created_at.isoformat(),
    }


def suggestion_row(row: MissionSuggestionRecord) -> dict[str, Any]:
    """Return a suggestion in short."""
    return {
        "id": str(row.pk),
        "title": row.title,
        "status": str(row.status),
        "reason": str(row.reason),
        "created_at": row.created_at.isoformat(),
    }
