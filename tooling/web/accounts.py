"""Sign-in by e-mail; nobody signs up by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.adapter import DefaultAccountAdapter

from tooling.models import User
from tooling.web.preferences import remember_preferences

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.http import HttpRequest, HttpResponse


class AccountAdapter(DefaultAccountAdapter):
    """People are added by an admin of their team."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse self-service accounts."""
        return False

    def post_login(
        self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any
    ) -> HttpResponse:
        """Bring the person's language and time zone to this browser."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        if isinstance(user, User):
            remember_preferences(response, user)
        return response
