"""Sign-in by e-mail; nobody signs up by themselves."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):
    """People are added by an admin of their team."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse self-service accounts."""
        return False
