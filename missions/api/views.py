"""Missions, workflows, suggestions and proposals by REST."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from missions.api.serializers import (
    DraftBody,
    MissionDetailSerializer,
    MissionSerializer,
    PendingBody,
    ProposalBody,
    ProposedSerializer,
    PublishBody,
    PublishedSerializer,
    ResultsSerializer,
    SettleBody,
    SuggestionSerializer,
    WorkflowDetailSerializer,
    WorkflowSerializer,
)
from missions.models import FINISHED_MISSIONS, MissionStatus, SuggestionStatus
from missions.selectors import (
    find_draft,
    find_mission,
    find_suggestion,
    list_drafts,
    list_missions,
    list_suggestions,
    tasks_of,
    versions_of,
)
from missions.services.drafts import edit_draft
from missions.services.pending import settle_pending_mission
from missions.services.proposing import raise_proposal
from missions.services.proposing_pending import raise_pending_mission
from missions.services.publishing import publish_draft
from missions.services.suggestions import dismiss_suggestion
from missions.workflow.graph import parse_graph
from missions.workflow.validation import publish_problems
from tooling.api.fields import EmptyBody, read_body
from tooling.api.idempotency import IDEMPOTENCY_PARAMETER, idempotent
from tooling.api.pages import (
    PAGE_PARAMETERS,
    choice_param,
    page_of,
    page_query,
    page_response,
    text_param,
)
from tooling.api.views import TenantAPIView
from tooling.policy import Act

if TYPE_CHECKING:
    import uuid

    from rest_framework.request import Request

    from tooling.policy import Principal


class MissionsView(TenantAPIView):
    """The team's Missions."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="mission_list",
        summary="List Missions, newest first",
        parameters=[
            *PAGE_PARAMETERS,
            OpenApiParameter("status", enum=MissionStatus.values),
            OpenApiParameter("search", description="Part of the title."),
        ],
        responses=page_of(MissionSerializer),
    )
    def get(self, request: Request) -> Response:
        """List."""
        page = list_missions(
            principal=self.principal,
            status=choice_param(request, "status", MissionStatus.values),
            search=text_param(request, "search"),
            **page_query(request),
        )
        return page_response(page, MissionSerializer)


