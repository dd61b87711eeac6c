"""Conversations by REST."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dialogue.api.reading import messages_body
from dialogue.api.serializers import (
    CompletedSerializer,
    ConversationChangeSerializer,
    ConversationDetailSerializer,
    ConversationSerializer,
    LedgerSerializer,
    NewConversationSerializer,
)
from dialogue.models import Conversation, ConversationStatus, Track
from dialogue.selectors import (
    find_conversation,
    list_conversations,
    messages_of,
    unfinished_turns,
)
from dialogue.services.conversations import (
    archive_conversation,
    complete_conversation,
    create_conversation,
    rename_conversation,
)
from dialogue.spawned import list_spawned
from tooling.api.fields import EmptyBody, read_body
from tooling.api.idempotency import IDEMPOTENCY_PARAMETER, idempotent
from tooling.api.pages import (
    PAGE_PARAMETERS,
    choice_param,
    flag_param,
    limit_param,
    page_of,
    page_query,
    page_response,
    text_param,
)
from tooling.api.views import TenantAPIView
from tooling.errors import InvalidInput
from tooling.policy import Act
from tooling.selectors import cost_of_conversation, model_calls

MESSAGES_SHOWN = 200


class NothingToChange(InvalidInput):
    """A change without a field."""

    code = "nothing_to_change"


class ConversationsView(TenantAPIView):
    """The team's conversations."""

    acts: ClassVar = {"GET": Act.READ, "POST": Act.CONVERSE}

    @extend_schema(
        operation_id="conversation_list",
        summary="List conversations, newest activity first",
        parameters=[
            *PAGE_PARAMETERS,
            OpenApiParameter("track", enum=Track.values),
            OpenApiParameter("status", enum=ConversationStatus.values),
            OpenApiParameter("archived", OpenApiTypes.BOOL),
            OpenApiParameter("search", description="Part of the title."),
        ],
        responses=page_of(ConversationSerializer),
    )
    def get(self, request: Request) -> Response:
        """List."""
        page = list_conversations(
            principal=self.principal,
            track=choice_param(request, "track", Track.values),
            status=choice_param(request, "status", ConversationStatus.values),
            archived=flag_param(request, "archived"),
            search=text_param(request, "search"),
            **page_query(request),
        )
        return page_response(page, ConversationSerializer)

    @extend_schema(
        operation_id="conversation_create",
        summary="Begin a conversation on a Track",
        parameters=[IDEMPOTENCY_PARAMETER],
        request=NewConversationSerializer,
        responses={201: ConversationSerializer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Create."""
        data = read_body(NewConversationSerializer, request)
        conversation = create_conversation(
            principal=self.principal, **data, now=self.now
        )
        address = reverse(
            "dialogue-api:conversation",
            kwargs={
                "tenant": self.tenant_slug,
                "conversation_id": conversation.pk,
            },
        )
        return Response(
            ConversationSerializer(conversation).data,
            status=201,
            headers={"Location": address},
        )


class ConversationView(TenantAPIView):
    """One conversation."""

    acts: ClassVar = {"GET": Act.READ, "PATCH": Act.CONVERSE}

    @extend_schema(
        operation_id="conversation_get",
        summary="Read a conversation with its last messages and what it spawned",
        parameters=[PAGE_PARAMETERS[1]],
        responses=ConversationDetailSerializer,
    )
    def get(self, request: Request, conversation_id: uuid.UUID) -> Response:
        """Read."""
        limit = limit_param(request, default=MESSAGES_SHOWN)
        conversation = find_conversation(
            principal=self.principal, conversation_id=conversation_id
        )
        return Response(self._detail(conversation, limit))

    def _detail(self, conversation: Conversation, limit: int) -> dict[str, Any]:
        rows = messages_of(conversation=conversation, limit=limit)
        detail: Any = conversation
        detail.messages_page = messages_body(
            rows, last_seq=conversation.message_seq, principal=self.principal
        )
        detail.spawned = list_spawned(
            tenant_id=self.principal.tenant_id, conversation_id=conversation.pk
        )
        detail.cost = cost_of_conversation(conversation_id=conversation.pk)
        detail.waiting_turns = unfinished_turns(conversation=conversation)
        return dict(ConversationDetailSerializer(detail).data)

    @extend_schema(
        operation_id="conversation_update",
        summary="Rename, archive or take back",
        request=ConversationChangeSerializer,
        responses=ConversationSerializer,
    )
    def patch(self, request: Request, conversation_id: uuid.UUID) -> Response:
        """Change the title, or the place in the list."""
        data = read_body(ConversationChangeSerializer, request)
        who: dict[str, Any] = {
            "principal": self.principal,
            "conversation_id": conversation_id,
            "now": self.now,
        }
        if not data:
            find_conversation(principal=self.principal, conversation_id=conversation_id)
            raise NothingToChange(_("Name a title, or archived."))
        conversation = None
        if "title" in data:
            conversation = rename_conversation(**who, title=data["title"])
        if "archived" in data:
            conversation = archive_conversation(**who, archived=data["archived"])
        return Response(ConversationSerializer(conversation).data)


class ConversationCompleteView(TenantAPIView):
    """The end of a conversation."""

    acts: ClassVar = {"POST": Act.CONVERSE}

    @extend_schema(
        operation_id="conversation_complete",
        summary="Close a conversation for further messages; twice is harmless",
        parameters=[IDEMPOTENCY_PARAMETER],
        request=EmptyBody,
        responses=CompletedSerializer,
    )
    @idempotent
    def post(self, request: Request, conversation_id: uuid.UUID) -> Response:
        """Complete; open proposals stay open, and the answer says which."""
        read_body(EmptyBody, request)
        conversation = complete_conversation(
            principal=self.principal, conversation_id=conversation_id, now=self.now
        )
        spawned = list_spawned(
            tenant_id=self.principal.tenant_id, conversation_id=conversation.pk
        )
        done: Any = conversation
        done.still_open = [
            row for row in spawned if row.is_open and row.kind == "request"
        ]
        count = len(done.still_open)
        done.note = (
            ngettext(
                "%(count)d proposal stays open and can still be decided.",
                "%(count)d proposals stay open and can still be decided.",
                count,
            )
            % {"count": count}
            if count
            else _("Nothing of it waits for a decision.")
        )
        return Response(CompletedSerializer(done).data)


class ConversationCostView(TenantAPIView):
    """What a conversation cost."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="conversation_cost",
        summary="Read the ledger rows of a conversation and their sums",
        parameters=PAGE_PARAMETERS,
        responses=LedgerSerializer,
    )
    def get(self, request: Request, conversation_id: uuid.UUID) -> Response:
        """Read the ledger."""
        query = page_query(request)
        conversation = find_conversation(
            principal=self.principal, conversation_id=conversation_id
        )
        page = model_calls(conversation_id=conversation.pk, **query)
        body = {
            "sums": cost_of_conversation(conversation_id=conversation.pk),
            "items": page.items,
            "next": page.next_cursor or None,
        }
        return Response(LedgerSerializer(body).data)
