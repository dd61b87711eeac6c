"""The Decisions queue by REST."""

from __future__ import annotations

import re
import uuid
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from decisions.api.serializers import (
    DecidedSerializer,
    DecisionBody,
    EmptyBody,
    QuestionBody,
    RequestDetailSerializer,
    RequestSerializer,
    RevisionBody,
)
from decisions.models import AttentionRequest, RequestKind, RequestState
from decisions.presenting import present
from decisions.selectors import queue, request_for
from decisions.services.asking import ask_question
from decisions.services.closing import withdraw_request
from decisions.services.deciding import decide
from decisions.services.editing import edit_request
from decisions.services.following import retry_followup
from tooling.api.fields import read_body
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
from tooling.errors import InvalidInput
from tooling.policy import Act, Principal

_TAG = re.compile(r'^"([0-9a-f]{64})\.([1-9][0-9]{0,4})\.[a-z]+"$')
IF_MATCH = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The request's ETag, in the place of revision and payload_hash.",
)


class NothingShown(InvalidInput):
    """A decision that does not say on what."""

    code = "version_required"
    field = "payload_hash"
    message = _(
        "Say which content you saw: send revision and payload_hash, or If-Match with "
        "the ETag that the request was read with."
    )


def etag_of(row: AttentionRequest) -> str:
    """Return the tag of what a reader saw: content, revision and state."""
    return f'"{row.payload_hash}.{row.revision}.{row.state}"'


def shown_in(request: Request, data: dict[str, Any]) -> dict[str, Any]:
    """Return revision and payload hash that a caller saw, from body or header.

    Raises `NothingShown`.
    """
    if "revision" in data and "payload_hash" in data:
        return {"revision": data["revision"], "payload_hash": data["payload_hash"]}
    tag = _TAG.match(request.headers.get("If-Match", ""))
    if tag is None:
        raise NothingShown
    return {"revision": int(tag.group(2)), "payload_hash": tag.group(1)}


def detail_of(row: AttentionRequest, principal: Principal) -> dict[str, Any]:
    """Return a request with all that a person needs in order to decide."""
    view = present(request=row, principal=principal)
    names = [str(name) for name in RequestSerializer().fields]
    detail: dict[str, Any] = {name: getattr(row, name) for name in names}
    detail |= {
        "status": view.state,
        "status_label": view.state_label,
        "payload": row.payload,
        "options": view.choices,
        "effect": view.effects,
        "resolution": getattr(row, "resolution", None),
        "aftermath": view.aftermath,
        "links": view.links,
        "revisions": view.revisions,
    }
    return dict(RequestDetailSerializer(detail).data)


class DecisionsView(TenantAPIView):
    """The team's queue."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="decision_list",
        summary="List requests, newest first; open ones unless a state is named",
        parameters=[
            *PAGE_PARAMETERS,
            OpenApiParameter("state", enum=[*RequestState.values, "all"]),
            OpenApiParameter("kind", enum=RequestKind.values),
            OpenApiParameter("search", description="Part of the title."),
        ],
        responses=page_of(RequestSerializer),
    )
    def get(self, request: Request) -> Response:
        """List."""
        state = choice_param(request, "state", [*RequestState.values, "all"])
        page = queue(
            principal=self.principal,
            state="" if state == "all" else state or RequestState.OPEN.value,
            kind=choice_param(request, "kind", RequestKind.values),
            search=text_param(request, "search"),
            **page_query(request),
        )
        return page_response(page, RequestSerializer)


class DecisionView(TenantAPIView):
    """One request."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="decision_get",
        summary="Read a request; its ETag names what was read",
        responses=RequestDetailSerializer,
    )
    def get(self, request: Request, request_id: uuid.UUID) -> Response:
        """Read."""
        row = request_for(principal=self.principal, request_id=request_id)
        return _answer(row, self.principal)


def _answer(row: AttentionRequest, principal: Principal, status: int = 200) -> Response:
    headers = {"ETag": etag_of(row)}
    return Response(detail_of(row, principal), status=status, headers=headers)


