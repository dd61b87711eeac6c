"""Rows of the Decisions queue."""

from decisions.models.request import (
    AttentionRequest,
    MakerKind,
    RequestKind,
    RequestState,
)
from decisions.models.resolution import LateDecision, Resolution

__all__ = [
    "AttentionRequest",
    "LateDecision",
    "MakerKind",
    "RequestKind",
    "RequestState",
    "Resolution",
]
