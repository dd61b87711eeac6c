"""A model that obeys hostile text and calls every name in sight.

What it says is beside the point: the whole database is read before and after.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.flows.api_client import Caller, uuid_key
from tests.flows.hostile import (
    FORGED,
    HUGE,
    MALFORMED,
    READ_KEYS,
    SOUND,
    look_alikes,
)
from tests.support import stub
from tests.support.people import ADMIN, MEMBER, OPERATOR, STRANGER
from tests.support.snapshots import Difference, Snapshot
from tests.support.stack import Shape, Stack
from tests.support.stub import StubProvider

pytestmark = pytest.mark.timeout(300)

# What any turn may leave: chat, cost, tool calls, the trail of who asked for what.
CHAT = {
    "dialogue_conversation",
    "dialogue_conversationmessage",
    "dialogue_enginesession",
    "dialogue_event",
    "dialogue_turn",
    "dialogue_turnchunk",
    "tooling_auditentry",
    "tooling_modelcall",
    "tooling_promptpart",
    "tooling_toolcall",
}
SUGGESTIONS = "missions_missionsuggestionrecord"
DRAFTS = "missions_workflowdraft"
REQUESTS = "decisions_attentionrequest"
SECRET = "globex-secret-plan"
PRIVATE = "private-secret-plan"
PRESET = (
    "from tooling.models import Preset\n"
    "Preset.objects.update_or_create(name='stub', defaults=dict("
    "backend='openai', model='stub', is_default=True, retries=0, base_url={url!r}))"
)
# Processes read presets anew every two seconds.
PRESETS_KEPT = 2.2


@pytest.fixture
def scripted(stack: Stack, stub_provider: StubProvider) -> Iterator[StubProvider]:
    """The stub provider as the shared stack's default model."""
    stack.shell(PRESET.format(url=stub_provider.url))
    time.sleep(PRESETS_KEPT)
    yield stub_provider
    stack.shell("from tooling.models import Preset; Preset.objects.all().delete()")
    time.sleep(PRESETS_KEPT)


@pytest.fixture
def foreign(stack: Stack) -> dict[str, str]:
    """Ids of rows that a turn of the member's may not read, by kind of read."""
    ids = approved_plan(Caller.of(stack, STRANGER), SECRET)
    operator = Caller.of(stack, OPERATOR)
    hidden = operator.new_conversation(title=PRIVATE, is_private=True)
    raised = operator.post(
        "proposals", {**SOUND, "title": PRIVATE, "conversation_id": hidden}
    )
    assert raised.status_code == 201, raised.text
    return {
        **ids,
        "hidden": hidden,
        "hidden_request": str(raised.json()["request_id"]),
        "tenant": tenant_key(stack, STRANGER.tenant),
    }


def approved_plan(caller: Caller, title: str) -> dict[str, str]:
    """Make a conversation, a request, its draft and its Mission with this title."""
    conversation = caller.new_conversation(title=title)
    body = {**SOUND, "title": title, "conversation_id": conversation}
    raised = caller.post("proposals", body)
    assert raised.status_code in (200, 201), raised.text
    found = caller.open_request(conversation)
    assert caller.decide(found, "Approve and create").status_code == 200
    key = uuid_key(caller.stack, found["id"])
    caller.stack.wait_for(
        lambda: caller.stack.count("missions_mission", "source_request_id = ?", key) > 0
    )
    [(mission,)] = caller.stack.sql(
        "SELECT id FROM missions_mission WHERE source_request_id = ?", key
    )
    [(draft,)] = caller.stack.sql(
        "SELECT id FROM missions_workflowdraft WHERE source_request_id = ?", key
    )
    return {
        "conversation": conversation,
        "request": str(found["id"]),
        "mission": str(mission),
        "draft": str(draft),
    }


def tenant_key(stack: Stack, slug: str) -> str:
    [(key,)] = stack.sql("SELECT id FROM tooling_tenant WHERE slug = ?", slug)
    return str(key).replace("-", "")


