"""What a person or a script sends wrongly: a clear answer, and nothing half stored."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from tests.flows.api_client import Caller, uuid_key
from tests.support import stub
from tests.support.people import MEMBER, STRANGER, VIEWER
from tests.support.snapshots import Snapshot
from tests.support.stack import Stack
from tests.support.stub import StubProvider

pytestmark = pytest.mark.timeout(240)
JSON = {"Content-Type": "application/json"}
FETCH = {"X-Requested-With": "fetch", "Accept": "application/json"}
PRESETS_KEPT = 2.2


def as_json(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


BODIES: dict[str, tuple[bytes, int]] = {
    "empty": (as_json(text=""), 400),
    "blank": (as_json(text=" \n\u200b"), 400),
    "200,000 characters": (as_json(text="x" * 200_000), 400),
    "NUL": (rb'{"text": "a\u0000b"}', 400),
    "lone surrogate": (rb'{"text": "\ud83d"}', 400),
    "lone surrogate in a key": (rb'{"text": "a", "\udc00": 1}', 400),
    "deep": (b'{"text": ' + b"[" * 5_000 + b"]" * 5_000 + b"}", 400),
    "same key twice": (b'{"text": "a", "text": "b"}', 400),
    "a list": (b'["text"]', 400),
    "cut": (b'{"text": "a', 400),
    "not UTF-8": (b'{"text": "\xff"}', 400),
    "a field that is none": (as_json(text="a", role="assistant"), 400),
    "far too much": (as_json(text="x" * 6_000_000), 413),
}


@pytest.fixture
def caller(stack: Stack) -> Caller:
    return Caller.of(stack, MEMBER)


def nothing_stored(stack: Stack, act: Callable[[], None]) -> None:
    """Run `act` and check that no row came, changed or went."""
    before = Snapshot.of(stack)
    act()
    after = before.until(Snapshot.of(stack))
    assert (after.added, after.changed, after.removed) == ({}, {}, {})


def refused(answer: httpx2.Response, status: int) -> str:
    """Check an error of the one shape; return its code."""
    assert answer.status_code == status, answer.text[:300]
    [error] = answer.json()["errors"]
    assert set(error) == {"code", "detail", "attr"}
    assert error["detail"]
    return str(error["code"])


@pytest.mark.promise("D5", "D6")
@pytest.mark.case("A19")
@pytest.mark.lesson("chat-R30")
def test_bad_bodies_by_rest(stack: Stack, caller: Caller) -> None:
    conversation = caller.new_conversation()
    path = caller.path(f"conversations/{conversation}/messages")

    def send_all() -> None:
        for name, (body, status) in BODIES.items():
            answer = caller.http.post(path, content=body, headers=JSON)
            assert refused(answer, status), name
        for track in ("Cooking", "build", "", 5, None, ["Build"]):
            answer = caller.post("conversations", {"track": track})
            refused(answer, 400)
            assert answer.json()["errors"][0]["attr"] == "track"
        for key in ("1", "x", "%00", "0" * 32):
            answer = caller.post(f"conversations/{key}/messages", {"text": "Hello"})
            assert refused(answer, 404)

    nothing_stored(stack, send_all)
    assert caller.get(f"conversations/{conversation}/messages")["items"] == []
    assert caller.get("conversations")["items"]


@pytest.mark.promise("D6", "D9", "D27")
@pytest.mark.case("A15")
def test_who_and_where_by_rest_and_by_page(stack: Stack, caller: Caller) -> None:
    foreign = Caller.of(stack, STRANGER).new_conversation()
    viewer = Caller.of(stack, VIEWER)
    own, completed = caller.new_conversation(), caller.new_conversation()
    assert caller.post(f"conversations/{completed}/complete", {}).status_code == 200
    page, nobody = stack.client(MEMBER), stack.visitor()

    def try_all() -> None:
        hello = {"text": "Hello"}
        for conversation, status in ((foreign, 404), (completed, 409)):
            path = f"conversations/{conversation}/messages"
            refused(caller.post(path, hello), status)
            form = f"/t/{MEMBER.tenant}/c/{conversation}/send"
            assert page.post(form, hello).status_code == status
            refused(page.post(form, hello, headers=FETCH), status)
        refused(viewer.post(f"conversations/{own}/messages", hello), 403)
        # A session that has ended meanwhile: the script is told where to sign in.
        form = f"/t/{MEMBER.tenant}/c/{own}/send"
        assert nobody.post(form, hello, headers=FETCH).status_code == 401
        by_form = nobody.post(form, hello)
        assert (by_form.status_code, "/login/" in by_form.headers["Location"]) == (
            302,
            True,
        )
        for text in ("", " \n", "x" * 200_000, "a\x00b"):
            assert page.post(form, {"text": text}).status_code == 400
            refused(page.post(form, {"text": text}, headers=FETCH), 400)
        new = f"/t/{MEMBER.tenant}/c/new"
        assert page.post(new, {"track": "Cooking", "text": "Hi"}).status_code == 400
        long = {"track": "Build", "text": "x" * 200_000}
        assert page.post(new, long).status_code == 400, "a conversation without it"

    nothing_stored(stack, try_all)


@pytest.fixture
def scripted(stack: Stack, stub_provider: StubProvider) -> Iterator[StubProvider]:
    """The stub provider as the shared stack's default model."""
    stack.shell(
        "from tooling.models import Preset\n"
        "Preset.objects.update_or_create(name='stub', defaults=dict("
        "backend='openai', model='stub', is_default=True, retries=0, "
        f"base_url={stub_provider.url!r}))"
    )
    time.sleep(PRESETS_KEPT)
    yield stub_provider
    stack.shell("from tooling.models import Preset; Preset.objects.all().delete()")
    time.sleep(PRESETS_KEPT)


