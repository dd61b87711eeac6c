"""A team whose people write French, with a row and a card of every state."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Any

from django.utils import timezone, translation

from decisions.models import AttentionRequest, RequestState
from decisions.services.asking import ask_question
from decisions.services.closing import withdraw_request
from dialogue.held import key_of_run
from dialogue.models import Conversation, IntentCorrection, MessageRole, TurnState
from dialogue.turns.failures import FAILURES
from missions.models import (
    Materialisation,
    Mission,
    MissionSuggestionRecord,
    SuggestionReason,
    SuggestionStatus,
    WorkflowDraft,
)
from missions.models.materialisation import MaterialisationState
from missions.services.materialising import materialise
from missions.services.publishing import publish_draft
from tests.decisions.support import APPROVE, CHANGES, REJECT, choose
from tests.dialogue.web.conftest import Chat
from tests.missions.support import (
    SOUND_PLAN,
    WISH,
    Scene,
    add_turn,
    build_scene,
    key_of,
    make_grant,
    make_held_call,
    propose,
    user_of,
)
from tests.support.api import Someone, make_member, make_token
from tooling.gate.judge import Decision, Gate, Verdict
from tooling.gate.messages import refusal
from tooling.models import GrantEnd, Preset, ToolCall, User

SLUG = "equipe"
FRENCH: dict[str, Any] = {
    "title": "Export nocturne des factures",
    "objective": "Les factures impayées arrivent chaque nuit sur le partage.",
    "tasks": [{"title": "Écrire l’export", "detail": "Un fichier CSV par nuit."}],
    "acceptance_criteria": ["Le fichier est là à six heures."],
}
# What people wrote in English, names and stored values: not the product’s words.
OWN_WORDS = (WISH, "task", "Export", "Alert", SLUG.title(), "Other", "Acme", "Globex")


@dataclass(frozen=True, slots=True)
class FrenchScene:
    """Who looks, and the keys that addresses take: one of each kind, or many."""

    reader: Someone
    ids: dict[str, object]
    many: dict[str, list[uuid.UUID]]


def build_french_scene() -> FrenchScene:
    """Make the team; return an admin who is staff, too, and keys of its rows."""
    with translation.override("fr"):
        scene = build_scene(SLUG)
        Conversation.objects.update(language="fr")
        reader = make_member(SLUG, "admin")
        User.objects.filter(pk=reader.user.pk).update(is_staff=True, language="fr")
        ids = _decided(scene) | _suggestions(scene)
        _questions(scene)
        chat = _talk(scene)
        preset = Preset.objects.create(name="secours", backend="sidecar", model="m")
        token, _secret = make_token(reader)
        expired = timezone.now() - dt.timedelta(days=1)
        make_token(reader, expires_at=expired)
        make_token(reader, revoked_at=expired, last_used_at=expired)
    return FrenchScene(
        reader,
        {
            **ids,
            "conversation_id": chat.conversation.pk,
            "message_id": scene.message.pk,
            "turn_id": scene.turn.pk,
            "token_id": token.pk,
            "preset_id": preset.pk,
            "membership_id": reader.user.memberships.get().pk,
            "user_id": reader.user.pk,
        },
        {
            "request_id": [row.pk for row in AttentionRequest.objects.all()],
            "draft_id": [row.pk for row in WorkflowDraft.objects.all()],
        },
    )


def _raise(scene: Scene, **changes: Any) -> AttentionRequest:
    """Raise a proposal with a turn of its own."""
    message, turn = add_turn(scene.conversation, "Il nous faut un export.")
    own = Scene(
        **{
            name: getattr(scene, name)
            for name in Scene.__slots__
            if name not in {"message", "turn"}
        },
        message=message,
        turn=turn,
    )
    return propose(own, **{**FRENCH, **changes}).request


def _decided(scene: Scene) -> dict[str, object]:
    """Raise proposals, and bring each into another state."""
    approved = _raise(scene, plan=SOUND_PLAN)
    choose(approved, scene.operator, APPROVE, note="Bonne idée.")
    materialise(request_id=approved.pk, now=timezone.now())
    blocked = _raise(scene, title="Bloquée")
    choose(blocked, scene.operator)
    Materialisation.objects.create(
        request=blocked,
        state=MaterialisationState.BLOCKED,
        error_code="content_changed",
        attempts=3,
    )
    waiting = _raise(scene, title="Approuvée à l’instant")
    choose(waiting, scene.operator)
    changed = _raise(scene, title="À revoir")
    choose(changed, scene.operator, CHANGES, note="Ajoutez une alerte.")
    choose(_raise(scene, title="Refusée"), scene.operator, REJECT, note="Trop tôt.")
    withdrawn = _raise(scene, title="Reprise")
    withdraw_request(
        principal=scene.member, request_id=withdrawn.pk, now=timezone.now()
    )
    expired = _raise(scene, title="Oubliée")
    AttentionRequest.objects.filter(pk=expired.pk).update(
        state=RequestState.EXPIRED, closed_at=timezone.now()
    )
    draft = WorkflowDraft.objects.get(source_request=approved)
    version = publish_draft(
        principal=scene.operator,
        draft_id=draft.pk,
        edit_version=draft.edit_version,
        now=timezone.now(),
    ).version
    return {
        "request_id": _raise(scene, title="En attente").pk,
        "draft_id": draft.pk,
        "number": version.number,
        "mission_id": Mission.objects.get().pk,
        "card_id": approved.pk,
        "kind": "proposal",
        "card": "proposal",
    }


def _questions(scene: Scene) -> list[AttentionRequest]:
    """Ask two questions, and answer one."""
    asked = [
        ask_question(
            principal=scene.member,
            title=f"Quel partage ? ({number})",
            text="Où faut-il déposer le fichier ?",
            options=["Le partage des archives", "Un nouvel espace"],
            origin_conversation=scene.conversation.pk,
            now=timezone.now(),
        ).request
        for number in range(2)
    ]
    choose(asked[0], scene.operator, "Un nouvel espace", note="À Paris.")
    return asked


def _suggestions(scene: Scene) -> dict[str, object]:
    """Keep a suggestion for each reason, and one of each status."""
    rows = [
        MissionSuggestionRecord.objects.create(
            tenant=scene.tenant,
            origin_conversation=scene.conversation.pk,
            origin_message=scene.message.pk,
            origin_turn=add_turn(scene.conversation, "Une idée.")[1].pk,
            title="Une idée",
            text="Une idée à garder.",
            reason=reason,
            status=status,
        )
        for reason in SuggestionReason
        for status in SuggestionStatus
    ]
    return {"suggestion_id": rows[0].pk}


def _talk(scene: Scene) -> Chat:
    """Put a message of each kind into the conversation, and end a turn in each way."""
    owner = Someone(user_of(scene.member), scene.tenant, "member")
    chat = Chat(owner, scene.conversation)
    turn = chat.say("Où en est l’export ?")
    cards = [
        {"kind": "proposal", "id": str(row.pk)}
        for row in AttentionRequest.objects.all()
    ]
    cards += [{"kind": "mission", "id": str(row.pk)} for row in Mission.objects.all()]
    cards += [
        {"kind": "suggestion", "id": str(row.pk)}
        for row in MissionSuggestionRecord.objects.all()
    ]
    cards += [{"kind": "action", "id": str(row.pk)} for row in _held(scene)]
    chat.add(MessageRole.NOTICE, "Voici.", {"kind": "decision", "cards": cards})
    for gate in Gate:
        if gate is not Gate.OPEN:
            verdict = Verdict(Decision.REFUSE, gate)
            chat.call(turn, "mission_create", "refused", **refusal(verdict))
    chat.answer(turn, "Une réponse.", partial=True, finish="length")
    chat.answer(turn, "Une autre.")
    for code in FAILURES:
        chat.say("Encore ?", TurnState.FAILED, error_code=code)
    for state in (TurnState.STOPPED, TurnState.INTERRUPTED):
        chat.say("Et là ?", state)
    return chat


def _held(scene: Scene) -> list[ToolCall]:
    """Hold writes back at each gate, run one, put one aside, try one; give leave."""
    person = key_of(scene.operator)
    own = [{**FRENCH, "title": f"Idée {number}"} for number in range(5)]
    held = [
        make_held_call(scene, arguments=own[0]),
        make_held_call(scene, arguments=own[1], gate="tenant_toggle"),
        make_held_call(scene, arguments=own[2], gate="cap_per_turn"),
        make_held_call(
            scene,
            arguments=own[3],
            dismissed_at=timezone.now(),
            dismissed_by_id=person,
        ),
        make_held_call(scene, arguments=own[4]),
    ]
    ran: dict[str, Any] = {
        "basis": "run_once",
        "state": "done",
        "verdict": "run",
        "held_call_id": held[4].pk,
        "person_id": person,
        "once_key": key_of_run(held[4]),
    }
    make_held_call(scene, arguments=own[4], gate="open", **ran)
    hour = dt.timedelta(hours=1)
    now = timezone.now()
    make_grant(scene, given_at=now, expires_at=now + hour)
    make_grant(scene, given_at=now, expires_at=now + hour, uses_left=0)
    make_grant(scene, given_at=now - 2 * hour, expires_at=now - hour)
    for how in GrantEnd.values:
        ended = {"revoked_at": now, "revoked_by_id": person, "end": how}
        make_grant(scene, given_at=now, expires_at=now + hour, **ended)
    IntentCorrection.objects.create(
        tenant=scene.tenant,
        turn=scene.turn,
        label="execution_command",
        corrected_by_id=person,
    )
    return held
