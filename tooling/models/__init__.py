"""Rows of tooling: people and tenants, tools and gates, model calls."""

from tooling.models.audit import AuditEntry
from tooling.models.grants import GrantEnd, SessionGrant
from tooling.models.llm import ModelCall, Preset, PromptPart
from tooling.models.paid import PaidReadOptIn
from tooling.models.people import Features, Membership, Tenant, User
from tooling.models.system import IdempotencyRecord, Lease
from tooling.models.tokens import PersonalToken
from tooling.models.toolcalls import ToolCall, ToolCallState

__all__ = [
    "AuditEntry",
    "Features",
    "GrantEnd",
    "IdempotencyRecord",
    "Lease",
    "Membership",
    "ModelCall",
    "PaidReadOptIn",
    "PersonalToken",
    "Preset",
    "PromptPart",
    "SessionGrant",
    "Tenant",
    "ToolCall",
    "ToolCallState",
    "User",
]
