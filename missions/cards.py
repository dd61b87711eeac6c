"""Cards and traces: how rows of this app are shown in a chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from dialogue.selectors import visible_conversations
from dialogue.spawned import Spawned
from missions.models import (
    FINISHED_MISSIONS,
    FINISHED_TASKS,
    Mission,
    MissionStatus,
    MissionSuggestionRecord,
    MissionTask,
    SuggestionStatus,
    WorkflowDraft,
)
from missions.selectors import drafts_of
from missions.services.suggestions import SWITCH_SETTING, explain_reason
from missions.subject import is_edited
from tooling.models import Tenant
from tooling.policy import Act, Principal, allows

if TYPE_CHECKING:
    import uuid

BADGES = {
    MissionStatus.PENDING: "warn",
    MissionStatus.READY: "open",
    MissionStatus.RUNNING: "open",
    MissionStatus.COMPLETED: "ok",
    MissionStatus.FAILED: "bad",
    MissionStatus.CANCELLED: "plain",
}


def badge_of(mission: Mission) -> str:
    """Return the tone in which pages show a Mission's status."""
    return BADGES[MissionStatus(mission.status)]


def load_mission_cards(
    *, tenant_id: uuid.UUID, ids: list[uuid.UUID], principal: Principal
) -> dict[uuid.UUID, dict[str, Any]]:
    """Return the card of each Mission of the tenant, by key."""
    slug = _slug(tenant_id)
    rows = Mission.objects.filter(tenant_id=tenant_id, pk__in=ids)
    tasks = dict.fromkeys(ids, 0)
    for mission_id in MissionTask.objects.filter(mission__in=rows).values_list(
        "mission_id", flat=True
    ):
        tasks[mission_id] += 1
    return {
        row.pk: {
            "kind": "mission",
            "id": str(row.pk),
            "title": row.title,
            "objective": row.objective,
            "status": str(row.status),
            "status_label": str(row.get_status_display()),
            "badge": badge_of(row),
            "tasks": tasks[row.pk],
            "url": reverse("missions:mission", args=[slug, row.pk]),
            "request_id": str(row.source_request_id) if row.source_request_id else None,
        }
        for row in rows
    }


def load_suggestion_cards(
    *, tenant_id: uuid.UUID, ids: list[uuid.UUID], principal: Principal
) -> dict[uuid.UUID, dict[str, Any]]:
    """Return the card of each suggestion that the principal may see, by key."""
    slug = _slug(tenant_id)
    seen = visible_conversations(principal=principal).values("pk")
    rows = MissionSuggestionRecord.objects.filter(
        tenant_id=tenant_id, pk__in=ids, origin_conversation__in=seen
    )
    may_raise = allows(principal, Act.RAISE)
    return {
        row.pk: {
            "kind": "suggestion",
            "id": str(row.pk),
            "title": row.title,
            "text": row.text,
            "status": str(row.status),
            "status_label": str(row.get_status_display()),
            "is_open": row.status == SuggestionStatus.OPEN,
            "reason": str(row.reason),
            "reason_label": str(row.get_reason_display()),
            "why": explain_reason(row),
            "setting": SWITCH_SETTING if row.reason == "switch_off" else "",
            "tool": row.tool,
            "url": reverse("missions:suggestions", args=[slug]),
            "propose_url": (
                propose_url(slug, row)
                if may_raise and row.status == SuggestionStatus.OPEN
                else ""
            ),
        }
        for row in rows
    }


def load_draft_cards(
    *, tenant_id: uuid.UUID, ids: list[uuid.UUID], principal: Principal
) -> dict[uuid.UUID, dict[str, Any]]:
    """Return the card of each workflow draft that the principal may see, by key."""
    slug = _slug(tenant_id)
    rows = drafts_of(principal=principal).filter(tenant_id=tenant_id, pk__in=ids)
    return {row.pk: _draft_card(row, slug) for row in rows}


