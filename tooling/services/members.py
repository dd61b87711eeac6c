"""Who is in a tenant: add, change role, remove. Never without an admin."""

from __future__ import annotations

import datetime as dt
import logging
import smtplib
import uuid
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tooling.boundary import check_text
from tooling.errors import Conflict, DomainError, InvalidInput, NotFound
from tooling.models import Membership, PersonalToken, Tenant, User
from tooling.policy import Act, Principal, require
from tooling.roles import Role
from tooling.services.audit import record_act
from tooling.services.passwords import set_password_path

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

EMAIL_MAX = 254


class BadAddress(InvalidInput):
    """Not an e-mail address."""

    code = "bad_address"
    message = _("This is not an e-mail address. Write one such as name@example.org.")


class UnknownRole(InvalidInput):
    """None of the four roles."""

    code = "unknown_role"
    message = _("Choose one of the roles: viewer, member, operator, admin.")


class AlreadyMember(Conflict):
    """The person is in the tenant."""

    code = "already_member"
    message = _("This person is in the team already. Change their role in the list.")


class LastAdmin(DomainError):
    """A tenant without an admin could never get one again."""

    code = "last_admin"
    status = HTTPStatus.CONFLICT
    message = _("A team needs an admin. Make somebody else an admin first.")


@dataclass(frozen=True, slots=True)
class Added:
    """A new member. `link` chooses a password once; empty for who has one.

    `mailed` tells whether the mail server took the invitation.
    """

    membership: Membership
    link: str
    mailed: bool


def add_member(
    *,
    principal: Principal,
    email: str,
    role: str,
    language: str,
    link_to: Callable[[str], str],
    now: dt.datetime,
) -> Added:
    """Add a person by e-mail; somebody new gets an account and a one-time link.

    `link_to` makes an absolute address of a path. Mail goes out after the commit,
    and its failure is only told. Raises `NotAllowed`, `BadAddress`, `UnknownRole`
    and `AlreadyMember`.
    """
    require(principal, Act.MEMBERS)
    address = checked_address(email)
    _check_role(role)
    try:
        with transaction.atomic():
            membership = _add(principal, address, role, language, now)
    except IntegrityError as error:
        raise AlreadyMember(field="email") from error
    return welcome(membership, link_to)


def welcome(membership: Membership, link_to: Callable[[str], str]) -> Added:
    """Mail a new member, with a one-time link where they have no password yet.

    For after the commit; the mail server's failure is only told.
    """
    user = membership.user
    link = "" if user.has_usable_password() else link_to(set_password_path(user))
    return Added(membership, link, mailed=_mail_invitation(membership, link, link_to))


def find_or_create_person(address: str, language: str, now: dt.datetime) -> User:
    """Return whoever has this address, or a new account without a password."""
    user = User.objects.filter(email__iexact=address).first()
    return user or User.objects.create_user(address, language=language, joined_at=now)


def _add(
    principal: Principal, address: str, role: str, language: str, now: dt.datetime
) -> Membership:
    user = find_or_create_person(address, language, now)
    membership = Membership.objects.create(
        tenant_id=principal.tenant_id, user=user, role=role, created_at=now
    )
    record_act(
        principal=principal,
        action="member.added",
        target_type="user",
        target_id=user.pk,
        after={"role": role},
    )
    return membership


def change_role(
    *, principal: Principal, membership_id: uuid.UUID, role: str
) -> Membership:
    """Give a member another role.

    Raises `NotAllowed`, `NotFound`, `UnknownRole` and `LastAdmin`.
    """
    require(principal, Act.MEMBERS)
    _check_role(role)
    with transaction.atomic():
        membership = _locked(principal, membership_id)
        before = membership.role
        if before == role:
            return membership
        _keep_an_admin(membership)
        membership.role = role
        membership.save(update_fields=["role"])
        record_act(
            principal=principal,
            action="member.role_changed",
            target_type="user",
            target_id=membership.user_id,
            before={"role": before},
            after={"role": role},
        )
    return membership


def remove_member(
    *, principal: Principal, membership_id: uuid.UUID, now: dt.datetime
) -> User:
    """Take a person out of the tenant, and revoke their tokens in it.

    Their account and all that they wrote stay. Raises `NotAllowed`, `NotFound` and
    `LastAdmin`.
    """
    require(principal, Act.MEMBERS)
    with transaction.atomic():
        membership = _locked(principal, membership_id)
        _keep_an_admin(membership)
        PersonalToken.objects.filter(
            tenant_id=principal.tenant_id,
            user_id=membership.user_id,
            revoked_at__isnull=True,
        ).update(revoked_at=now)
        record_act(
            principal=principal,
            action="member.removed",
            target_type="user",
            target_id=membership.user_id,
            before={"role": membership.role},
        )
        user = membership.user
        membership.delete()
    return user


def new_password_link(
    *,
    principal: Principal,
    membership_id: uuid.UUID,
    link_to: Callable[[str], str],
) -> Added:
    """Make a fresh one-time link for a member who has not chosen a password yet.

    Raises `NotAllowed`, `NotFound` and, for who has a password, `AlreadyMember`.
    """
    require(principal, Act.MEMBERS)
    membership = _find(principal, membership_id)
    if membership.user.has_usable_password():
        raise AlreadyMember(_("This person has a password. They can reset it."))
    return welcome(membership, link_to)


def checked_address(email: str) -> str:
    """Return an e-mail address without blanks around it, or raise `BadAddress`."""
    address = check_text(email.strip(), field="email", max_chars=EMAIL_MAX)
    try:
        validate_email(address)
    except ValidationError as error:
        raise BadAddress(field="email") from error
    return address


def _check_role(role: str) -> None:
    if role not in Role.values:
        raise UnknownRole(field="role")


def _find(principal: Principal, membership_id: uuid.UUID) -> Membership:
    membership = (
        Membership.objects.select_related("user", "tenant")
        .filter(tenant_id=principal.tenant_id, pk=membership_id)
        .first()
    )
    if membership is None:
        raise NotFound
    return membership


def _locked(principal: Principal, membership_id: uuid.UUID) -> Membership:
    # The tenant's row is the lock: two admins who demote each other meet here.
    Tenant.objects.select_for_update().get(pk=principal.tenant_id)
    return _find(principal, membership_id)


def _keep_an_admin(membership: Membership) -> None:
    if membership.role != Role.ADMIN:
        return
    others = Membership.objects.filter(
        tenant_id=membership.tenant_id, role=Role.ADMIN, user__is_active=True
    ).exclude(pk=membership.pk)
    if not others.exists():
        raise LastAdmin(field="role")


def _mail_invitation(
    membership: Membership, link: str, link_to: Callable[[str], str]
) -> bool:
    user = membership.user
    with translation.override(user.language or translation.get_language()):
        facts = {
            "team": " ".join(membership.tenant.name.split())[:80],
            "link": link or link_to(f"/t/{membership.tenant.slug}/"),
        }
        subject = gettext("You were added to %(team)s") % facts
        text = gettext(
            "You were added to %(team)s on Dialogue. Begin here:\n\n%(link)s\n"
        )
        try:
            return bool(send_mail(subject, text % facts, None, [user.email]))
        except (smtplib.SMTPException, OSError):
            logger.warning("the invitation of %s could not be mailed", user.pk)
            return False
