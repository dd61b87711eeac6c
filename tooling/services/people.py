"""What a person says of themselves, and passwords set from the command line."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tooling.boundary import check_text
from tooling.errors import InvalidInput, NotFound
from tooling.models import AuditEntry, Membership, User
from tooling.policy import Principal, PrincipalKind
from tooling.roles import Role
from tooling.services.passwords import generate_password
from tooling.zones import zone_names

NAME_MAX = 150


class UnknownLanguage(InvalidInput):
    """A language that Dialogue does not speak."""

    code = "unknown_language"
    message = _("Choose English or French.")


class UnknownTimeZone(InvalidInput):
    """A name that is no IANA time zone."""

    code = "unknown_time_zone"
    message = _("Choose a time zone from the list, such as Europe/Paris.")


class WeakPassword(InvalidInput):
    """A password that is too easy to guess."""

    code = "weak_password"


class UnknownPerson(NotFound):
    """Nobody has this e-mail address."""

    code = "unknown_person"
    status = HTTPStatus.NOT_FOUND
    message = _("Nobody has this e-mail address. Add them first.")


class NoAdmin(NotFound):
    """No such tenant, or one without an admin."""

    code = "no_admin"
    message = _("There is no team of this name with an admin.")


def choose_language(*, user_id: uuid.UUID, language: str) -> None:
    """Keep a person's language. Raises `UnknownLanguage`."""
    _check_language(language)
    User.objects.filter(pk=user_id).update(language=language)


def save_profile(
    *, user_id: uuid.UUID, full_name: str, language: str, time_zone: str
) -> User:
    """Keep a person's name, language and IANA time zone.

    Raises `UnknownLanguage`, `UnknownTimeZone` and what `check_text` raises.
    """
    name = check_text(full_name.strip(), field="full_name", max_chars=NAME_MAX)
    _check_language(language)
    if time_zone not in zone_names():
        raise UnknownTimeZone(field="time_zone")
    user = User.objects.get(pk=user_id)
    user.full_name, user.language, user.time_zone = name, language, time_zone
    user.save(update_fields=["full_name", "language", "time_zone"])
    return user


def _check_language(language: str) -> None:
    if language not in dict(settings.LANGUAGES):
        raise UnknownLanguage(field="language")


@dataclass(frozen=True, slots=True)
class PasswordSet:
    """Whose password was set; `generated` is it when nobody gave one."""

    email: str
    generated: str | None


def set_password(*, email: str, password: str | None) -> PasswordSet:
    """Set a person's password from the command line; None makes one.

    Signs them out everywhere, and leaves an audit row. Raises `UnknownPerson` and
    `WeakPassword`.
    """
    check_text(email, field="email")
    user = User.objects.filter(email__iexact=email).first()
    if user is None:
        raise UnknownPerson
    chosen = password if password is not None else generate_password()
    try:
        validate_password(chosen, user)
    except ValidationError as error:
        raise WeakPassword(" ".join(error.messages), field="password") from error
    with transaction.atomic():
        user.set_password(chosen)
        user.save(update_fields=["password"])
        AuditEntry.objects.create(
            actor_kind=PrincipalKind.COMMAND.value,
            action="person.password_set",
            target_type="user",
            target_id=user.pk,
        )
    return PasswordSet(user.email, chosen if password is None else None)


def command_principal(*, slug: str) -> Principal:
    """Return who acts when a command acts as an admin of the tenant at `slug`.

    Whoever runs commands holds the database; rows name the tenant's first admin.
    Raises `NoAdmin`.
    """
    admin = (
        Membership.objects.filter(tenant__slug=slug, role=Role.ADMIN)
        .order_by("created_at", "id")
        .first()
    )
    if admin is None:
        raise NoAdmin
    return Principal(
        kind=PrincipalKind.COMMAND,
        tenant_id=admin.tenant_id,
        user_id=admin.user_id,
        role=admin.role,
    )
