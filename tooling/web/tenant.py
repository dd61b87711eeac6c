"""Who may open a page: every view wears exactly one of these decorators.

    @tenant_view()                    a member of the tenant in the address
    @tenant_view(act=Act.MEMBERS)     … whose role has this act
    @async_tenant_view()              the same before an async view
    @signed_in_view                   any person who signed in
    @staff_view                       staff of the deployment
    @public_view                      everybody

`tenant_view` consumes the address's `tenant` and sets `request.tenant`,
`request.membership` and `request.principal`; the view gets the other parts of the
address alone. A foreign tenant gets the answer of one that never existed. A
`DomainError` that a view lets through becomes a page or, for scripts, JSON.

Each decorated view carries `access_rule`, which a guard test looks for.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, TypeVar, cast

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponseBase

from tooling.errors import DomainError, NotAllowed, NotFound
from tooling.models import Membership, Tenant, User
from tooling.policy import Act, Principal, require
from tooling.selectors import membership_of, session_principal
from tooling.web.errors import error_response, sign_in_response

View = Callable[..., HttpResponseBase]
AsyncView = Callable[..., Coroutine[Any, Any, HttpResponseBase]]
V = TypeVar("V", bound=Callable[..., Any])


class SignedInRequest(HttpRequest):
    """A request of a person who signed in."""

    user: User


class TenantRequest(SignedInRequest):
    """A request of a member, as `tenant_view` hands it to a view."""

    tenant: Tenant
    membership: Membership
    principal: Principal


def tenant_view(act: Act = Act.READ) -> Callable[[View], View]:
    """Let members of the tenant in the address in whose role has `act`."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, tenant: str, **parts: Any) -> Any:
            refusal = _enter(request, tenant, act)
            if refusal is not None:
                return refusal
            try:
                return view(request, **parts)
            except DomainError as error:
                return error_response(request, error)

        return _ruled(guarded, f"tenant:{act.value}")

    return decorate


def async_tenant_view(act: Act = Act.READ) -> Callable[[AsyncView], AsyncView]:
    """As `tenant_view`, before an async view; rows are read in a thread."""

    def decorate(view: AsyncView) -> AsyncView:
        @wraps(view)
        async def guarded(request: HttpRequest, tenant: str, **parts: Any) -> Any:
            refusal = await sync_to_async(_enter)(request, tenant, act)
            if refusal is not None:
                return refusal
            try:
                return await view(request, **parts)
            except DomainError as error:
                return await sync_to_async(error_response)(request, error)

        return _ruled(guarded, f"tenant:{act.value}")

    return decorate


def signed_in_view(view: View) -> View:
    """Let every person in who signed in."""

    @wraps(view)
    def guarded(request: HttpRequest, **parts: Any) -> Any:
        if not request.user.is_authenticated:
            return sign_in_response(request)
        return _answered(view, request, parts)

    return _ruled(guarded, "signed_in")


def staff_view(view: View) -> View:
    """Let staff of the deployment in; others hear that they may not."""

    @wraps(view)
    def guarded(request: HttpRequest, **parts: Any) -> Any:
        if not request.user.is_authenticated:
            return sign_in_response(request)
        if not request.user.is_staff:
            return error_response(request, NotAllowed())
        return _answered(view, request, parts)

    return _ruled(guarded, "staff")


def public_view(view: View) -> View:
    """Let everybody in."""

    @wraps(view)
    def guarded(request: HttpRequest, **parts: Any) -> Any:
        return _answered(view, request, parts)

    return _ruled(guarded, "public")


def _answered(view: View, request: HttpRequest, parts: dict[str, Any]) -> Any:
    try:
        return view(request, **parts)
    except DomainError as error:
        return error_response(request, error)


def _ruled(view: V, rule: str) -> V:
    view.access_rule = rule  # type: ignore[attr-defined]
    return view


def _enter(request: HttpRequest, slug: str, act: Act) -> HttpResponseBase | None:
    """Set who comes in, or return the answer that turns them away."""
    if not request.user.is_authenticated:
        return sign_in_response(request)
    entering = cast("TenantRequest", request)
    try:
        membership = membership_of(user=entering.user, slug=slug)
        principal = session_principal(membership)
        entering.tenant = membership.tenant
        entering.membership = membership
        entering.principal = principal
        require(principal, act)
    except (NotFound, NotAllowed) as error:
        return error_response(request, error)
    return None
