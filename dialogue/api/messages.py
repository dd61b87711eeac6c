"""Messages by REST: read a stretch, send one."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dialogue.api.reading import answered_body, messages_body, sent_body
from dialogue.api.serializers import (
    AnsweredSerializer,
    MessagesSerializer,
    NewMessageSerializer,
    SentSerializer,
)
from dialogue.api.waiting import PREFER_PARAMETER, wait_for_turn, wait_wanted
from dialogue.selectors import find_conversation, messages_of
from dialogue.services.send import send_message
from tooling.api.fields import read_body
from tooling.api.idempotency import IDEMPOTENCY_PARAMETER, idempotent, key_of
from tooling.api.pages import PAGE_PARAMETERS, limit_param, number_param
from tooling.api.views import TenantAPIView
from tooling.policy import Act


class MessagesView(TenantAPIView):
    """The messages of a conversation."""

    acts: ClassVar = {"GET": Act.READ, "POST": Act.CONVERSE}

    @extend_schema(
        operation_id="message_list",
        summary="Read messages in order: the last, those before, or those after",
        parameters=[
            PAGE_PARAMETERS[1],
            OpenApiParameter("before", OpenApiTypes.INT, description="A `seq`."),
            OpenApiParameter("after", OpenApiTypes.INT, description="A `seq`."),
        ],
        responses=MessagesSerializer,
    )
    def get(self, request: Request, conversation_id: uuid.UUID) -> Response:
        """Read a stretch of messages."""
        limit = limit_param(request)
        before = number_param(request, "before")
        after = number_param(request, "after")
        conversation = find_conversation(
            principal=self.principal, conversation_id=conversation_id
        )
        rows = messages_of(
            conversation=conversation, before_seq=before, after_seq=after, limit=limit
        )
        body = messages_body(
            rows, last_seq=conversation.message_seq, principal=self.principal
        )
        return Response(MessagesSerializer(body).data)

    @extend_schema(
        operation_id="conversation_send",
        summary="Store a message and have a turn answer it",
        parameters=[IDEMPOTENCY_PARAMETER, PREFER_PARAMETER],
        request=NewMessageSerializer,
        responses={200: AnsweredSerializer, 202: SentSerializer},
    )
    def post(self, request: Request, conversation_id: uuid.UUID) -> Response:
        """Send; 202 at once, or 200 with the reply for a caller who waits."""
        sent = self._send(request, conversation_id=conversation_id)
        seconds = wait_wanted(request)
        if sent.status_code != 202 or not seconds:
            return sent
        turn_id = uuid.UUID(str(sent.data["turn"]["id"]))
        turn = wait_for_turn(principal=self.principal, turn_id=turn_id, seconds=seconds)
        sent["Preference-Applied"] = f"wait={seconds}"
        if turn is not None:
            sent.status_code = 200
            sent.data = answered_body(sent.data, turn)
        return sent

    @idempotent
    def _send(self, request: Request, conversation_id: uuid.UUID) -> Response:
        data: dict[str, Any] = read_body(NewMessageSerializer, request)
        sent = send_message(
            principal=self.principal,
            conversation_id=conversation_id,
            text=data["text"],
            client_key=data.get("client_key") or key_of(request),
            now=self.now,
        )
        address = reverse(
            "dialogue-api:turn",
            kwargs={"tenant": self.tenant_slug, "turn_id": sent.turn.pk},
        )
        return Response(sent_body(sent), status=202, headers={"Location": address})
