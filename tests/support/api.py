"""People, teams and clients for in-process tests of the REST API."""

from __future__ import annotations

import datetime as dt
import secrets
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from rest_framework.test import APIClient

from tooling.models import Membership, PersonalToken, Tenant, User
from tooling.policy import Principal, PrincipalKind, Scope
from tooling.services.tokens import digest_of


@dataclass(frozen=True, slots=True)
class Someone:
    """A member of a team."""

    user: User
    tenant: Tenant
    role: str

    @property
    def principal(self) -> Principal:
        """Return them as signed in with a browser."""
        return Principal(
            kind=PrincipalKind.SESSION,
            tenant_id=self.tenant.pk,
            user_id=self.user.pk,
            role=self.role,
        )


def make_member(slug: str, role: str, *, email: str = "") -> Someone:
    """Make a person with a role in the team at `slug`, and the team if it is new."""
    tenant, _made = Tenant.objects.get_or_create(slug=slug, name=slug.title())
    user = User.objects.create_user(email or f"{role}@{slug}.test")
    Membership.objects.create(tenant=tenant, user=user, role=role)
    return Someone(user, tenant, role)


def make_token(someone: Someone, **changes: Any) -> tuple[PersonalToken, str]:
    """Make a token with every scope; return it and its secret."""
    secret = "dlg_" + secrets.token_hex(20)
    fields = {
        "tenant": someone.tenant,
        "user": someone.user,
        "name": "tests",
        "prefix": secret[:12],
        "digest": digest_of(secret),
        "scopes": Scope.values,
        "expires_at": timezone.now() + dt.timedelta(days=1),
        **changes,
    }
    return PersonalToken.objects.create(**fields), secret


def client_of(someone: Someone) -> APIClient:
    """Return a client that bears a token of theirs."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(someone)[1]}")
    return client


def api(slug: str, path: str) -> str:
    """Return the address of `path` in the team at `slug`."""
    return f"/api/v1/t/{slug}/{path}"
