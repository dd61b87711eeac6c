"""Raise the proposal of a Mission: one request and one draft, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from decisions.models import AttentionRequest, MakerKind, RequestState
from decisions.services.raising import raise_request
from dialogue.selectors import find_conversation
from missions.makers import Maker, Origin
from missions.models import WorkflowDraft
from missions.selectors import find_suggestion, revisable_requests
from missions.services.suggestions import convert_suggestion, convert_turn_suggestion
from missions.specification import MissionSpec
from missions.subject import SUBJECT, make_payload
from missions.workflow.graph import (
    Graph,
    InvalidGraph,
    UnusablePlan,
    build_graph,
    placeholder_graph,
)
from tooling.boundary import payload_hash
from tooling.errors import Conflict, InvalidInput
from tooling.policy import Act, Principal, require
from tooling.services.audit import record_act

if TYPE_CHECKING:
    import datetime as dt
    import uuid
    from collections.abc import Mapping, Sequence


class TooManyProposals(Conflict):
    """More proposals on one turn than distinct ideas are likely to be."""

    code = "proposals_per_turn"
    message = _(
        "This turn has raised as many proposals as one turn may. Put the rest to the "
        "person, who can ask again."
    )


class TooManyOpen(Conflict):
    """The conversation has too many proposals that wait for a decision."""

    code = "open_proposals"
    message = _(
        "Too many proposals of this conversation wait for a decision. Decide or "
        "withdraw some of them first."
    )


class UnknownRevision(InvalidInput):
    """`revises` names nothing of this conversation that asked for changes."""

    code = "unknown_revision"
    field = "revises"
    message = _(
        "This is no proposal of this conversation that came back with “Request "
        "changes”, or it has a newer revision. Leave “revises” out, or name one."
    )


@dataclass(frozen=True, slots=True)
class Proposed:
    """The request, its draft, and whether this call made them."""

    request: AttentionRequest
    draft: WorkflowDraft
    created: bool


def propose_mission(
    *,
    maker: Maker,
    origin: Origin | None,
    title: str,
    objective: str,
    tasks: Sequence[Mapping[str, str]],
    acceptance_criteria: Sequence[str],
    plan: Mapping[str, Any] | None = None,
    priority: str = "normal",
    revises: uuid.UUID | None = None,
    new_proposal: bool = False,
    now: dt.datetime,
) -> Proposed:
    """Raise one request with one unpublished draft, in one transaction.

    A plan that is missing or does not fit together gives a placeholder draft. The
    same proposal again returns what stands, whatever its state. `revises` names a
    request of this conversation that came back with “Request changes”; without it
    the only such one is revised, unless `new_proposal` says that this is another
    idea. Rights are the caller's to check: the gate or the role policy.
    """
    spec = MissionSpec.check(
        title=title,
        objective=objective,
        tasks=tasks,
        acceptance_criteria=acceptance_criteria,
        priority=priority,
    )
    graph = graph_of_plan(plan, spec)
    payload = make_payload(spec, graph)
    with transaction.atomic():
        standing = _standing(maker, origin, payload_hash(payload))
        if standing is not None:
            return _repeat(maker, standing)
        _check_caps(maker, origin)
        revised = _find_revised(maker, origin, revises, new_proposal=new_proposal)
        raised = raise_request(
            tenant_id=maker.tenant_id,
            maker_kind=maker.kind,
            requested_by_id=maker.user_id,
            subject=SUBJECT,
            title=spec.title,
            payload=payload,
            origin_conversation=origin.conversation_id if origin else None,
            origin_message=origin.message_id if origin else None,
            origin_turn=origin.turn_id if origin else None,
            revises=revised,
            now=now,
        )
        if not raised.created:
            return _repeat(maker, raised.request)
        draft = create_draft(request=raised.request, graph=graph, now=now)
        if origin and origin.turn_id:
            convert_turn_suggestion(turn_id=origin.turn_id, now=now)
    return Proposed(raised.request, draft, created=True)


def raise_proposal(
    *,
    principal: Principal,
    conversation_id: uuid.UUID | None = None,
    suggestion_id: uuid.UUID | None = None,
    now: dt.datetime,
    **proposal: Any,
) -> Proposed:
    """Raise a proposal as a person, from a page or by REST.

    Needs no switch. `proposal` is what `propose_mission` takes; the conversation, if
    one is named, hears of it. `suggestion_id` is turned into this proposal.
    """
    require(principal, Act.RAISE)
    origin = None
    if suggestion_id is not None:
        suggestion = find_suggestion(principal=principal, suggestion_id=suggestion_id)
        origin = Origin(suggestion.origin_conversation, suggestion.origin_message)
    elif conversation_id is not None:
        found = find_conversation(principal=principal, conversation_id=conversation_id)
        origin = Origin(conversation_id=found.pk)
    with transaction.atomic():
        proposed = propose_mission(
            maker=Maker.of(principal), origin=origin, now=now, **proposal
        )
        if suggestion_id is not None:
            # After the request: lock order is request, then conversation.
            convert_suggestion(
                principal=principal, suggestion_id=suggestion_id, now=now
            )
    return proposed


def graph_of_plan(plan: Mapping[str, Any] | None, spec: MissionSpec) -> Graph:
    """Return a plan's graph, or a placeholder made from the tasks."""
    if plan is not None:
        try:
            return build_graph(plan)
        except (InvalidGraph, UnusablePlan):
            # The idea is not lost for its plan: a person completes the draft.
            pass
    return placeholder_graph([task.title for task in spec.tasks] or [spec.title])


