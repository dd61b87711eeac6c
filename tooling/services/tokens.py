"""Personal tokens: issuing, finding one by its secret, revoking."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
import uuid
from dataclasses import dataclass
from http import HTTPStatus

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tooling.boundary import require_text
from tooling.errors import Conflict, DomainError, InvalidInput, NotFound
from tooling.models import PersonalToken
from tooling.policy import Act, Principal, Scope, person_of, require, scopes_of_role
from tooling.services.audit import record_act

TOKEN_MARK = "dlg_"  # noqa: S105 -- how every secret begins, not a secret
# A token in steady use writes its time of use once a minute, not with each request.
_USE_STEP = dt.timedelta(minutes=1)
_PREFIX_LENGTH = 8
_PREFIX_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
NAME_MAX = 80
DAYS_MAX = 365


class TokenRefused(DomainError):
    """A token that is unknown, or whose owner may no longer sign in."""

    code = "invalid_token"
    status = HTTPStatus.UNAUTHORIZED
    message = _("This token is not valid. Create one on the page Personal tokens.")


class TokenRevoked(TokenRefused):
    """A token that somebody took back."""

    code = "token_revoked"
    message = _("This token was revoked. Create one on the page Personal tokens.")


class TokenExpired(TokenRefused):
    """A token whose time is over."""

    code = "token_expired"
    message = _("This token has expired. Create one on the page Personal tokens.")


class BadScopes(InvalidInput):
    """No scope, an unknown one, or more than the owner's role allows."""

    code = "bad_scopes"
    message = _("Choose at least one scope, and none that your role does not have.")


class BadExpiry(InvalidInput):
    """Outside 1 to 365 days."""

    code = "bad_expiry"
    message = _("A token lives from 1 to 365 days.")


class AlreadyIssued(Conflict):
    """The same form sent twice."""

    code = "already_issued"
    message = _("This token was created already. Its secret is shown only once.")


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token with its secret, which exists nowhere else."""

    token: PersonalToken
    secret: str


def issue_token(
    *,
    principal: Principal,
    token_id: uuid.UUID,
    name: str,
    scopes: list[str],
    days: int,
    now: dt.datetime,
) -> Issued:
    """Create a token for the person themselves, in the tenant they are in.

    `token_id` comes from the form, so that a form sent twice makes one token. Raises
    `NotAllowed` (a token cannot make tokens), `BadScopes`, `BadExpiry`,
    `AlreadyIssued` and what `require_text` raises.
    """
    require(principal, Act.TOKENS)
    require_text(name, field="name", max_chars=NAME_MAX)
    if not scopes or not set(scopes) <= scopes_of_role(principal.role):
        raise BadScopes(field="scopes")
    if not 1 <= days <= DAYS_MAX:
        raise BadExpiry(field="days")
    prefix, secret = _new_secret()
    try:
        with transaction.atomic():
            token = PersonalToken.objects.create(
                id=token_id,
                tenant_id=principal.tenant_id,
                user_id=person_of(principal),
                name=name.strip(),
                prefix=prefix,
                digest=digest_of(secret),
                scopes=[each for each in Scope.values if each in scopes],
                created_at=now,
                expires_at=now + dt.timedelta(days=days),
            )
            record_act(
                principal=principal,
                action="token.issued",
                target_type="token",
                target_id=token.pk,
                after={"prefix": prefix, "scopes": token.scopes, "days": days},
            )
    except IntegrityError as error:
        raise AlreadyIssued from error
    return Issued(token, secret)


def _new_secret() -> tuple[str, str]:
    start = "".join(secrets.choice(_PREFIX_ALPHABET) for _ in range(_PREFIX_LENGTH))
    prefix = f"{TOKEN_MARK}{start}"
    return prefix, f"{prefix}_{secrets.token_urlsafe(32)}"


def revoke_token(
    *, principal: Principal, token_id: uuid.UUID, now: dt.datetime
) -> PersonalToken:
    """End a token of the person's own at once; twice is harmless.

    Raises `NotAllowed`, and `NotFound` for somebody else's.
    """
    require(principal, Act.TOKENS)
    with transaction.atomic():
        token = PersonalToken.objects.filter(
            pk=token_id, tenant_id=principal.tenant_id, user_id=person_of(principal)
        ).first()
        if token is None:
            raise NotFound
        ended = PersonalToken.objects.filter(
            pk=token.pk, revoked_at__isnull=True
        ).update(revoked_at=now)
        if ended:
            record_act(
                principal=principal,
                action="token.revoked",
                target_type="token",
                target_id=token.pk,
                before={"prefix": token.prefix},
            )
    token.refresh_from_db()
    return token


def digest_of(secret: str) -> str:
    """Return the form in which a secret is stored: its SHA-256, as hex digits."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def find_token(*, secret: str, now: dt.datetime) -> PersonalToken:
    """Return the live token of this secret, with its user and tenant.

    The look-up is by digest: what it may leak by its timing says nothing of the
    secret. Raises `TokenRefused`, `TokenRevoked` or `TokenExpired`, all 401.
    """
    token = (
        PersonalToken.objects.select_related("user", "tenant")
        .filter(digest=digest_of(secret))
        .first()
    )
    if token is None or not token.user.is_active:
        raise TokenRefused
    if token.revoked_at is not None:
        raise TokenRevoked
    if token.expires_at <= now:
        raise TokenExpired
    return token


def record_token_use(*, token: PersonalToken, now: dt.datetime) -> None:
    """Note that a token was used; at most one write a minute."""
    if token.last_used_at is not None and token.last_used_at > now - _USE_STEP:
        return
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lte=now - _USE_STEP)
    PersonalToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
