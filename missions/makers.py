"""Who makes a row of this app, and which words caused it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from decisions.models import MakerKind
from tooling.policy import Principal, PrincipalKind

if TYPE_CHECKING:
    import uuid

    from tooling.registry import ToolContext


@dataclass(frozen=True, slots=True)
class Maker:
    """A person, or a model that answers one.

    `user_id` is the person, for a model the one whose message it answers. `way` is
    how they came in; the system itself acts where an approval takes effect.
    """

    tenant_id: uuid.UUID
    kind: MakerKind
    user_id: uuid.UUID
    way: PrincipalKind = PrincipalKind.SYSTEM

    @classmethod
    def of(cls, principal: Principal) -> Self:
        """Return the maker that a principal with a user stands for."""
        if principal.user_id is None:
            message = "a maker is a person or answers one"
            raise ValueError(message)
        kind = MakerKind.HUMAN if principal.is_human else MakerKind.MODEL
        return cls(principal.tenant_id, kind, principal.user_id, principal.kind)

    def principal(self) -> Principal:
        """Return the principal for the audit log; it carries no rights."""
        return Principal(self.way, self.tenant_id, self.user_id)


@dataclass(frozen=True, slots=True)
class Origin:
    """The conversation, human message and turn that a row comes from."""

    conversation_id: uuid.UUID
    message_id: uuid.UUID | None = None
    turn_id: uuid.UUID | None = None

    @classmethod
    def of(cls, context: ToolContext) -> Self:
        """Return the origin of what a tool makes: from rows, never from a model."""
        return cls(context.conversation_id, context.human_message_id, context.turn_id)

    def facts(self) -> dict[str, str]:
        """Return the ids for the audit log; nothing where there is none."""
        named = {
            "origin_conversation": self.conversation_id,
            "origin_message": self.message_id,
            "origin_turn": self.turn_id,
        }
        return {name: str(key) for name, key in named.items() if key is not None}
