"""Reads of the Decisions queue."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from decisions.models import AttentionRequest, RequestState
from dialogue.models import Conversation
from tooling.errors import NotFound
from tooling.models import Membership, User
from tooling.paging import Page, keyset
from tooling.policy import MATRIX, Act, Principal, PrincipalKind, allows, require

STATES = frozenset(RequestState.values)


def queue(
    *,
    principal: Principal,
    state: str = "open",
    kind: str = "",
    origin_conversation: uuid.UUID | None = None,
    search: str = "",
    cursor: str = "",
    limit: int = 50,
) -> Page[AttentionRequest]:
    """Return a page of the tenant's requests, newest first.

    `state` is a state or empty for all; one that does not exist finds nothing.
    """
    require(principal, Act.READ)
    rows = visible_requests(principal=principal)
    if state:
        rows = rows.filter(state=state)
    if kind:
        rows = rows.filter(kind=kind)
    if origin_conversation is not None:
        rows = rows.filter(origin_conversation=origin_conversation)
    if search:
        rows = rows.filter(title__icontains=search)
    return keyset(rows, cursor=cursor, limit=limit)


def visible_requests(*, principal: Principal) -> QuerySet[AttentionRequest]:
    """Return the tenant's requests that this principal may see.

    Whoever decides sees them all; others, and a model, not those that come from
    somebody else's private conversation.
    """
    rows = requests_of(tenant_id=principal.tenant_id)
    if allows(principal, Act.DECIDE):
        return rows
    private = Conversation.objects.filter(
        tenant_id=principal.tenant_id, is_private=True
    ).exclude(created_by_id=principal.user_id)
    return rows.exclude(origin_conversation__in=private.values("pk"))


def requests_of(*, tenant_id: uuid.UUID) -> QuerySet[AttentionRequest]:
    """Return a tenant's requests with the people that lists name."""
    return AttentionRequest.objects.filter(tenant_id=tenant_id).select_related(
        "tenant", "requested_by", "resolved_by", "resolution"
    )


def request_for(*, principal: Principal, request_id: uuid.UUID) -> AttentionRequest:
    """Return one request of the principal's tenant or raise `NotFound`."""
    require(principal, Act.READ)
    found = visible_requests(principal=principal).filter(pk=request_id).first()
    if found is None:
        raise NotFound
    return found


def history(*, request: AttentionRequest) -> list[AttentionRequest]:
    """Return every revision of the request's proposal, the first one first."""
    return list(
        requests_of(tenant_id=request.tenant_id)
        .filter(proposal_id=request.proposal_id)
        .order_by("revision")
    )


def live_revision(*, request: AttentionRequest) -> AttentionRequest | None:
    """Return the open revision of the request's proposal."""
    return AttentionRequest.objects.filter(
        proposal_id=request.proposal_id, state=RequestState.OPEN
    ).first()


def requesters(*, request: AttentionRequest) -> set[uuid.UUID]:
    """Return who is behind a request: whoever asked for or edited a revision."""
    return set(
        AttentionRequest.objects.filter(
            proposal_id=request.proposal_id, revision__lte=request.revision
        ).values_list("requested_by_id", flat=True)
    )


def waiting_count(principal: Principal) -> int:
    """Return how many requests wait for this person; 0 for who may not decide."""
    if not allows(principal, Act.DECIDE):
        return 0
    return AttentionRequest.objects.filter(
        tenant_id=principal.tenant_id, state=RequestState.OPEN
    ).count()


def deciding_memberships(*, user_id: uuid.UUID) -> QuerySet[Membership]:
    """Return the memberships by whose role a person may decide."""
    return Membership.objects.filter(
        user_id=user_id, user__is_active=True, role__in=MATRIX[Act.DECIDE]
    ).select_related("tenant")


def waiting_for_user(*, user: User) -> int:
    """Return how many requests wait in all tenants where a person may decide."""
    tenants = deciding_memberships(user_id=user.pk).values("tenant_id")
    return AttentionRequest.objects.filter(
        tenant_id__in=tenants, state=RequestState.OPEN
    ).count()


def next_waiting(
    *, principal: Principal, after: AttentionRequest
) -> AttentionRequest | None:
    """Return the longest waiting request of the tenant other than `after`."""
    if not allows(principal, Act.DECIDE):
        return None
    waiting = AttentionRequest.objects.filter(
        tenant_id=principal.tenant_id, state=RequestState.OPEN
    )
    return waiting.exclude(pk=after.pk).order_by("created_at", "pk").first()


def command_decider(
    *, email: str, request_id: uuid.UUID
) -> tuple[Principal, AttentionRequest]:
    """Return the named person, as a command's principal, and the request.

    Their role in the request's tenant counts, as everywhere. Raises `NotFound` for
    an unknown request, and for a person who is no active member there.
    """
    request = AttentionRequest.objects.filter(pk=request_id).first()
    if request is None:
        raise NotFound
    membership = Membership.objects.filter(
        tenant_id=request.tenant_id, user__email__iexact=email, user__is_active=True
    ).first()
    if membership is None:
        raise NotFound
    principal = Principal(
        kind=PrincipalKind.COMMAND,
        tenant_id=request.tenant_id,
        user_id=membership.user_id,
        role=membership.role,
    )
    return principal, request
