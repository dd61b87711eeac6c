"""Reads of Missions, drafts and suggestions: never without a tenant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Q, QuerySet

from decisions.kinds import ApprovalOption
from decisions.models import AttentionRequest, RequestState
from decisions.selectors import visible_requests
from dialogue.selectors import visible_conversations
from missions.models import (
    Mission,
    MissionStatus,
    MissionSuggestionRecord,
    MissionTask,
    SuggestionStatus,
    TaskStatus,
    WorkflowDraft,
    WorkflowVersion,
)
from missions.subject import SUBJECT
from tooling.errors import InvalidInput, NotFound
from tooling.models import AuditEntry
from tooling.paging import Page, keyset
from tooling.policy import Act, Principal, allows, require

if TYPE_CHECKING:
    import uuid

    from dialogue.models import Conversation


def missions_of(
    *, principal: Principal, status: str = "", search: str = ""
) -> QuerySet[Mission]:
    """Return the tenant's Missions, by status and by words of the title."""
    _may_read(principal)
    rows = Mission.objects.filter(tenant_id=principal.tenant_id)
    if status:
        _check_choice(status, MissionStatus.values)
        rows = rows.filter(status=status)
    if search:
        rows = rows.filter(title__icontains=search[:200])
    return rows


def list_missions(
    *,
    principal: Principal,
    status: str = "",
    search: str = "",
    cursor: str = "",
    limit: int = 50,
) -> Page[Mission]:
    """Return a page of Missions, newest first, each with `task_count`."""
    rows = missions_of(principal=principal, status=status, search=search)
    rows = rows.annotate(task_count=Count("tasks"))
    return keyset(rows, cursor=cursor, limit=limit)


def find_mission(*, principal: Principal, mission_id: uuid.UUID) -> Mission:
    """Return one Mission of the tenant or raise `NotFound`."""
    _may_read(principal)
    rows = Mission.objects.select_related(
        "created_by", "source_request", "source_request__draft"
    )
    found = rows.filter(tenant_id=principal.tenant_id, pk=mission_id).first()
    if found is None:
        raise NotFound
    return found


def tasks_of(
    *, principal: Principal, mission_id: uuid.UUID | None = None, status: str = ""
) -> QuerySet[MissionTask]:
    """Return tasks of the tenant's Missions, newest Mission first, in their order."""
    _may_read(principal)
    rows = MissionTask.objects.filter(mission__tenant_id=principal.tenant_id)
    if mission_id is not None:
        rows = rows.filter(mission_id=mission_id)
    if status:
        _check_choice(status, TaskStatus.values)
        rows = rows.filter(status=status)
    rows = rows.select_related("mission")
    return rows.order_by("-mission__created_at", "-mission_id", "position")


def find_task(*, principal: Principal, task_id: uuid.UUID) -> MissionTask:
    """Return one task of the tenant's Missions or raise `NotFound`."""
    found = tasks_of(principal=principal).filter(pk=task_id).first()
    if found is None:
        raise NotFound
    return found


def mission_acts(*, principal: Principal, mission: Mission) -> list[AuditEntry]:
    """Return what was changed of a Mission and its tasks, the newest 50 acts first."""
    _may_read(principal)
    tasks = MissionTask.objects.filter(mission=mission).values("pk")
    rows = AuditEntry.objects.filter(
        Q(target_id=mission.pk) | Q(target_id__in=tasks),
        tenant_id=principal.tenant_id,
        action__in=("mission.changed", "task.added", "task.changed"),
    )
    return list(rows.order_by("-at", "-id")[:50])


def drafts_of(*, principal: Principal) -> QuerySet[WorkflowDraft]:
    """Return the tenant's workflow drafts, each with `version_count`.

    As with requests: whoever decides sees them all; others, and a model, not those
    of somebody else's private conversation, until they are approved.
    """
    _may_read(principal)
    rows = WorkflowDraft.objects.filter(tenant_id=principal.tenant_id)
    if not allows(principal, Act.DECIDE):
        seen = Q(source_request__in=visible_requests(principal=principal).values("pk"))
        approved = Q(source_request__resolved_option=ApprovalOption.APPROVE)
        rows = rows.filter(seen | approved | Q(source_request=None))
    return rows.select_related("source_request").annotate(
        version_count=Count("versions")
    )


