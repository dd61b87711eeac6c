"""The tools that are served to the model in this team."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dialogue.api.serializers import ToolsSerializer
from tooling.api.views import TenantAPIView
from tooling.gate.judge import CallFacts, GateContext, is_served
from tooling.policy import Act
from tooling.registry import all_tools
from tooling.selectors import features_of, released_reads

_NO_CONVERSATION = uuid.UUID(int=0)


class ToolsView(TenantAPIView):
    """What a model is offered here."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="tool_list",
        summary="List the tools that are served to the model",
        responses=ToolsSerializer,
    )
    def get(self, request: Request) -> Response:
        """List."""
        features = features_of(tenant_id=self.principal.tenant_id)
        context = GateContext(
            conversation_id=_NO_CONVERSATION,
            now=self.now,
            switch_on=settings.WRITE_TOOLS_SERVED,
            toggle_on=features.write_tools,
            released=released_reads(),
        )
        body = {
            "items": [
                tool
                for tool in all_tools()
                if is_served(CallFacts(tool.name, tool.tier, tool.held_back), context)
            ],
            "write_tools_served": context.switch_on,
            "write_tools_run": context.switch_on and context.toggle_on,
        }
        return Response(ToolsSerializer(body).data)
