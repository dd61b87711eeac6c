"""Hints from below: heard in the past tense, and never relied upon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from decisions.kinds import ApprovalOption
from tooling.hints import hint_on_commit

if TYPE_CHECKING:
    from decisions.models import Resolution

TASK = "missions.materialise"


def on_resolution_saved(
    instance: Resolution, created: bool = False, **_kwargs: Any
) -> None:
    """Have an approval materialised soon, once its transaction has committed."""
    if created and instance.option == ApprovalOption.APPROVE:
        hint_on_commit(TASK, request_id=str(instance.request_id))