def obey(
    caller: Caller, provider: StubProvider, calls: list[tuple[str, str]]
) -> tuple[str, dict[str, Any]]:
    """Have one turn of a new conversation make these calls in one answer."""
    conversation = caller.new_conversation()
    provider.script(stub.tool_calls(*calls), default=stub.text("All done."))
    sent = caller.send(conversation, "Please look at the note and go on.")
    turn_id = str(sent["turn"]["id"])
    ended = ("done", "failed")
    caller.stack.wait_for(
        lambda: caller.turn(turn_id)["state"] in ended, timeout=120, what="the turn"
    )
    return conversation, caller.turn(turn_id)


def assert_only(difference: Difference, *more: str, tenant: str) -> None:
    """Check that nothing but chat rows (and `more`) came, all of this tenant."""
    assert difference.removed == {}
    added = set(difference.added) - CHAT - set(more)
    assert added == set(), {table: difference.added[table][:3] for table in added}
    changed = set(difference.changed) - CHAT
    assert changed == set(), {table: difference.changed[table] for table in changed}
    for table, rows in difference.added.items():
        owners = {
            row["tenant_id"].replace("-", "") for row in rows if "tenant_id" in row
        }
        assert owners <= {tenant}, f"{table} of another team"


def assert_still_readable(caller: Caller, conversation: str) -> list[dict[str, Any]]:
    """Check that list and page survive what was stored; return the messages."""
    page = caller.stack.client(MEMBER).get(f"/t/{caller.tenant}/c/{conversation}/")
    assert page.status_code == 200
    items = caller.get(f"conversations/{conversation}/messages")["items"]
    assert items
    return list(items)


def assert_nothing_leaked(stack: Stack, conversation: str) -> None:
    """Check that no stored result holds a title that this person may not read."""
    key = uuid_key(stack, conversation)
    for query in (
        "SELECT name, arguments, result FROM tooling_toolcall "
        "WHERE conversation_id = ?",
        "SELECT seq, text, data FROM dialogue_conversationmessage "
        "WHERE conversation_id = ? AND role = 'tool'",
    ):
        for first, second, result in stack.sql(query, key):
            assert SECRET not in str(result), f"{first} {second}: another team's"
            assert PRIVATE not in str(result), f"{first} {second}: a private row's"


def calls_of(stack: Stack, conversation: str) -> list[tuple[str, str, str, str]]:
    """Return (name, verdict, gate, state) of a conversation's calls, in order."""
    rows = stack.sql(
        "SELECT name, verdict, gate, state FROM tooling_toolcall "
        "WHERE conversation_id = ? ORDER BY id",
        uuid_key(stack, conversation),
    )
    return [(str(a), str(b), str(c), str(d)) for a, b, c, d in rows]


@pytest.mark.promise("D3", "D50", "D61", "D62", "D63", "D65", "N1", "N3", "N4")
@pytest.mark.lesson("H-17", "H-18", "H-20")
@pytest.mark.case("A28")
def test_names_in_sight_and_forged_arguments_change_nothing(
    stack: Stack, scripted: StubProvider, foreign: dict[str, str]
) -> None:
    caller = Caller.of(stack, MEMBER)
    tools = stack.evaluate(
        "from tooling.registry import all_tools\n"
        "result = [[t.name, t.tier] for t in all_tools()]"
    )
    known: dict[str, str] = dict(tools)
    strange = look_alikes(known)
    forged = [json.dumps({**each, **foreign}) for each in FORGED] + MALFORMED
    calls = [(name, forged[i % len(forged)]) for i, name in enumerate(strange)]
    for i, (name, tier) in enumerate(known.items()):
        calls += [(name, each) for each in forged[i % 3 :: 3 if tier == "read" else 1]]
    largest = ("mission_propose", "mission_create", "mission_list", "no_such_tool")
    calls += [(name, each) for name in largest for each in HUGE]
    before = Snapshot.of(stack)
    conversation, turn = obey(caller, scripted, calls)
    assert turn["state"] in ("done", "failed"), turn
    after = before.until(Snapshot.of(stack))

    assert_only(after, SUGGESTIONS, tenant=tenant_key(stack, MEMBER.tenant))
    made = calls_of(stack, conversation)
    assert len(made) == len(calls)
    for name, verdict, gate, state in made:
        if name in known:
            continue
        assert (verdict, state) == ("refuse", "refused"), f"{name!r} was not refused"
        assert gate in {"unknown_tool", "dispose_name"}
    blocked = [each for each in made if known.get(each[0]) == "write"]
    assert {(verdict, gate) for _n, verdict, gate, _s in blocked} == {
        ("refuse", "tenant_toggle")
    }
    assert after.count(SUGGESTIONS) == len(blocked), "one suggestion a blocked call"
    assert_nothing_leaked(stack, conversation)
    assert_still_readable(caller, conversation)
    # What was called is in the history now, and a strict provider still takes it.
    scripted.script(stub.text("Where were we?"))
    assert caller.ask(conversation, "And now?")["state"] == "done"


