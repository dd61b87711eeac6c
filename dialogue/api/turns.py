"""Turns by REST: read, stop, retry."""

from __future__ import annotations

import uuid
from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dialogue.api.reading import turn_body
from dialogue.api.serializers import TurnDetailSerializer, TurnSerializer
from dialogue.api.waiting import PREFER_PARAMETER, wait_for_turn, wait_wanted
from dialogue.selectors import turn_of
from dialogue.services.turns import retry_turn, stop_turn
from tooling.api.fields import EmptyBody, read_body
from tooling.api.idempotency import IDEMPOTENCY_PARAMETER, idempotent
from tooling.api.views import TenantAPIView
from tooling.policy import Act


class TurnView(TenantAPIView):
    """One turn."""

    acts: ClassVar = {"GET": Act.READ}

    @extend_schema(
        operation_id="turn_get",
        summary="Read a turn with its steps so far and the text that streams",
        parameters=[PREFER_PARAMETER],
        responses=TurnDetailSerializer,
    )
    def get(self, request: Request, turn_id: uuid.UUID) -> Response:
        """Read; a caller who waits is answered when the turn has ended."""
        turn = turn_of(principal=self.principal, turn_id=turn_id)
        seconds = wait_wanted(request)
        if seconds:
            ended = wait_for_turn(
                principal=self.principal, turn_id=turn_id, seconds=seconds
            )
            turn = ended or turn_of(principal=self.principal, turn_id=turn_id)
        return Response(turn_body(turn))


class TurnStopView(TenantAPIView):
    """Stop a turn."""

    acts: ClassVar = {"POST": Act.CONVERSE}

    @extend_schema(
        operation_id="turn_stop",
        summary="Stop a turn; what it has written so far is kept",
        request=EmptyBody,
        responses={202: TurnSerializer},
    )
    def post(self, request: Request, turn_id: uuid.UUID) -> Response:
        """Ask for the stop."""
        read_body(EmptyBody, request)
        stop_turn(principal=self.principal, turn_id=turn_id, now=self.now)
        turn = turn_of(principal=self.principal, turn_id=turn_id)
        return Response(TurnSerializer(turn).data, status=202)


class TurnRetryView(TenantAPIView):
    """Try a turn again."""

    acts: ClassVar = {"POST": Act.CONVERSE}

    @extend_schema(
        operation_id="turn_retry",
        summary="Run a turn again that failed or was cut off",
        parameters=[IDEMPOTENCY_PARAMETER],
        request=EmptyBody,
        responses={202: TurnSerializer},
    )
    @idempotent
    def post(self, request: Request, turn_id: uuid.UUID) -> Response:
        """Queue the next attempt."""
        read_body(EmptyBody, request)
        retry_turn(principal=self.principal, turn_id=turn_id, now=self.now)
        turn = turn_of(principal=self.principal, turn_id=turn_id)
        return Response(TurnSerializer(turn).data, status=202)
