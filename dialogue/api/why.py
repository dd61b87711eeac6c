"""Why, and why not: a turn's judgements by REST."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from dialogue.selectors import turn_of
from dialogue.why import why_turn
from tooling.api.views import TenantAPIView
from tooling.policy import Act


class CorrectionSerializer(serializers.Serializer[Any]):
    """How a person reads the message."""

    label = serializers.CharField()  # type: ignore[assignment]
    words = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField()


class ReadingSerializer(serializers.Serializer[Any]):
    """How the message was read, and the piece of it that decided."""

    label = serializers.CharField()  # type: ignore[assignment]
    words = serializers.CharField()
    so = serializers.CharField(help_text="What follows from it.")
    tools = serializers.ListField(child=serializers.CharField())
    span = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    text = serializers.CharField()
    correction = CorrectionSerializer(allow_null=True)


class ServedToolSerializer(serializers.Serializer[Any]):
    """A tool that the model was told of."""

    name = serializers.CharField()
    tier = serializers.CharField()


class GatesSerializer(serializers.Serializer[Any]):
    """The switches as they stand now."""

    deployment_switch = serializers.BooleanField()
    tenant_toggle = serializers.BooleanField()


class JudgedCallSerializer(serializers.Serializer[Any]):
    """A call with its verdict, and what would change it."""

    id = serializers.UUIDField()
    attempt = serializers.IntegerField()
    name = serializers.CharField()
    words = serializers.CharField()
    tier = serializers.CharField()
    state = serializers.CharField()
    verdict = serializers.CharField(help_text="run, refuse or surface.")
    gate = serializers.CharField(help_text="The rule that decided.")
    basis = serializers.CharField(help_text="intent, grant, run_once, or empty.")
    basis_words = serializers.CharField()
    grant = serializers.UUIDField(allow_null=True)
    by = serializers.CharField(help_text="Who ran it by hand.")
    why = serializers.CharField()
    opens = serializers.CharField(help_text="What would open the gate.")


class WhySerializer(serializers.Serializer[Any]):
    """What was read, served and judged in a turn."""

    turn = serializers.UUIDField()
    state = serializers.CharField()
    attempt = serializers.IntegerField()
    intent = ReadingSerializer()
    served = ServedToolSerializer(many=True, allow_null=True)
    gates = GatesSerializer()
    calls = JudgedCallSerializer(many=True)


class WhyView(TenantAPIView):
    """Why a turn did what it did, and not more."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="turn_why",
        summary="Tell what a turn's model was served, and how each call was judged",
        responses=WhySerializer,
    )
    def get(self, request: Request, turn_id: uuid.UUID) -> Response:
        """Read."""
        turn = turn_of(principal=self.principal, turn_id=turn_id)
        return Response(WhySerializer(why_turn(turn=turn)).data)