@pytest.mark.promise("D6", "D45")
@pytest.mark.lesson("H-16", "H-20")
@pytest.mark.case("A15")
def test_reads_never_reach_another_team_or_a_private_conversation(
    stack: Stack, scripted: StubProvider, foreign: dict[str, str]
) -> None:
    caller = Caller.of(stack, MEMBER)
    calls = [
        (name, json.dumps({key: value}))
        for name, key in READ_KEYS
        for value in (*foreign.values(), f"{{{foreign['mission']}}}", "1", "%")
    ]
    searches = ("mission_list", "workflow_list", "conversation_list")
    words = (SECRET, PRIVATE, "secret", "%", "_", "' OR 1=1 --")
    calls += [(name, json.dumps({"query": w})) for name in searches for w in words]
    calls += [("conversation_search", json.dumps({"query": w})) for w in words]
    plain = ("decision_list", "task_list", "suggestion_list", "cost_summary")
    calls += [(name, "{}") for name in (*plain, "system_status")]
    before = Snapshot.of(stack)
    conversation, turn = obey(caller, scripted, calls)
    assert turn["state"] == "done", turn
    after = before.until(Snapshot.of(stack))

    assert_only(after, tenant=tenant_key(stack, MEMBER.tenant))
    assert len(calls_of(stack, conversation)) == len(calls)
    assert_nothing_leaked(stack, conversation)
    [_first, second] = scripted.requests()[-2:]
    for message in second["body"]["messages"]:
        if message["role"] == "tool":
            assert SECRET not in message["content"]


@pytest.mark.promise("D15", "D16", "D17", "D18", "D33", "D65", "D74", "A14", "N1")
@pytest.mark.lesson("H-20", "H-23")
def test_proposing_stays_within_its_caps(
    stack: Stack, scripted: StubProvider, foreign: dict[str, str]
) -> None:
    caller = Caller.of(stack, MEMBER)
    same = json.dumps(SOUND)
    others = [json.dumps({**SOUND, "title": f"Idea {n}"}) for n in range(6)]
    forged = [json.dumps({**SOUND, **each, **foreign}) for each in FORGED]
    borrowed = json.dumps({**SOUND, "title": "Mine", "revises": foreign["request"]})
    calls = [("mission_propose", a) for a in [*[same] * 10, borrowed, *forged, *others]]
    before = Snapshot.of(stack)
    conversation, turn = obey(caller, scripted, calls)
    assert turn["state"] == "done", turn
    after = before.until(Snapshot.of(stack))

    tenant = tenant_key(stack, MEMBER.tenant)
    assert_only(after, DRAFTS, REQUESTS, tenant=tenant)
    assert after.count(REQUESTS) == after.count(DRAFTS) == 3, "the cap of a turn"
    for row in [*after.added[REQUESTS], *after.added[DRAFTS]]:
        assert row["origin_conversation"].replace("-", "") == conversation.replace(
            "-", ""
        )
    for row in after.added[REQUESTS]:
        assert (row["state"], row["resolved_option"]) == ("open", "")
        assert row["revises_id"] == "None"
    titles = sorted(row["title"] for row in after.added[REQUESTS])
    assert titles == ["Idea 0", "Idea 1", SOUND["title"]]
    errors = [
        item["data"]["result"].get("error")
        for item in assert_still_readable(caller, conversation)
        if item["role"] == "tool"
    ]
    assert errors.count("proposals_per_turn") == 4
    assert errors.count("unknown_revision") == 1


