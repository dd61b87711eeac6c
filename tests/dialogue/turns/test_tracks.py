"""A Track is context for the model: it changes the prompt, and no tool."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.utils import timezone

from dialogue.models import Track
from dialogue.services.conversations import create_conversation
from dialogue.services.send import send_message
from dialogue.turns.job import StepRequest, claim, prepare_step
from tests.dialogue.conftest import People
from tooling.gate.judge import CallFacts, GateContext

pytestmark = pytest.mark.django_db(transaction=True)


def first_step(people: People, track: Track) -> StepRequest:
    """Return the first model call of a conversation on a Track."""
    conversation = create_conversation(
        principal=people.member, track=track, now=timezone.now()
    )
    sent = send_message(
        principal=people.member,
        conversation_id=conversation.pk,
        text="We need an export of unpaid invoices.",
        client_key=None,
        now=timezone.now(),
    )
    job = claim(sent.turn.pk, owner="tests")
    assert job is not None
    return prepare_step(job)


@pytest.mark.promise("D11")
@pytest.mark.parametrize("switch", [True, False], ids=["switch on", "switch off"])
def test_a_track_reaches_the_prompt_and_changes_no_tool(
    people: People, settings: LazySettings, switch: bool
) -> None:
    settings.WRITE_TOOLS_SERVED = switch
    steps = {track: first_step(people, track) for track in Track}
    for track, step in steps.items():
        assert f"on the {track.value} track" in step.request.system
    first, *others = [step.request.tools for step in steps.values()]
    assert all(tools == first for tools in others)
    names = {tool.name for tool in first}
    assert ("mission_propose" in names) is switch


@pytest.mark.promise("D11")
def test_the_gate_does_not_know_of_tracks() -> None:
    known = {*CallFacts.__dataclass_fields__, *GateContext.__dataclass_fields__}
    assert not [name for name in known if "track" in name.lower()]
