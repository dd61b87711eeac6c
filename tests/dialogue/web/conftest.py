"""A team with a conversation, and pages of it."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dialogue.models import (
    Conversation,
    ConversationMessage,
    MessageRole,
    Turn,
    TurnState,
)
from dialogue.models.turn import LIVE_STATES
from dialogue.services.conversations import create_conversation
from dialogue.services.journal import NewMessage, append
from dialogue.services.send import send_message
from dialogue.turns.states import ENDED
from tests.support.api import Someone, make_member
from tooling.llm.presets import forget_presets
from tooling.models import ToolCall


@dataclass
class Chat:
    """A conversation of a member's, its addresses, and messages put into it."""

    owner: Someone
    conversation: Conversation

    def url(self, rest: str = "") -> str:
        slug = self.owner.tenant.slug
        return f"/t/{slug}/c/{self.conversation.pk}/{rest}"

    def say(self, text: str, state: TurnState = TurnState.DONE, **fields: Any) -> Turn:
        """Store a message of the owner's, with its turn in a state."""
        sent = send_message(
            principal=self.owner.principal,
            conversation_id=self.conversation.pk,
            text=text,
            client_key=None,
            now=timezone.now(),
        )
        changes: dict[str, Any] = {"state": state, **fields}
        if state in ENDED:
            changes["ended_at"] = timezone.now()
        if state in LIVE_STATES:
            expires = timezone.now() + dt.timedelta(minutes=1)
            changes = {"lease_owner": "w", "lease_expires_at": expires, **changes}
        Turn.objects.filter(pk=sent.turn.pk).update(**changes)
        sent.turn.refresh_from_db()
        return sent.turn

    def add(
        self,
        role: MessageRole,
        text: str = "",
        data: dict[str, Any] | None = None,
        turn: Turn | None = None,
    ) -> ConversationMessage:
        """Store a message of anybody else."""
        new = NewMessage(role, text, data or {}, turn_id=turn.pk if turn else None)
        with transaction.atomic():
            [row] = append(
                conversation_id=self.conversation.pk,
                tenant_id=self.conversation.tenant_id,
                messages=[new],
                now=timezone.now(),
            )
        return row

    def call(self, turn: Turn, name: str, state: str = "done", **result: Any) -> None:
        """Store a model's call of a tool with its result."""
        call_id = f"call_{uuid.uuid4().hex}"
        arguments = {"title": "Ledger <export>"}
        asked = {"id": call_id, "name": name, "arguments": '{"title": "Ledger"}'}
        self.add(MessageRole.ASSISTANT, "", {"step": 1, "tool_calls": [asked]}, turn)
        row = ToolCall.objects.create(
            tenant_id=self.conversation.tenant_id,
            conversation_id=self.conversation.pk,
            turn_id=turn.pk,
            provider_call_id=call_id,
            name=name,
            arguments=arguments,
            arguments_hash="0" * 64,
            verdict="run",
            gate=result.get("gate", "open"),
            state=state,
            ended_at=timezone.now(),
        )
        data = {
            "call_id": call_id,
            "name": name,
            "state": state,
            "gate": row.gate,
            "result": result,
            "cards": [],
            "tool_call": str(row.pk),
        }
        self.add(MessageRole.TOOL, "", data, turn)

    def answer(self, turn: Turn, text: str, **data: Any) -> ConversationMessage:
        """Store the answer of a turn."""
        return self.add(MessageRole.ASSISTANT, text, {"step": 1, **data}, turn)


@pytest.fixture
def member(db: None) -> Someone:
    return make_member("acme", "member")


@pytest.fixture
def viewer(member: Someone) -> Someone:
    return make_member("acme", "viewer")


@pytest.fixture
def stranger(member: Someone) -> Someone:
    return make_member("globex", "admin")


@pytest.fixture
def chat(member: Someone) -> Chat:
    return begin(member)


def begin(owner: Someone, **fields: Any) -> Chat:
    """Begin a conversation of somebody's."""
    fields = {"track": "Build", "now": timezone.now(), **fields}
    return Chat(owner, create_conversation(principal=owner.principal, **fields))


@pytest.fixture
def signed_in() -> Callable[[Someone], Client]:
    """Return a client with this person's session."""

    def make(someone: Someone) -> Client:
        client = Client()
        client.force_login(someone.user)
        return client

    return make


@pytest.fixture
def client(member: Someone, signed_in: Callable[[Someone], Client]) -> Client:
    return signed_in(member)


@pytest.fixture
def count_statements(client: Client) -> Callable[[str], list[str]]:
    """Return the statements that a page costs when nothing is kept from before."""

    def count(url: str) -> list[str]:
        forget_presets()
        with CaptureQueriesContext(connection) as captured:
            assert client.get(url).status_code == 200
        return [each["sql"] for each in captured.captured_queries]

    return count