class DecideView(TenantAPIView):
    """The choice of a person."""

    acts: ClassVar = {"POST": Act.DECIDE}

    @extend_schema(
        operation_id="decision_decide",
        summary="Decide on what you read; the same again is harmless",
        parameters=[IF_MATCH, IDEMPOTENCY_PARAMETER],
        request=DecisionBody,
        responses=DecidedSerializer,
    )
    @idempotent
    def post(self, request: Request, request_id: uuid.UUID) -> Response:
        """Decide."""
        request_for(principal=self.principal, request_id=request_id)
        data = read_body(DecisionBody, request)
        decided = decide(
            principal=self.principal,
            request_id=request_id,
            option=data["option"],
            note=data.get("note", ""),
            **shown_in(request, data),
            now=self.now,
        )
        row = request_for(principal=self.principal, request_id=request_id)
        body = {"outcome": decided.outcome, "request": detail_of(row, self.principal)}
        return Response(body, headers={"ETag": etag_of(row)})


class WithdrawView(TenantAPIView):
    """The requester takes it back."""

    acts: ClassVar = {"POST": Act.RAISE}

    @extend_schema(
        operation_id="decision_withdraw",
        summary="Withdraw a request of your own; twice is harmless",
        parameters=[IDEMPOTENCY_PARAMETER],
        request=EmptyBody,
        responses=RequestDetailSerializer,
    )
    @idempotent
    def post(self, request: Request, request_id: uuid.UUID) -> Response:
        """Withdraw."""
        read_body(EmptyBody, request)
        withdraw_request(principal=self.principal, request_id=request_id, now=self.now)
        row = request_for(principal=self.principal, request_id=request_id)
        return _answer(row, self.principal)


class QuestionsView(TenantAPIView):
    """A question that a person asks."""

    acts: ClassVar = {"POST": Act.RAISE}

    @extend_schema(
        operation_id="decision_create",
        summary="Ask the people who decide a question with its own answers",
        parameters=[IDEMPOTENCY_PARAMETER],
        request=QuestionBody,
        responses={201: RequestDetailSerializer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Ask; an answer goes back to the conversation and settles nothing else."""
        data = read_body(QuestionBody, request)
        raised = ask_question(
            principal=self.principal,
            title=data["title"],
            text=data["question"],
            options=data["options"],
            origin_conversation=data.get("conversation_id"),
            now=self.now,
        )
        row = request_for(principal=self.principal, request_id=raised.request.pk)
        return _answer(row, self.principal, status=201)


class RevisionsView(TenantAPIView):
    """An operator's edit."""

    acts: ClassVar = {"POST": Act.DECIDE}

    @extend_schema(
        operation_id="decision_revise",
        summary="Put an edited payload in the place of an open request",
        parameters=[IF_MATCH, IDEMPOTENCY_PARAMETER],
        request=RevisionBody,
        responses={201: RequestDetailSerializer},
    )
    @idempotent
    def post(self, request: Request, request_id: uuid.UUID) -> Response:
        """Edit; answers with the new revision, which waits for a decision."""
        request_for(principal=self.principal, request_id=request_id)
        data = read_body(RevisionBody, request)
        new = edit_request(
            principal=self.principal,
            request_id=request_id,
            payload=data["payload"],
            **shown_in(request, data),
            now=self.now,
        )
        row = request_for(principal=self.principal, request_id=new.pk)
        return _answer(row, self.principal, status=201)


class RetryView(TenantAPIView):
    """Another attempt at what an approval leads to."""

    acts: ClassVar = {"POST": Act.DECIDE}

    @extend_schema(
        operation_id="decision_retry",
        summary="Try again what an approval leads to; needs no second decision",
        request=EmptyBody,
        responses=RequestDetailSerializer,
    )
    def post(self, request: Request, request_id: uuid.UUID) -> Response:
        """Try again."""
        read_body(EmptyBody, request)
        retry_followup(principal=self.principal, request_id=request_id, now=self.now)
        row = request_for(principal=self.principal, request_id=request_id)
        return _answer(row, self.principal)
