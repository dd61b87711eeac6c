"""Passwords made by the product, and one-time links to choose one."""

from __future__ import annotations

import secrets

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse

from tooling.models import User

# No character that is mistaken for another when read from a screen.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP_LENGTH = 4, 5


def generate_password() -> str:
    """Return a password of four groups, about 99 bits of chance."""
    return "-".join(
        "".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_LENGTH))
        for _ in range(_GROUPS)
    )


def set_password_path(user: User) -> str:
    """Return the path at which a person may choose a password, once.

    It ends when it is used, when they sign in, or after PASSWORD_RESET_TIMEOUT.
    """
    key = default_token_generator.make_token(user)
    return reverse(
        "account_reset_password_from_key",
        kwargs={"uidb36": user_pk_to_url_str(user), "key": key},
    )
