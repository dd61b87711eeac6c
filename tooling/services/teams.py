"""Teams, which whoever runs the server makes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from tooling.boundary import require_text
from tooling.errors import Conflict, InvalidInput
from tooling.models import AuditEntry, Membership, Tenant
from tooling.policy import PrincipalKind
from tooling.roles import Role
from tooling.services.members import (
    Added,
    checked_address,
    find_or_create_person,
    welcome,
)

NAME_MAX = 120
SLUG_MAX = 50


class BadSlug(InvalidInput):
    """Not fit for an address."""

    code = "bad_slug"
    message = _("Use lower-case letters, digits and hyphens, at most 50.")


class TeamExists(Conflict):
    """Two teams at one address."""

    code = "team_exists"
    message = _("There is a team at this address. Choose another one.")


def create_team(
    *,
    slug: str,
    name: str,
    admin_email: str,
    language: str,
    link_to: Callable[[str], str],
    now: dt.datetime,
) -> Added:
    """Create a team with its first admin, from the command line.

    Raises `BadSlug`, `TeamExists`, `BadAddress` and what `require_text` raises.
    """
    _check_slug(slug)
    require_text(name, field="name", max_chars=NAME_MAX)
    address = checked_address(admin_email)
    try:
        with transaction.atomic():
            tenant = Tenant.objects.create(slug=slug, name=name, created_at=now)
            membership = Membership.objects.create(
                tenant=tenant,
                user=find_or_create_person(address, language, now),
                role=Role.ADMIN,
                created_at=now,
            )
            AuditEntry.objects.create(
                tenant_id=tenant.pk,
                actor_kind=PrincipalKind.COMMAND.value,
                action="team.created",
                target_type="tenant",
                target_id=tenant.pk,
            )
    except IntegrityError as error:
        raise TeamExists(field="slug") from error
    return welcome(membership, link_to)


def _check_slug(slug: str) -> None:
    try:
        validate_slug(slug)
    except ValidationError as error:
        raise BadSlug(field="slug") from error
    if len(slug) > SLUG_MAX or slug != slug.lower():
        raise BadSlug(field="slug")
