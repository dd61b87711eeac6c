"""Who calls: a personal token, or a person who signed in with a browser."""

from __future__ import annotations

from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from tooling.errors import NotFound
from tooling.models import PersonalToken, User
from tooling.policy import Principal, PrincipalKind
from tooling.selectors import membership_of, session_principal
from tooling.services.tokens import TokenRefused, find_token, record_token_use

BEARER = "bearer"


class CSRFFailed(PermissionDenied):
    """A request with a session's cookie but without its CSRF token."""

    default_code = "csrf_failed"
    default_detail = _("The CSRF token is missing or wrong. Load the page again.")


def bearer_secret(request: HttpRequest) -> str | None:
    """Return the secret of a bearer's Authorization header, None without one.

    Other schemes are a proxy's affair. Raises `TokenRefused` for an empty secret.
    """
    scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != BEARER:
        return None
    if not secret.strip():
        raise TokenRefused
    return secret.strip()


class PersonalTokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer dlg_…`; a bad one is refused, never passed over."""

    def authenticate(self, request: Request) -> tuple[User, PersonalToken] | None:
        """Return the token's owner and the token."""
        secret = bearer_secret(request._request)  # noqa: SLF001 -- DRF's own way
        if secret is None:
            return None
        now = timezone.now()
        token = find_token(secret=secret, now=now)
        record_token_use(token=token, now=now)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return what the answer 401 asks for."""
        return 'Bearer realm="dialogue"'


class TenantSessionAuthentication(SessionAuthentication):
    """The browser's session; whatever writes needs the CSRF token too."""

    def enforce_csrf(self, request: Request) -> None:
        """Refuse with our own code and sentence."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise CSRFFailed from error


def token_principal(token: PersonalToken, *, slug: str) -> Principal:
    """Return the principal of a token in the tenant at `slug`.

    Raises `NotFound` where the token is another tenant's, or its owner has left.
    """
    if token.tenant.slug != slug:
        raise NotFound
    membership = membership_of(user=token.user, slug=slug)
    return Principal(
        kind=PrincipalKind.TOKEN,
        tenant_id=membership.tenant_id,
        user_id=membership.user_id,
        role=membership.role,
        scopes=frozenset(token.scopes),
    )


def principal_of(request: HttpRequest, *, slug: str) -> Principal | None:
    """Return who calls a plain Django view that tokens may read too.

    None for nobody. Asked again on an open stream it sees a token revoked, a
    membership ended, a person barred: `TokenRefused` or `NotFound`. Safe methods
    only: it checks no CSRF token.
    """
    secret = bearer_secret(request)
    if secret is not None:
        return token_principal(find_token(secret=secret, now=timezone.now()), slug=slug)
    user = _session_user(request)
    if isinstance(user, AnonymousUser):
        return None
    return session_principal(membership_of(user=user, slug=slug))


def _session_user(request: HttpRequest) -> User | AnonymousUser:
    """Return the session's person as the session is now, not as it began.

    An open stream outlives its request: it must hear of a sign-out or a new password.
    """
    probe = HttpRequest()
    probe.session = type(request.session)(request.session.session_key)
    return get_user(probe)
