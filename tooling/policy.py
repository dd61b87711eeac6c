"""Who may do what: the one policy module.

Every act of a person is an `Act`; `MATRIX` says which roles have it. Services ask
`require()`; pages and serializers ask `allows()`. The gate (`tooling.gate`) judges
model calls instead: a model has no role.
"""

from __future__ import annotations

import enum
import uuid
from dataclasses import dataclass, field

from django.db import models
from django.utils.translation import gettext_lazy as _

from tooling.errors import NotAllowed, ScopeMissing
from tooling.roles import Role


class Act(enum.StrEnum):
    """An act that a person may have the right to."""

    READ = "read"
    CONVERSE = "converse"
    RAISE = "raise"
    TRIAGE = "triage"
    DECIDE = "decide"
    PUBLISH = "publish"
    RUN = "run"
    RUN_ONCE = "run_once"
    GRANT = "grant"
    REVOKE = "revoke"
    FEATURES = "features"
    MEMBERS = "members"
    TOKENS = "tokens"


class Scope(models.TextChoices):
    """What a personal token may be used for; never more than its owner's role."""

    READ = "read", _("Read everything that you may read")
    CONVERSE = "converse", _("Converse: create, send, complete, raise proposals")
    DECIDE = "decisions:decide", _("Decide requests in the Decisions queue")
    MANAGE = (
        "manage",
        _("Edit and publish workflow drafts, dismiss suggestions, revoke grants"),
    )


_ALL = frozenset(Role.values)
_WRITERS = frozenset({Role.MEMBER, Role.OPERATOR, Role.ADMIN})
_OPERATORS = frozenset({Role.OPERATOR, Role.ADMIN})
_ADMINS = frozenset({Role.ADMIN})

MATRIX: dict[Act, frozenset[str]] = {
    Act.READ: _ALL,
    Act.CONVERSE: _WRITERS,
    Act.RAISE: _WRITERS,
    Act.TRIAGE: _OPERATORS,
    Act.DECIDE: _OPERATORS,
    Act.PUBLISH: _OPERATORS,
    Act.RUN: _OPERATORS,
    # A click on "Run once" asks for exactly one action, as a message that commands it
    # would: whoever may converse may do it. A grant lets the model act without being
    # asked, for whoever writes in the conversation: that leave is for those who run
    # work, and so is ending it from outside the conversation's page.
    Act.RUN_ONCE: _WRITERS,
    Act.GRANT: _OPERATORS,
    Act.REVOKE: _OPERATORS,
    Act.FEATURES: _ADMINS,
    Act.MEMBERS: _ADMINS,
    Act.TOKENS: _ALL,
}

_SCOPE_OF: dict[Act, Scope] = {
    Act.READ: Scope.READ,
    Act.CONVERSE: Scope.CONVERSE,
    Act.RAISE: Scope.CONVERSE,
    Act.TRIAGE: Scope.MANAGE,
    Act.DECIDE: Scope.DECIDE,
    Act.PUBLISH: Scope.MANAGE,
    Act.RUN: Scope.MANAGE,
    Act.REVOKE: Scope.MANAGE,
}

# What only somebody at a page does: no token, no command, whatever their rights.
AT_A_PAGE = frozenset({Act.RUN_ONCE, Act.GRANT})


class PrincipalKind(enum.StrEnum):
    """How somebody came in."""

    SESSION = "session"
    TOKEN = "token"  # noqa: S105 -- a word, not a secret
    COMMAND = "command"
    MODEL = "model"
    SYSTEM = "system"


HUMAN_KINDS = frozenset(
    {PrincipalKind.SESSION, PrincipalKind.TOKEN, PrincipalKind.COMMAND}
)


@dataclass(frozen=True, slots=True)
class Principal:
    """Who acts, in which tenant, and by which way in.

    For `MODEL` the user is the person whose message the model answers: rows carry
    their id, their rights are never lent.
    """

    kind: PrincipalKind
    tenant_id: uuid.UUID
    user_id: uuid.UUID | None
    role: str = ""
    scopes: frozenset[str] = field(default_factory=frozenset)

    @property
    def is_human(self) -> bool:
        """Tell whether a person acts, not a model or the system."""
        return self.kind in HUMAN_KINDS and self.user_id is not None

    @property
    def person(self) -> uuid.UUID:
        """Return the person's key; raises `NotAllowed` where there is none."""
        if self.user_id is None:
            raise NotAllowed
        return self.user_id


def allows(principal: Principal, act: Act) -> bool:
    """Tell whether a person's role, and a token's scopes, have the act."""
    if not principal.is_human or principal.role not in MATRIX[act]:
        return False
    if act in AT_A_PAGE and principal.kind != PrincipalKind.SESSION:
        return False
    if principal.kind == PrincipalKind.TOKEN:
        # Whatever a token is for, it can be used only on what it may look at.
        looks = act is Act.READ and bool(principal.scopes)
        return looks or (act in _SCOPE_OF and _SCOPE_OF[act] in principal.scopes)
    return True


def person_of(principal: Principal) -> uuid.UUID:
    """Return the key of the person who acts; `NotAllowed` where none does."""
    if not principal.is_human or principal.user_id is None:
        raise NotAllowed
    return principal.user_id


def scopes_of_role(role: str) -> frozenset[str]:
    """Return the scopes that are of any use to a person with this role."""
    return frozenset(
        scope.value for act, scope in _SCOPE_OF.items() if role in MATRIX[act]
    )


def require(principal: Principal, act: Act) -> None:
    """Raise `NotAllowed` unless `allows()`; `ScopeMissing` for want of a scope."""
    if allows(principal, act):
        return
    by_token = principal.kind == PrincipalKind.TOKEN and act in _SCOPE_OF
    if by_token and principal.role in MATRIX[act]:
        raise ScopeMissing(extra={"act": act.value, "scope": _SCOPE_OF[act].value})
    raise NotAllowed(extra={"act": act.value})
