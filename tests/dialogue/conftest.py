"""People, a conversation, and a running runner for tests of dialogue."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from django.db import connections
from django.utils import timezone

from dialogue.models import Conversation, Turn, TurnState
from dialogue.services.conversations import create_conversation
from dialogue.services.send import Sent, send_message
from dialogue.turns.runner import TurnRunner
from dialogue.turns.states import ENDED
from tests.support.stub import StubProvider
from tooling.llm.presets import forget_presets
from tooling.models import Membership, Preset, Tenant, User
from tooling.policy import Principal
from tooling.roles import Role
from tooling.selectors import session_principal


@dataclass(frozen=True)
class People:
    """A tenant with a member and an operator, and a stranger's tenant."""

    tenant: Tenant
    member: Principal
    operator: Principal
    viewer: Principal
    stranger: Principal


def _principal(tenant: Tenant, email: str, role: Role) -> Principal:
    user = User.objects.create_user(email, None)
    membership = Membership.objects.create(tenant=tenant, user=user, role=role)
    return session_principal(membership)


@pytest.fixture
def people(transactional_db: None) -> People:
    """Three members of one tenant, and the admin of another."""
    tenant = Tenant.objects.create(slug="acme", name="Acme")
    other = Tenant.objects.create(slug="globex", name="Globex")
    return People(
        tenant=tenant,
        member=_principal(tenant, "member@acme.test", Role.MEMBER),
        operator=_principal(tenant, "operator@acme.test", Role.OPERATOR),
        viewer=_principal(tenant, "viewer@acme.test", Role.VIEWER),
        stranger=_principal(other, "stranger@globex.test", Role.ADMIN),
    )


@pytest.fixture
def conversation(people: People) -> Conversation:
    """An open conversation of the member's."""
    return create_conversation(
        principal=people.member, track="Build", now=timezone.now()
    )


@pytest.fixture
def send(people: People, conversation: Conversation) -> Callable[..., Sent]:
    """`send("text", key=None)`: a message of the member's in the conversation."""

    def call(text: str, key: str | None = None) -> Sent:
        return send_message(
            principal=people.member,
            conversation_id=conversation.pk,
            text=text,
            client_key=key,
            now=timezone.now(),
        )

    return call


@pytest.fixture
def provider(people: People, stub_provider: StubProvider) -> Iterator[StubProvider]:
    """The scripted provider, as the default preset."""
    Preset.objects.create(
        name="stub",
        backend="openai",
        model="stub-model",
        base_url=stub_provider.url,
        is_default=True,
        retries=0,
        input_price=100,
        output_price=200,
    )
    forget_presets()
    yield stub_provider
    forget_presets()


@pytest.fixture
def runner(people: People) -> Iterator[TurnRunner]:
    """A runner at work, as in a worker process."""
    running = TurnRunner("tests")
    running.start()
    yield running
    running.stop()
    connections.close_all()


def wait_for_state(turn: Turn, *states: TurnState, timeout: float = 15) -> Turn:
    """Return the turn once it is in one of `states` (default: ended)."""
    wanted = set(states or ENDED)
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        turn.refresh_from_db()
        if turn.state in wanted:
            return turn
        time.sleep(0.02)
    pytest.fail(f"turn is {turn.state}, not one of {sorted(wanted)}")
