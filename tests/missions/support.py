"""Rows and arguments for tests of Missions."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from dataclasses import dataclass
from typing import Any

from decisions.models import AttentionRequest, RequestState
from dialogue.models import (
    Conversation,
    ConversationMessage,
    MessageRole,
    Track,
    Turn,
    TurnState,
)
from dialogue.turns.hooks import call_blocked
from missions.makers import Maker, Origin
from missions.models import Mission
from missions.services.creating import create_mission
from missions.services.proposing import Proposed, propose_mission
from missions.specification import MissionSpec
from tooling.boundary import payload_hash
from tooling.gate.execute import Executed, execute_call
from tooling.llm.types import ToolRequest
from tooling.models import (
    Membership,
    SessionGrant,
    Tenant,
    ToolCall,
    ToolCallState,
    User,
)
from tooling.policy import Principal, PrincipalKind
from tooling.registry import Change, ToolContext, find_tool
from tooling.tiers import Tier

NOW = dt.datetime(2026, 5, 4, 9, 30, tzinfo=dt.UTC)
WISH = "We need a nightly export of unpaid invoices to the finance share."


@dataclass(frozen=True, slots=True)
class Scene:
    """What `build_scene` made."""

    tenant: Tenant
    viewer: Principal
    member: Principal
    operator: Principal
    stranger: Principal
    model: Principal
    conversation: Conversation
    message: ConversationMessage
    turn: Turn

    @property
    def origin(self) -> Origin:
        return Origin(self.conversation.pk, self.message.pk, self.turn.pk)

    @property
    def context(self) -> ToolContext:
        return ToolContext(
            principal=self.model,
            conversation_id=self.conversation.pk,
            turn_id=self.turn.pk,
            human_message_id=self.message.pk,
            call_id="call_1",
            language="en",
            now=NOW,
        )


def person(tenant: Tenant, name: str, role: str) -> Principal:
    """Make a member and return how they come in."""
    user = User.objects.create_user(f"{name}@{tenant.slug}.test", full_name=name)
    Membership.objects.create(tenant=tenant, user=user, role=role)
    return Principal(PrincipalKind.SESSION, tenant.pk, user.pk, role)


def user_of(principal: Principal) -> User:
    """Return the person behind a principal."""
    return User.objects.get(pk=key_of(principal))


def key_of(principal: Principal) -> uuid.UUID:
    """Return the key of the person behind a principal."""
    assert principal.user_id is not None
    return principal.user_id


def build_scene(slug: str = "acme") -> Scene:
    """Make a team with a conversation in which a wish is being answered."""
    tenant = Tenant.objects.create(slug=slug, name=slug.title())
    other = Tenant.objects.create(slug=f"{slug}-other", name="Other")
    member = person(tenant, "mia", "member")
    conversation = make_conversation(member)
    message, turn = add_turn(conversation, WISH)
    return Scene(
        tenant=tenant,
        viewer=person(tenant, "vic", "viewer"),
        member=member,
        operator=person(tenant, "ola", "operator"),
        stranger=person(other, "sam", "admin"),
        model=Principal(PrincipalKind.MODEL, tenant.pk, member.user_id),
        conversation=conversation,
        message=message,
        turn=turn,
    )


def make_conversation(owner: Principal, **fields: Any) -> Conversation:
    """Make an empty conversation."""
    return Conversation.objects.create(
        tenant_id=owner.tenant_id,
        created_by_id=key_of(owner),
        track=fields.pop("track", Track.PLANNING),
        **fields,
    )


def add_turn(
    conversation: Conversation,
    text: str,
    *,
    intent: str = "feature_request",
    state: str = TurnState.DONE,
) -> tuple[ConversationMessage, Turn]:
    """Add a human message and its turn, as it stands when it ends."""
    conversation.refresh_from_db()
    conversation.message_seq += 1
    conversation.save(update_fields=["message_seq"])
    message = ConversationMessage.objects.create(
        tenant_id=conversation.tenant_id,
        conversation=conversation,
        seq=conversation.message_seq,
        role=MessageRole.USER,
        text=text,
        author_id=conversation.created_by_id,
        created_at=NOW,
    )
    turn = Turn.objects.create(
        tenant_id=conversation.tenant_id,
        conversation=conversation,
        human_message=message,
        requested_by_id=conversation.created_by_id,
        state=state,
        intent=intent,
        ended_at=NOW,
    )
    return message, turn


def proposal(**changes: Any) -> dict[str, Any]:
    """Return the arguments of a sound proposal."""
    return {
        "title": "Nightly export of unpaid invoices",
        "objective": "Unpaid invoices reach the finance share every night.",
        "tasks": [
            {"title": "Write the export", "detail": "CSV, one file a night."},
            {"title": "Alert when it fails", "detail": ""},
        ],
        "acceptance_criteria": ["The file is there at six in the morning."],
        "plan": None,
        **changes,
    }


def plan(*edges: tuple[str, tuple[str, ...]]) -> dict[str, Any]:
    """Return a plan from (id, after) pairs."""
    return {
        "steps": [
            {"id": name, "title": name.title(), "kind": "task", "after": list(after)}
            for name, after in edges
        ]
    }


SOUND_PLAN = plan(("export", ()), ("alert", ("export",)))


def propose(scene: Scene, **changes: Any) -> Proposed:
    """Raise a proposal as the model of the scene's turn."""
    return propose_mission(
        maker=Maker.of(scene.model), origin=scene.origin, now=NOW, **proposal(**changes)
    )


