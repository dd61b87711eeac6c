"""What every page's frame needs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from tooling.errors import DomainError
from tooling.llm.call_sites import CONNECTION_TEST
from tooling.llm.presets import resolve_preset
from tooling.models import Membership
from tooling.models.llm import BackendKind
from tooling.selectors import memberships_of
from tooling.web.nav import NavItem, items_for


def shell(request: HttpRequest) -> dict[str, Any]:
    """Return the frame's context. What costs a statement is a callable.

    They run when a template asks, and error pages never ask. The model is looked up
    at most every two seconds in a process.
    """

    def nav_items() -> list[NavItem]:
        return items_for(request)

    def my_teams() -> list[Membership]:
        user = getattr(request, "user", None)
        if user is None or not user.is_authenticated:
            return []
        return list(memberships_of(user=user))

    def answering_model() -> dict[str, Any]:
        try:
            preset = resolve_preset(call_site=CONNECTION_TEST.name)
        except DomainError:
            return {"is_planner": False, "name": ""}
        planner = preset.kind == BackendKind.PLANNER
        return {"is_planner": planner, "name": preset.model or preset.name}

    return {
        "answering_model": answering_model,
        "shell_tenant": getattr(request, "tenant", None),
        "nav_items": nav_items,
        "my_teams": my_teams,
    }
