"""The OpenAPI description: tokens, sessions and the one shape of errors."""

from __future__ import annotations

from typing import Any, Literal

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers


class ErrorEntrySerializer(serializers.Serializer[Any]):
    """One error."""

    code = serializers.CharField(help_text="Stable and English.")
    detail = serializers.CharField(help_text="A sentence in the caller's language.")
    attr = serializers.CharField(allow_null=True, help_text="The field at fault.")


class ErrorSerializer(serializers.Serializer[Any]):
    """Every answer from 400 on."""

    type = serializers.ChoiceField(
        choices=["validation_error", "client_error", "server_error"]
    )
    errors = ErrorEntrySerializer(many=True)  # type: ignore[assignment]
    extra = serializers.DictField(
        required=False, help_text="Facts that the error carries."
    )


class DialogueSchema(AutoSchema):
    """Adds the error answer to each operation, and groups by the resource."""

    def get_tags(self) -> list[str]:
        """Group by the first part of the path that is a name."""
        parts = [part for part in self.path.split("/") if part and "{" not in part]
        names = [part for part in parts if part not in {"api", "v1", "t"}]
        return [names[0]] if names else ["dialogue"]

    def _get_response_bodies(
        self, direction: Literal["request", "response"] = "response"
    ) -> Any:
        bodies = super()._get_response_bodies(direction=direction)
        if direction == "response":
            error = self.resolve_serializer(ErrorSerializer, direction).ref
            bodies["default"] = {
                "description": "An error.",
                "content": {"application/json": {"schema": error}},
            }
        return bodies


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How a personal token is sent."""

    target_class = "tooling.api.authentication.PersonalTokenAuthentication"
    name = "personalToken"
    priority = 1

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return a bearer's header."""
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "dlg_…",
            "description": "A personal token, from the page Personal tokens.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How a browser's session is sent."""

    target_class = "tooling.api.authentication.TenantSessionAuthentication"
    name = "session"
    priority = 1

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return the session's cookie."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "A signed-in browser; writes need X-CSRFToken too.",
        }