def settle(request: AttentionRequest, option: str, by: Principal) -> AttentionRequest:
    """Put a request into the state that a decision leaves."""
    AttentionRequest.objects.filter(pk=request.pk).update(
        state=RequestState.RESOLVED,
        resolved_option=option,
        resolved_by_id=by.user_id,
        resolved_at=NOW,
        closed_at=NOW,
    )
    request.refresh_from_db()
    return request


def make_call(
    scene: Scene,
    name: str,
    *,
    verdict: str = "run",
    gate: str = "open",
    state: str = ToolCallState.DONE,
    arguments: dict[str, Any] | None = None,
    turn_id: uuid.UUID | None = None,
) -> ToolCall:
    """Store a judged call of the scene's turn."""
    return ToolCall.objects.create(
        tenant=scene.tenant,
        conversation_id=scene.conversation.pk,
        turn_id=turn_id or scene.turn.pk,
        human_message_id=scene.message.pk,
        provider_call_id=str(uuid.uuid4()),
        name=name,
        arguments=arguments or {},
        arguments_hash="0" * 64,
        verdict=verdict,
        gate=gate,
        state=state,
    )


def make_held_call(
    scene: Scene,
    *,
    name: str = "mission_create",
    arguments: dict[str, Any] | None = None,
    gate: str = "no_explicit_request",
    **fields: Any,
) -> ToolCall:
    """Store a write of the scene's turn that a gate held back."""
    plain = arguments or {k: v for k, v in proposal().items() if k != "plan"}
    return ToolCall.objects.create(
        **{
            "tenant": scene.tenant,
            "conversation_id": scene.conversation.pk,
            "turn_id": scene.turn.pk,
            "human_message_id": scene.message.pk,
            "provider_call_id": str(uuid.uuid4()),
            "name": name,
            "tier": Tier.WRITE,
            "arguments": plain,
            "arguments_hash": payload_hash(plain),
            "verdict": "surface" if gate == "no_explicit_request" else "refuse",
            "gate": gate,
            "state": ToolCallState.SURFACED,
            "result": {"data": {"refused": True}, "cards": []},
            "ended_at": NOW,
            **fields,
        }
    )


def make_grant(scene: Scene, **fields: Any) -> SessionGrant:
    """Store a grant of the operator's for `mission_create` in the scene."""
    return SessionGrant.objects.create(
        **{
            "tenant": scene.tenant,
            "conversation_id": scene.conversation.pk,
            "tools": ["mission_create"],
            "given_by_id": key_of(scene.operator),
            "given_at": NOW,
            "expires_at": NOW + dt.timedelta(hours=1),
            "uses_max": 3,
            "uses_left": 3,
            **fields,
        }
    )


def call_tool(
    scene: Scene,
    name: str,
    arguments: dict[str, Any],
    *,
    asked: bool = True,
    attempt: int = 1,
) -> Executed:
    """Run a call of the scene's model the whole way, through the gate."""
    return execute_call(
        request=ToolRequest(id="call_1", name=name, arguments=json.dumps(arguments)),
        context=scene.context,
        intent_tools=frozenset({name} if asked else ()),
        attempt=attempt,
        cut_off=False,
        on_blocked=call_blocked,
    )


def preview_of(scene: Scene, name: str, arguments: dict[str, Any]) -> list[Change]:
    """Return what a call would change, as a blocked card says it."""
    found = find_tool(name)
    assert found is not None
    assert found.preview is not None
    parsed = found.arguments.model_validate(arguments)
    return found.preview(context=scene.context, arguments=parsed)


def make_mission(scene: Scene, **fields: Any) -> Mission:
    """Create a Mission with one task, as the model of the scene's turn."""
    status = fields.pop("status", None)
    spec = {
        "title": "Nightly export",
        "objective": "It runs.",
        "tasks": [{"title": "Write it", "detail": "In Python."}],
        "acceptance_criteria": ["It ran."],
        **fields,
    }
    mission = create_mission(
        maker=Maker.of(scene.model),
        origin=scene.origin,
        spec=MissionSpec.check(**spec),
        now=NOW,
    )
    if status is not None:
        Mission.objects.filter(pk=mission.pk).update(status=status)
        mission.refresh_from_db()
    return mission