def create_draft(
    *, request: AttentionRequest, graph: Graph, now: dt.datetime
) -> WorkflowDraft:
    """Create the one draft of a request, with the request's own origin."""
    content = graph.to_json()
    return WorkflowDraft.objects.create(
        tenant_id=request.tenant_id,
        title=request.title,
        graph=content,
        is_placeholder=graph.placeholder,
        content_hash=payload_hash(content),
        source_request=request,
        maker_kind=request.maker_kind,
        created_by_id=request.requested_by_id,
        origin_conversation=request.origin_conversation,
        origin_message=request.origin_message,
        created_at=now,
        updated_at=now,
    )


def _repeat(maker: Maker, request: AttentionRequest) -> Proposed:
    record_act(
        principal=maker.principal(),
        action="proposal.repeated",
        target_type="request",
        target_id=request.pk,
        after={"state": request.state, "option": request.resolved_option},
    )
    return Proposed(request, WorkflowDraft.objects.get(source_request=request), False)


def _requests(maker: Maker) -> QuerySet[AttentionRequest]:
    return AttentionRequest.objects.filter(tenant_id=maker.tenant_id, subject=SUBJECT)


def _standing(
    maker: Maker, origin: Origin | None, digest: str
) -> AttentionRequest | None:
    """Find the same proposal: of the same human message, or open where it came from.

    Outside a conversation, a person's own open one: a form that was sent twice.
    """
    same = _requests(maker).filter(payload_hash=digest)
    if origin is None:
        same = same.filter(
            origin_conversation=None,
            requested_by_id=maker.user_id,
            state=RequestState.OPEN,
        )
    else:
        here = Q(origin_conversation=origin.conversation_id, state=RequestState.OPEN)
        if maker.kind == MakerKind.MODEL:
            here |= Q(origin_message=origin.message_id, maker_kind=MakerKind.MODEL)
        same = same.filter(here)
    return same.order_by("-created_at").first()


def _check_caps(maker: Maker, origin: Origin | None) -> None:
    if origin is None:
        return
    rows = _requests(maker)
    if maker.kind == MakerKind.MODEL and origin.turn_id is not None:
        made = rows.filter(
            origin_turn=origin.turn_id, maker_kind=MakerKind.MODEL
        ).count()
        if made >= settings.PROPOSALS_PER_TURN:
            raise TooManyProposals(extra={"limit": settings.PROPOSALS_PER_TURN})
    limit = settings.OPEN_PROPOSALS_PER_CONVERSATION
    waiting = rows.filter(
        origin_conversation=origin.conversation_id, state=RequestState.OPEN
    ).count()
    if waiting >= limit:
        raise TooManyOpen(extra={"limit": limit})


def _find_revised(
    maker: Maker,
    origin: Origin | None,
    revises: uuid.UUID | None,
    *,
    new_proposal: bool,
) -> AttentionRequest | None:
    if revises is None and (origin is None or new_proposal):
        return None
    waiting = revisable_requests(
        tenant_id=maker.tenant_id,
        conversation_id=origin.conversation_id if origin else None,
    )
    if revises is None:
        found = list(waiting[:2])
        return found[0] if len(found) == 1 else None
    revised = waiting.filter(pk=revises).first()
    if revised is None:
        raise UnknownRevision
    return revised