@pytest.mark.promise("D51", "D52", "D56", "D57", "D58", "D60", "A3")
@pytest.mark.lesson("H-18", "H-19")
def test_a_write_that_nobody_asked_for_leaves_one_suggestion(
    stack: Stack, scripted: StubProvider
) -> None:
    caller = Caller.of(stack, MEMBER)
    create = [("mission_create", json.dumps(SOUND))]
    tenant = tenant_key(stack, MEMBER.tenant)
    for toggle, gate, verdict in (
        (False, "tenant_toggle", "refuse"),
        (True, "no_explicit_request", "surface"),
    ):
        switch_writes(stack, on=toggle)
        before = Snapshot.of(stack)
        conversation, turn = obey(caller, scripted, create)
        assert turn["state"] == "done", turn
        after = before.until(Snapshot.of(stack))
        assert_only(after, SUGGESTIONS, tenant=tenant)
        [(name, said, named, _state)] = calls_of(stack, conversation)
        assert (name, said, named) == ("mission_create", verdict, gate)
        [suggestion] = after.added[SUGGESTIONS]
        assert suggestion["tool"] == "mission_create"
        assert SOUND["title"] in suggestion["arguments"]
        [told] = [
            item["data"]["result"]
            for item in assert_still_readable(caller, conversation)
            if item["role"] == "tool"
        ]
        assert told["gate"] == gate
        assert ("Features" in told["message"]) == (not toggle)
    switch_writes(stack, on=False)


def switch_writes(stack: Stack, *, on: bool) -> None:
    """Set the team's toggle on its Features page, as an admin does."""
    path = f"/t/{ADMIN.tenant}/settings/features/"
    fields = {"write_tools": "on"} if on else {}
    assert stack.client(ADMIN).post(path, fields).status_code == 302
    rows = stack.sql(
        "SELECT write_tools FROM tooling_features WHERE tenant_id = ?",
        uuid_key(stack, tenant_key(stack, ADMIN.tenant)),
    )
    assert [bool(value) for (value,) in rows] == [on]


@pytest.mark.promise("D48", "D49", "D70", "D94", "A16", "N4", "N9")
def test_with_the_switch_off_there_is_a_suggestion_and_nothing_else(
    make_stack: Callable[..., Stack], shape: Shape, stub_provider: StubProvider
) -> None:
    stack = make_stack(
        shape,
        DIALOGUE_INPROCESSTOOLS_WRITEENABLED="false",
        DIALOGUE_LLM_KIND="openai",
        DIALOGUE_LLM_BASE_URL=stub_provider.url,
        DIALOGUE_LLM_MODEL="stub",
    )
    caller = Caller.of(stack, MEMBER)
    conversation = caller.new_conversation()
    stub_provider.script(
        stub.tool_calls(
            ("mission_propose", json.dumps(SOUND)),
            ("mission_create", json.dumps(SOUND)),
        ),
        default=stub.text("I have raised it."),
    )
    before = Snapshot.of(stack)
    turn = caller.ask(conversation, "We need a nightly export of unpaid invoices.")
    assert turn["state"] == "done", turn
    after = before.until(Snapshot.of(stack))

    assert_only(after, SUGGESTIONS, tenant=tenant_key(stack, MEMBER.tenant))
    [suggestion] = after.added[SUGGESTIONS]
    assert (suggestion["reason"], suggestion["tool_call_id"]) == ("switch_off", "None")
    gates = {(name, gate) for name, _v, gate, _s in calls_of(stack, conversation)}
    assert gates == {
        ("mission_propose", "deployment_switch"),
        ("mission_create", "deployment_switch"),
    }
    for request in stub_provider.requests():
        served = [tool["function"]["name"] for tool in request["body"]["tools"]]
        assert "mission_list" in served
        assert not {"mission_propose", "mission_create"} & set(served)
        assert "mission_propose" not in request["body"]["messages"][0]["content"]
    page = stack.client(MEMBER).get(f"/t/{MEMBER.tenant}/c/{conversation}/").text
    assert "Proposing is off in this deployment" in page
    assert "DIALOGUE_INPROCESSTOOLS_WRITEENABLED" in page