class MissionView(TenantAPIView):
    """One Mission."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="mission_get",
        summary="Read a Mission with its tasks",
        responses=MissionDetailSerializer,
    )
    def get(self, request: Request, mission_id: uuid.UUID) -> Response:
        """Read."""
        return _mission_detail(self.principal, mission_id)


class PendingView(TenantAPIView):
    """Missions that wait for a person's approval, the older way."""

    acts: ClassVar = {"POST": Act.RAISE}

    @extend_schema(
        operation_id="dialogue_propose_mission",
        summary="Make a pending Mission, with the write switch off too",
        parameters=[IDEMPOTENCY_PARAMETER],
        request=PendingBody,
        responses={201: MissionDetailSerializer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Make it; it does not run until a person approves it."""
        data = read_body(PendingBody, request)
        made = raise_pending_mission(principal=self.principal, now=self.now, **data)
        return _mission_detail(self.principal, made.mission.pk, status=201)


class SettleView(TenantAPIView):
    """A person's answer to a pending Mission."""

    acts: ClassVar = {"POST": Act.DECIDE}

    @extend_schema(
        operation_id="mission_settle",
        summary="Approve or refuse a pending Mission that you read",
        parameters=[IDEMPOTENCY_PARAMETER],
        request=SettleBody,
        responses=MissionDetailSerializer,
    )
    @idempotent
    def post(self, request: Request, mission_id: uuid.UUID) -> Response:
        """Settle; 409 where it was settled, or changed since it was read."""
        find_mission(principal=self.principal, mission_id=mission_id)
        data = read_body(SettleBody, request)
        settle_pending_mission(
            principal=self.principal,
            mission_id=mission_id,
            approve=data["choice"] == "approve",
            shown=data["content_hash"],
            now=self.now,
        )
        return _mission_detail(self.principal, mission_id)


class ResultsView(TenantAPIView):
    """What came of a Mission."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="dialogue_get_mission_results",
        summary="Read the outcome of each task of a Mission that is over",
        responses=ResultsSerializer,
    )
    def get(self, request: Request, mission_id: uuid.UUID) -> Response:
        """Read; empty, and not finished, where it is not over."""
        mission = find_mission(principal=self.principal, mission_id=mission_id)
        finished = mission.status in FINISHED_MISSIONS
        rows = tasks_of(principal=self.principal, mission_id=mission.pk)
        body = {
            "status": mission.status,
            "finished": finished,
            "results": rows if finished else [],
        }
        return Response(ResultsSerializer(body).data)


def _mission_detail(
    principal: Principal, mission_id: uuid.UUID, *, status: int = 200
) -> Response:
    found: Any = find_mission(principal=principal, mission_id=mission_id)
    found.task_rows = tasks_of(principal=principal, mission_id=found.pk)
    return Response(MissionDetailSerializer(found).data, status=status)


class ProposalsView(TenantAPIView):
    """Proposals that people raise; the Decisions queue lists them."""

    acts: ClassVar = {"POST": Act.RAISE}

    @extend_schema(
        operation_id="mission_propose",
        summary="Raise a proposal, with the write switch off too",
        parameters=[IDEMPOTENCY_PARAMETER],
        request=ProposalBody,
        responses={200: ProposedSerializer, 201: ProposedSerializer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Propose; an equal one that is open is found, not made again."""
        data = {
            "tasks": [],
            "acceptance_criteria": [],
            **read_body(ProposalBody, request),
        }
        proposed = raise_proposal(principal=self.principal, now=self.now, **data)
        body = ProposedSerializer(proposed).data
        return Response(body, status=201 if proposed.created else 200)


class WorkflowsView(TenantAPIView):
    """The team's workflow drafts."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="workflow_list",
        summary="List workflow drafts, newest first",
        parameters=PAGE_PARAMETERS,
        responses=page_of(WorkflowSerializer),
    )
    def get(self, request: Request) -> Response:
        """List."""
        page = list_drafts(principal=self.principal, **page_query(request))
        return page_response(page, WorkflowSerializer)


class WorkflowView(TenantAPIView):
    """One workflow draft."""

    acts: ClassVar = {"GET": Act.READ, "PATCH": Act.PUBLISH}

    @extend_schema(
        operation_id="workflow_get",
        summary="Read a draft: steps, problems, published versions",
        responses=WorkflowDetailSerializer,
    )
    def get(self, request: Request, draft_id: uuid.UUID) -> Response:
        """Read."""
        return self._detail(draft_id)

    @extend_schema(
        operation_id="workflow_draft_update",
        summary="Replace a draft's title and steps",
        request=DraftBody,
        responses=WorkflowDetailSerializer,
    )
    def patch(self, request: Request, draft_id: uuid.UUID) -> Response:
        """Edit; 409 where somebody else has edited in the meantime."""
        data = read_body(DraftBody, request)
        edit_draft(principal=self.principal, draft_id=draft_id, now=self.now, **data)
        return self._detail(draft_id)

    def _detail(self, draft_id: uuid.UUID) -> Response:
        found: Any = find_draft(principal=self.principal, draft_id=draft_id)
        found.problems = publish_problems(parse_graph(found.graph))
        found.published = versions_of(draft=found)
        return Response(WorkflowDetailSerializer(found).data)


class PublishView(TenantAPIView):
    """A human's act of publishing."""

    acts: ClassVar = {"POST": Act.PUBLISH}

    @extend_schema(
        operation_id="workflow_publish",
        summary="Publish a draft as a version that never changes",
        parameters=[IDEMPOTENCY_PARAMETER],
        request=PublishBody,
        responses={200: PublishedSerializer, 201: PublishedSerializer},
    )
    @idempotent
    def post(self, request: Request, draft_id: uuid.UUID) -> Response:
        """Publish; 409 with every reason where that is not possible yet."""
        data = read_body(PublishBody, request)
        published = publish_draft(
            principal=self.principal, draft_id=draft_id, now=self.now, **data
        )
        body = PublishedSerializer(published).data
        return Response(body, status=201 if published.created else 200)


class SuggestionsView(TenantAPIView):
    """Ideas that reached no proposal."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="suggestion_list",
        summary="List suggestions, newest first",
        parameters=[
            *PAGE_PARAMETERS,
            OpenApiParameter("status", enum=SuggestionStatus.values),
        ],
        responses=page_of(SuggestionSerializer),
    )
    def get(self, request: Request) -> Response:
        """List."""
        page = list_suggestions(
            principal=self.principal,
            status=choice_param(request, "status", SuggestionStatus.values),
            **page_query(request),
        )
        return page_response(page, SuggestionSerializer)


class SuggestionView(TenantAPIView):
    """One suggestion."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="suggestion_get",
        summary="Read a suggestion",
        responses=SuggestionSerializer,
    )
    def get(self, request: Request, suggestion_id: uuid.UUID) -> Response:
        """Read."""
        found = find_suggestion(principal=self.principal, suggestion_id=suggestion_id)
        return Response(SuggestionSerializer(found).data)


class DismissView(TenantAPIView):
    """Putting a suggestion aside."""

    acts: ClassVar = {"POST": Act.TRIAGE}

    @extend_schema(
        operation_id="suggestion_dismiss",
        summary="Dismiss a suggestion; twice is harmless",
        request=EmptyBody,
        responses=SuggestionSerializer,
    )
    def post(self, request: Request, suggestion_id: uuid.UUID) -> Response:
        """Dismiss."""
        read_body(EmptyBody, request)
        found = dismiss_suggestion(
            principal=self.principal, suggestion_id=suggestion_id, now=self.now
        )
        return Response(SuggestionSerializer(found).data)
