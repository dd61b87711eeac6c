"""What every page's frame needs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


def shell(request: HttpRequest) -> dict[str, Any]:
    """Return the frame's context: nothing that costs a statement."""
    return {"shell_tenant": getattr(request, "tenant", None)}
