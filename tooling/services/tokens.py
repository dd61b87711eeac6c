"""Personal tokens: finding one by its secret."""

from __future__ import annotations

import datetime as dt
import hashlib
from http import HTTPStatus

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tooling.errors import DomainError
from tooling.models import PersonalToken

TOKEN_MARK = "dlg_"  # noqa: S105 -- how every secret begins, not a secret
# A token in steady use writes its time of use once a minute, not with each request.
_USE_STEP = dt.timedelta(minutes=1)


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
