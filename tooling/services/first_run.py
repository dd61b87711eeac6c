"""The first team and its operator, on a machine that has none."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from tooling.models import AuditEntry, Membership, Tenant, User
from tooling.policy import PrincipalKind
from tooling.roles import Role
from tooling.services.passwords import generate_password

FIRST_SLUG = "team"
FIRST_EMAIL = "operator@example.org"


@dataclass(frozen=True, slots=True)
class FirstRun:
    """Who can sign in. `password` is None where somebody could before."""

    email: str
    password: str | None


def create_first_team(*, language: str, now: dt.datetime) -> FirstRun:
    """Create a team and an operator who may do all; nothing where there is anybody.

    Their names are in `language`, one of the settings' LANGUAGES. The password is
    given here once and stored only as its hash.
    """
    with transaction.atomic():
        known = User.objects.filter(is_staff=True).order_by("joined_at", "id").first()
        known = known or User.objects.order_by("joined_at", "id").first()
        if known is not None:
            return FirstRun(known.email, None)
        password = generate_password()
        with translation.override(language):
            team_name, person_name = _("My team"), _("Operator")
        user = User.objects.create_superuser(
            FIRST_EMAIL, password, full_name=person_name, joined_at=now
        )
        tenant, _created = Tenant.objects.get_or_create(
            slug=FIRST_SLUG, defaults={"name": team_name, "created_at": now}
        )
        Membership.objects.create(
            tenant=tenant, user=user, role=Role.ADMIN, created_at=now
        )
        AuditEntry.objects.create(
            tenant_id=tenant.pk,
            actor_kind=PrincipalKind.COMMAND.value,
            action="team.created",
            target_type="tenant",
            target_id=tenant.pk,
        )
    return FirstRun(user.email, password)
