"""Grants by REST: read them, revoke one. Giving is for people at a page."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from dialogue.selectors import find_conversation
from dialogue.services.grants import end_leave
from tooling.api.fields import EmptyBody, PersonSerializer, read_body
from tooling.api.views import TenantAPIView
from tooling.policy import Act
from tooling.selectors import grants_of_conversation

MAX_GRANTS = 100


class GrantSerializer(serializers.Serializer[Any]):
    """A person's leave for tools in one conversation, with what is left of it."""

    id = serializers.UUIDField()
    tools = serializers.ListField(child=serializers.CharField())
    given_by = PersonSerializer()
    given_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    uses_max = serializers.IntegerField()
    uses_left = serializers.IntegerField()
    is_live = serializers.SerializerMethodField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    revoked_by = PersonSerializer(allow_null=True)
    end = serializers.CharField(help_text="revoked, completed, or empty.")

    def get_is_live(self, grant: Any) -> bool:
        """Tell whether it can still pay for a call."""
        alive: bool = grant.revoked_at is None and grant.uses_left > 0
        return alive and grant.expires_at > self.context["now"]


class GrantsSerializer(serializers.Serializer[Any]):
    """The newest grants of a conversation, newest first."""

    items = GrantSerializer(many=True)


class GrantsView(TenantAPIView):
    """What the model may do unasked in a conversation."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="grant_list",
        summary="List the grants of a conversation, newest first",
        responses=GrantsSerializer,
    )
    def get(self, request: Request, conversation_id: uuid.UUID) -> Response:
        """List."""
        conversation = find_conversation(
            principal=self.principal, conversation_id=conversation_id
        )
        rows = grants_of_conversation(
            tenant_id=conversation.tenant_id, conversation_id=conversation.pk
        )
        body = {"items": list(rows[:MAX_GRANTS])}
        return Response(GrantsSerializer(body, context={"now": self.now}).data)


class GrantRevokeView(TenantAPIView):
    """End a grant."""

    acts: ClassVar = {"POST": Act.REVOKE}

    @extend_schema(
        operation_id="grant_revoke",
        summary="Revoke a grant; the next call finds it ended",
        request=EmptyBody,
        responses=GrantSerializer,
    )
    def post(
        self, request: Request, conversation_id: uuid.UUID, grant_id: uuid.UUID
    ) -> Response:
        """Revoke; twice is harmless."""
        read_body(EmptyBody, request)
        grant = end_leave(
            principal=self.principal,
            conversation_id=conversation_id,
            grant_id=grant_id,
            now=self.now,
        )
        return Response(GrantSerializer(grant, context={"now": self.now}).data)