USAGE = {"prompt_tokens": 11, "completion_tokens": 7}
ANSWER = stub.text("There are none yet.", usage=USAGE)
ASK = stub.tool_call("mission_list", "{}", usage=USAGE)
QUESTION = "Which Missions are there?"


def by_page(caller: Caller, conversation: str) -> None:
    form = f"/t/{caller.tenant}/c/{conversation}/send"
    page = caller.stack.client(MEMBER)
    assert page.post(form, {"text": QUESTION}).status_code == 302


def by_rest(caller: Caller, conversation: str) -> None:
    caller.send(conversation, QUESTION)


def by_rest_waiting(caller: Caller, conversation: str) -> None:
    answered = caller.send(conversation, QUESTION, wait=30)
    assert answered["turn"]["state"] == "done"


def by_rest_streamed(caller: Caller, conversation: str) -> None:
    turn = str(caller.send(conversation, QUESTION)["turn"]["id"])
    path = caller.path(f"conversations/{conversation}/events")
    with caller.http.stream("GET", path) as answer:
        for line in answer.iter_lines():
            if turn in line and '"done"' in line:
                return
    pytest.fail("the stream ended before the turn")


def wait_for_answer(stack: Stack, conversation: str) -> None:
    def answered() -> bool:
        done = "conversation_id = ? AND state = 'done'"
        return stack.count("dialogue_turn", done, conversation) == 1

    stack.wait_for(answered, what="the answer")


WAYS = (by_page, by_rest, by_rest_waiting, by_rest_streamed)


@pytest.mark.case("A06")
@pytest.mark.promise("D27", "D32", "D67")
@pytest.mark.parametrize("with_tool", [False, True], ids=["words", "tool"])
def test_whatever_the_way_in_the_rows_are_the_same(
    stack: Stack, scripted: StubProvider, caller: Caller, with_tool: bool
) -> None:
    left = {}
    for way in WAYS:
        conversation = caller.new_conversation()
        scripted.script(*([ASK] if with_tool else []), ANSWER)
        way(caller, conversation)
        key = uuid_key(stack, conversation)
        wait_for_answer(stack, key)
        messages = stack.sql(
            "SELECT seq, role, text FROM dialogue_conversationmessage "
            "WHERE conversation_id = ? ORDER BY seq",
            key,
        )
        calls = stack.sql(
            "SELECT step, call_site, outcome, fresh_tokens, output_tokens "
            "FROM tooling_modelcall WHERE conversation_id = ? ORDER BY step",
            key,
        )
        tools = stack.sql(
            "SELECT name, verdict, gate, state FROM tooling_toolcall "
            "WHERE conversation_id = ?",
            key,
        )
        left[way.__name__] = (messages, calls, tools)
    first = left["by_page"]
    roles = [role for _seq, role, _text in first[0]]
    tool_rows = ["assistant", "tool"] if with_tool else []
    assert roles == ["user", *tool_rows, "assistant"]
    assert [text for _seq, _role, text in first[0]][-1] == "There are none yet."
    assert len(first[1]) == 1 + with_tool
    assert len(first[2]) == int(with_tool)
    assert all(rows == first for rows in left.values()), left
