"""What every page's frame needs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from tooling.models import Membership
from tooling.selectors import memberships_of
from tooling.web.nav import NavItem, items_for


def shell(request: HttpRequest) -> dict[str, Any]:
    """Return the frame's context. What costs a statement is a callable.

    `nav_items` and `my_teams` run when a template asks, and error pages never ask.
    """

    def nav_items() -> list[NavItem]:
        return items_for(request)

    def my_teams() -> list[Membership]:
        user = getattr(request, "user", None)
        if user is None or not user.is_authenticated:
            return []
        return list(memberships_of(user=user))

    return {
        "shell_tenant": getattr(request, "tenant", None),
        "nav_items": nav_items,
        "my_teams": my_teams,
    }
