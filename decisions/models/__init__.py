"""Rows of the Decisions queue."""

from decisions.models.request import (
    MAX_OPTION_CHARS,
    AttentionRequest,
    MakerKind,
    RequestKind,
    RequestState,
)
from decisions.models.resolution import LateDecision, Resolution

__all__ = [
    "MAX_OPTION_CHARS",
    "AttentionRequest",
    "LateDecision",
    "MakerKind",
    "RequestKind",
    "RequestState",
    "Resolution",
]
