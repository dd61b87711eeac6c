"""The bases of every endpoint: who calls, in which tenant, with what right."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, ClassVar, cast

from django.utils import timezone
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tooling.api.authentication import token_principal
from tooling.api.errors import error_response
from tooling.api.schema import DialogueSchema
from tooling.errors import NotAllowed, NotFound
from tooling.models import PersonalToken, User
from tooling.policy import Act, Principal, require
from tooling.selectors import membership_of, session_principal


class DialogueAPIView(APIView):
    """What all endpoints share. `access_rule` is what a guard test looks for."""

    access_rule: ClassVar[str] = ""
    http_method_names = [*("get", "head", "post", "put", "patch", "delete")]  # noqa: RUF012 -- as its base has it
    schema = DialogueSchema()
    now: dt.datetime

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view function, which carries its access rule."""
        view: Any = super().as_view(**initkwargs)
        view.access_rule = cls.access_rule
        return view

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Set the clock; the rest as ever."""
        self.now = timezone.now()
        super().initial(request, *args, **kwargs)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Keep answers out of every cache: they are one person's."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.headers.setdefault("Cache-Control", "no-store, private")
        return final


class PersonAPIView(DialogueAPIView):
    """For anybody who signed in or bears a live token; no tenant in the address."""

    access_rule = "signed_in"

    @property
    def person(self) -> User:
        """Return who calls."""
        return cast("User", self.request.user)

    @property
    def token(self) -> PersonalToken | None:
        """Return the token that they came with, if any."""
        auth = self.request.auth
        return auth if isinstance(auth, PersonalToken) else None


class TenantAPIView(PersonAPIView):
    """For members of the tenant in the address, by the act that `acts` names.

    A method without an act is refused. The tenant does not reach the methods:
    they have `self.principal` and `self.now`.
    """

    access_rule = "tenant"
    acts: ClassVar[Mapping[str, Act]] = {}
    principal: Principal
    tenant_slug: str

    def dispatch(
        self, request: Any, *args: Any, tenant: str = "", **kwargs: Any
    ) -> Any:
        """Keep the tenant of the address to itself."""
        self.tenant_slug = tenant
        return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find the principal and require the method's act."""
        super().initial(request, *args, **kwargs)
        self.principal = self._principal(self.tenant_slug)
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method not in self.allowed_methods:
            raise MethodNotAllowed(method)
        act = self.acts.get(method)
        if act is None:
            raise NotAllowed
        require(self.principal, act)

    def _principal(self, slug: str) -> Principal:
        if self.token is not None:
            return token_principal(self.token, slug=slug)
        return session_principal(membership_of(user=self.person, slug=slug))


class NotFoundAPIView(DialogueAPIView):
    """Every other address under the API: the answer of an unknown id, as JSON."""

    access_rule = "public"
    authentication_classes = ()
    permission_classes = ()
    schema = None  # type: ignore[assignment]

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Answer 404 to every method."""
        self.args, self.kwargs, self.headers = args, kwargs, {}
        self.request = self.initialize_request(request, *args, **kwargs)
        return self.finalize_response(
            self.request, error_response(NotFound()), *args, **kwargs
        )
