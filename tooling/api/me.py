"""Who am I: the first thing that a client asks."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tooling.api.authentication import token_principal
from tooling.api.views import PersonAPIView
from tooling.models import Membership
from tooling.policy import Act, Scope, allows
from tooling.roles import Role
from tooling.selectors import memberships_of, session_principal


class MyTenantSerializer(serializers.Serializer[Any]):
    """A tenant of the caller's, with what they may do in it by this way in."""

    slug = serializers.CharField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.values)
    acts = serializers.ListField(child=serializers.ChoiceField(choices=list(Act)))


class MyTokenSerializer(serializers.Serializer[Any]):
    """The token that the caller came with; never its secret."""

    name = serializers.CharField()
    prefix = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.values))
    expires_at = serializers.DateTimeField()


class MeSerializer(serializers.Serializer[Any]):
    """The caller."""

    id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    language = serializers.CharField()
    time_zone = serializers.CharField()
    is_staff = serializers.BooleanField()
    via = serializers.ChoiceField(choices=["session", "token"])
    token = MyTokenSerializer(allow_null=True)
    tenants = MyTenantSerializer(many=True)


class MeView(PersonAPIView):
    """The caller."""

    @extend_schema(
        operation_id="me",
        summary="Who am I, in which teams, with what rights",
        responses=MeSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return the caller; a token shows its own team alone."""
        person = self.person
        body = {
            "id": person.pk,
            "email": person.email,
            "name": person.get_full_name(),
            "language": person.language,
            "time_zone": person.time_zone,
            "is_staff": person.is_staff,
            "via": "session" if self.token is None else "token",
            "token": self.token,
            "tenants": [
                self._tenant(membership)
                for membership in memberships_of(user=person)
                if self.token is None or self.token.tenant_id == membership.tenant_id
            ],
        }
        return Response(MeSerializer(body).data)

    def _tenant(self, membership: Membership) -> dict[str, Any]:
        slug = membership.tenant.slug
        if self.token is None:
            principal = session_principal(membership)
        else:
            principal = token_principal(self.token, slug=slug)
        return {
            "slug": slug,
            "name": membership.tenant.name,
            "role": membership.role,
            "acts": [act.value for act in Act if allows(principal, act)],
        }
