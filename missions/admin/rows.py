"""Missions and what leads to them, for operators: to read. Services change rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.contrib import admin
from django.db.models import Q
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from dialogue.models import Conversation
from missions.models import (
    Materialisation,
    Mission,
    MissionSuggestionRecord,
    MissionTask,
    WorkflowDraft,
    WorkflowVersion,
)
from missions.workflow.graph import parse_graph
from missions.workflow.picture import draw_graph
from tooling.admin.base import ReadOnlyAdmin, TenantFilter

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

SHEET = "missions/missions.css"


@admin.register(Mission)
class MissionAdmin(ReadOnlyAdmin[Mission]):
    """Approved work."""

    list_display = ("title", "status", "priority", "tenant", "created_by", "created_at")
    list_filter = ("status", "priority", TenantFilter)
    list_select_related = ("tenant", "created_by")
    search_fields = ("title",)
    ordering = ("-created_at", "-id")


@admin.register(MissionTask)
class MissionTaskAdmin(ReadOnlyAdmin[MissionTask]):
    """Parts of Missions."""

    tenant_path = "mission__tenant_id"
    list_display = ("title", "status", "mission", "position")
    list_filter = ("status",)
    list_select_related = ("mission",)
    search_fields = ("title", "mission__title")
    ordering = ("-created_at", "-id")


@admin.register(WorkflowDraft)
class WorkflowDraftAdmin(ReadOnlyAdmin[WorkflowDraft]):
    """Drafts; they are edited and published on their own page."""

    list_display = ("title", "is_placeholder", "tenant", "created_by", "created_at")
    list_filter = ("is_placeholder", TenantFilter)
    list_select_related = ("tenant", "created_by")
    search_fields = ("title",)
    ordering = ("-created_at", "-id")
    readonly_fields = ("picture",)

    class Media:
        css: ClassVar = {"all": (SHEET,)}

    @admin.display(description=_("Steps"))
    def picture(self, draft: WorkflowDraft) -> SafeString:
        """Return the graph as a picture."""
        return draw_graph(parse_graph(draft.graph), title=draft.title)


@admin.register(WorkflowVersion)
class WorkflowVersionAdmin(ReadOnlyAdmin[WorkflowVersion]):
    """Published graphs."""

    list_display = ("title", "number", "tenant", "published_by", "published_at")
    list_filter = (TenantFilter,)
    list_select_related = ("tenant", "published_by")
    search_fields = ("title",)
    ordering = ("-published_at", "-id")


@admin.register(Materialisation)
class MaterialisationAdmin(ReadOnlyAdmin[Materialisation]):
    """What followed approvals; a failed one is tried again on its request's page."""

    tenant_path = "request__tenant_id"
    list_display = ("request", "state", "attempts", "error_code", "updated_at")
    list_filter = ("state",)
    list_select_related = ("request", "mission")
    search_fields = ("request__title",)
    ordering = ("-updated_at",)


@admin.register(MissionSuggestionRecord)
class MissionSuggestionAdmin(ReadOnlyAdmin[MissionSuggestionRecord]):
    """Ideas that reached no proposal, but for those of others' private talks."""

    list_display = ("title", "reason", "status", "tenant", "where", "created_at")
    list_filter = ("status", "reason", TenantFilter)
    list_select_related = ("tenant",)
    search_fields = ("title",)
    ordering = ("-created_at", "-id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MissionSuggestionRecord]:
        """Keep private conversations private."""
        hidden = Conversation.objects.filter(
            Q(is_private=True) & ~Q(created_by_id=request.user.pk)
        )
        rows = super().get_queryset(request)
        return rows.exclude(origin_conversation__in=hidden.values("pk"))

    @admin.display(description=_("Conversation"))
    def where(self, suggestion: MissionSuggestionRecord) -> SafeString:
        """Link the conversation that it came from."""
        slug = suggestion.tenant.slug
        return format_html(
            '<a href="/t/{}/c/{}/">{}</a>',
            slug,
            suggestion.origin_conversation,
            _("Open"),
        )
