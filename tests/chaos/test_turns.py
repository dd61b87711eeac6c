"""Turns whose process dies: nothing is lost, doubled, or left running."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.chaos.conftest import QUICK
from tests.flows.api_client import Caller, uuid_key
from tests.support import stub
from tests.support.people import MEMBER
from tests.support.stack import Shape, Stack
from tests.support.stub import StubProvider

pytestmark = [pytest.mark.soak, pytest.mark.timeout(300)]


@pytest.fixture
def victim(
    make_stack: Callable[..., Stack], shape: Shape, stub_provider: StubProvider
) -> Stack:
    """A product whose model is the scripted provider."""
    return make_stack(
        shape,
        DIALOGUE_LLM_KIND="openai",
        DIALOGUE_LLM_BASE_URL=stub_provider.url,
        DIALOGUE_LLM_MODEL="stub",
        **QUICK,
    )


def streamed(stack: Stack, turn: str) -> int:
    """Return how many pieces of a turn's text are in the buffer."""
    return stack.count("dialogue_turnchunk", "turn_id = ?", uuid_key(stack, turn))


@pytest.mark.lesson("chat-R3", "chat-R4")
def test_a_worker_killed_mid_stream_leaves_its_text_and_a_retry(
    victim: Stack, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.endless(), stub.text("whole"))
    member = Caller.of(victim, MEMBER)
    conversation = member.new_conversation()
    turn = str(member.send(conversation, "Talk.")["turn"]["id"])
    victim.wait_for(lambda: streamed(victim, turn) > 5, what="streamed text")
    victim.worker.kill9()
    killed = time.monotonic()
    victim.restart(victim.worker)
    victim.wait_for(
        lambda: member.turn(turn)["state"] == "interrupted",
        timeout=90 - (time.monotonic() - killed),
        what="the interrupted turn",
    )
    messages = member.get(f"conversations/{conversation}/messages")["items"]
    assert messages[-1]["data"]["partial"] is True
    assert messages[-1]["text"].startswith("word ")
    assert streamed(victim, turn) == 0
    calls = victim.sql(
        "SELECT outcome, price_version FROM tooling_modelcall WHERE turn_id = ?",
        uuid_key(victim, turn),
    )
    assert [tuple(row) for row in calls] == [("lost", "unpriced")]
    assert member.post(f"turns/{turn}/retry", {}).status_code in (200, 202)
    victim.wait_for(lambda: member.turn(turn)["state"] == "done", what="the retry")


@pytest.mark.lesson("chat-R7")
def test_stop_reaches_the_provider_within_a_second(
    victim: Stack, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.endless())
    member = Caller.of(victim, MEMBER)
    conversation = member.new_conversation()
    turn = str(member.send(conversation, "Talk.")["turn"]["id"])
    victim.wait_for(lambda: streamed(victim, turn) > 2, what="streamed text")
    asked = time.monotonic()
    assert member.post(f"turns/{turn}/stop", {}).status_code in (200, 202)
    victim.wait_for(
        lambda: bool(stub_provider.log()[0].get("client_closed")),
        timeout=5,
        what="the provider to be left",
    )
    [entry] = stub_provider.log()
    assert entry["closed_at"] - asked < 1.0, "Stop took longer than a second"
    victim.wait_for(lambda: member.turn(turn)["state"] == "stopped", timeout=5)


@pytest.mark.promise("D1")
@pytest.mark.case("A04")
@pytest.mark.lesson("chat-R6")
def test_a_restart_between_two_messages_keeps_one_conversation(
    victim: Stack, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.text("one"), stub.text("two"))
    member = Caller.of(victim, MEMBER)
    conversation = member.new_conversation()
    member.ask(conversation, "message 1")
    victim.web.kill9()
    victim.restart(victim.web)
    member.ask(conversation, "message 2")
    assert victim.count("dialogue_conversation") == 1
    last = stub_provider.requests()[-1]["body"]["messages"]
    assert [m["content"] for m in last[1:]] == ["message 1", "one", "message 2"]


@pytest.mark.lesson("chat-R4")
@pytest.mark.shape("grown", reason="the embedded shape has no Redis")
def test_turns_go_on_without_redis(victim: Stack, stub_provider: StubProvider) -> None:
    assert victim.redis is not None
    stub_provider.script(default=stub.text("still here"))
    member = Caller.of(victim, MEMBER)
    conversation = member.new_conversation()
    victim.redis.kill()
    turn = member.ask(conversation, "Are you there?")
    assert turn["state"] == "done", turn
    victim.redis.restart()