def _draft_card(row: WorkflowDraft, slug: str) -> dict[str, Any]:
    published = bool(getattr(row, "version_count", 0))
    status = draft_status(row, published=published)
    return {
        "kind": "draft",
        "id": str(row.pk),
        "title": row.title,
        "status": status,
        "status_label": _draft_label(status),
        "steps": len(row.graph.get("steps", [])),
        "edited": row.source_request is not None and is_edited(row, row.source_request),
        "url": reverse("missions:draft", args=[slug, row.pk]),
    }


def _draft_label(status: str) -> str:
    return {
        "published": _("Published"),
        "placeholder": _("Placeholder"),
        "draft": _("Draft"),
    }[status]


def propose_url(slug: str, suggestion: MissionSuggestionRecord) -> str:
    """Return the address of the form that turns a suggestion into a proposal."""
    return f"{reverse('missions:propose', args=[slug])}?suggestion={suggestion.pk}"


def spawned_missions(
    *, tenant_id: uuid.UUID, conversation_id: uuid.UUID
) -> list[Spawned]:
    """List the Missions of a conversation."""
    slug = _slug(tenant_id)
    rows = Mission.objects.filter(
        tenant_id=tenant_id, origin_conversation=conversation_id
    )
    return [
        Spawned(
            kind="mission",
            id=row.pk,
            title=row.title,
            status=row.status,
            url=reverse("missions:mission", args=[slug, row.pk]),
            created_at=row.created_at,
            origin_message=row.origin_message,
            is_open=row.status not in FINISHED_MISSIONS,
        )
        for row in rows
    ]


def spawned_tasks(*, tenant_id: uuid.UUID, conversation_id: uuid.UUID) -> list[Spawned]:
    """List the tasks of a conversation's Missions, and those added from it."""
    slug = _slug(tenant_id)
    rows = MissionTask.objects.filter(
        mission__tenant_id=tenant_id, origin_conversation=conversation_id
    ).select_related("mission")
    return [
        Spawned(
            kind="task",
            id=row.pk,
            title=row.title,
            status=row.status,
            url=reverse("missions:mission", args=[slug, row.mission_id]),
            created_at=row.created_at,
            origin_message=row.origin_message or row.mission.origin_message,
            is_open=row.status not in FINISHED_TASKS,
        )
        for row in rows
    ]


def spawned_drafts(
    *, tenant_id: uuid.UUID, conversation_id: uuid.UUID
) -> list[Spawned]:
    """List the workflow drafts of a conversation's proposals."""
    slug = _slug(tenant_id)
    rows = WorkflowDraft.objects.filter(
        tenant_id=tenant_id, origin_conversation=conversation_id
    ).prefetch_related("versions")
    return [
        Spawned(
            kind="draft",
            id=row.pk,
            title=row.title,
            status=draft_status(row, published=bool(row.versions.all())),
            url=reverse("missions:draft", args=[slug, row.pk]),
            created_at=row.created_at,
            origin_message=row.origin_message,
        )
        for row in rows
    ]


def spawned_suggestions(
    *, tenant_id: uuid.UUID, conversation_id: uuid.UUID
) -> list[Spawned]:
    """List the suggestions of a conversation."""
    slug = _slug(tenant_id)
    rows = MissionSuggestionRecord.objects.filter(
        tenant_id=tenant_id, origin_conversation=conversation_id
    )
    return [
        Spawned(
            kind="suggestion",
            id=row.pk,
            title=row.title,
            status=row.status,
            url=reverse("missions:suggestions", args=[slug]),
            created_at=row.created_at,
            origin_message=row.origin_message,
            is_open=row.status == SuggestionStatus.OPEN,
        )
        for row in rows
    ]


def draft_status(draft: WorkflowDraft, *, published: bool) -> str:
    """Return placeholder, draft or published: what lists and models read."""
    if published:
        return "published"
    return "placeholder" if draft.is_placeholder else "draft"


def _slug(tenant_id: uuid.UUID) -> str:
    return Tenant.objects.values_list("slug", flat=True).get(pk=tenant_id)