def list_drafts(
    *, principal: Principal, cursor: str = "", limit: int = 50
) -> Page[WorkflowDraft]:
    """Return a page of workflow drafts, newest first."""
    return keyset(drafts_of(principal=principal), cursor=cursor, limit=limit)


def find_draft(*, principal: Principal, draft_id: uuid.UUID) -> WorkflowDraft:
    """Return one draft of the tenant or raise `NotFound`."""
    found = drafts_of(principal=principal).filter(pk=draft_id).first()
    if found is None:
        raise NotFound
    return found


def versions_of(*, draft: WorkflowDraft) -> list[WorkflowVersion]:
    """Return a draft's published versions, the newest first."""
    rows = WorkflowVersion.objects.filter(draft=draft).select_related("published_by")
    return list(rows.order_by("-number"))


def find_version(*, draft: WorkflowDraft, number: int) -> WorkflowVersion:
    """Return one published version of a draft or raise `NotFound`."""
    rows = WorkflowVersion.objects.filter(draft=draft).select_related("published_by")
    found = rows.filter(number=number).first()
    if found is None:
        raise NotFound
    return found


def suggestions_of(
    *, principal: Principal, status: str = ""
) -> QuerySet[MissionSuggestionRecord]:
    """Return suggestions of conversations that the principal may see."""
    _may_read(principal)
    seen = visible_conversations(principal=principal).values("pk")
    rows = MissionSuggestionRecord.objects.filter(
        tenant_id=principal.tenant_id, origin_conversation__in=seen
    )
    if status:
        _check_choice(status, SuggestionStatus.values)
        rows = rows.filter(status=status)
    return rows


def list_suggestions(
    *, principal: Principal, status: str = "", cursor: str = "", limit: int = 50
) -> Page[MissionSuggestionRecord]:
    """Return a page of suggestions, newest first."""
    rows = suggestions_of(principal=principal, status=status)
    return keyset(rows, cursor=cursor, limit=limit)


def find_suggestion(
    *, principal: Principal, suggestion_id: uuid.UUID
) -> MissionSuggestionRecord:
    """Return one suggestion that the principal may see, or raise `NotFound`."""
    found = suggestions_of(principal=principal).filter(pk=suggestion_id).first()
    if found is None:
        raise NotFound
    return found


def revisable_requests(
    *, tenant_id: uuid.UUID, conversation_id: uuid.UUID | None
) -> QuerySet[AttentionRequest]:
    """Return proposals of a conversation that asked for changes and got none yet."""
    return AttentionRequest.objects.filter(
        tenant_id=tenant_id,
        subject=SUBJECT,
        origin_conversation=conversation_id,
        state=RequestState.RESOLVED,
        resolved_option=ApprovalOption.CHANGES,
        revised_by__isnull=True,
    ).order_by("-created_at")


def visible_conversation(
    *, principal: Principal, conversation_id: uuid.UUID | None
) -> Conversation | None:
    """Return where a row came from, if the principal may see that conversation."""
    if conversation_id is None:
        return None
    rows = visible_conversations(principal=principal)
    return rows.filter(pk=conversation_id).first()


def open_requests(*, principal: Principal) -> int:
    """Count the requests of the Decisions queue that wait for a person."""
    rows = visible_requests(principal=principal)
    return rows.filter(state=RequestState.OPEN).count()


def ready_missions(*, principal: Principal) -> int:
    """Count the Missions that nobody has started."""
    return missions_of(principal=principal, status=MissionStatus.READY).count()


def open_suggestions(*, principal: Principal) -> int:
    """Count the suggestions that nobody has reviewed."""
    return suggestions_of(principal=principal, status=SuggestionStatus.OPEN).count()


def _may_read(principal: Principal) -> None:
    # A model has no role: the gate has judged its call already.
    if principal.is_human:
        require(principal, Act.READ)


def _check_choice(value: str, choices: list[str]) -> None:
    if value not in choices:
        raise InvalidInput(field="status", extra={"choices": choices})
