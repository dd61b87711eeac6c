"""The chat page: what it shows, whole without a script."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from dialogue.models import MessageRole, Turn, TurnChunk, TurnState
from dialogue.turns.failures import FAILURES
from tests.dialogue.web.conftest import Chat, begin
from tests.support.api import Someone


def page(client: Client, chat: Chat, query: str = "") -> str:
    response = client.get(chat.url() + query)
    assert response.status_code == 200
    return response.content.decode()


def seqs(html: str) -> list[int]:
    return [int(number) for number in re.findall(r'data-seq="(\d+)"', html)]


@pytest.mark.promise("D8")
def test_messages_stand_in_order_each_as_what_it_is(client: Client, chat: Chat) -> None:
    turn = chat.say("We **need** an export")
    chat.call(turn, "mission_propose", title="Export")
    chat.answer(turn, "I have **proposed** it.")
    chat.add(MessageRole.NOTICE, "Approved by Ola.", {"kind": "decision", "cards": []})
    html = page(client, chat)
    assert seqs(html) == [1, 2, 3, 4, 5]
    assert "We **need** an export" in html
    assert "I have <strong>proposed</strong> it." in html
    assert "Propose a Mission" in html
    assert "msg--notice-decision" in html
    assert "Approved by Ola." in html


@pytest.mark.lesson("chat-R5")
def test_a_tool_step_unfolds_to_its_arguments_and_result(
    client: Client, chat: Chat
) -> None:
    chat.call(chat.say("list them"), "mission_list", items=["one & two"])
    html = page(client, chat)
    assert "<code>mission_list</code>" in html
    assert "&quot;title&quot;: &quot;Ledger &lt;export&gt;&quot;" in html
    assert "one &amp; two" in html
    assert "data-pending" not in html


@pytest.mark.promise("D67")
def test_a_refusal_names_its_gate_and_says_its_sentence(
    client: Client, chat: Chat
) -> None:
    chat.call(
        chat.say("make it"),
        "mission_create",
        "refused",
        refused=True,
        gate="tenant_toggle",
        message="Write tools are off for this team.",
    )
    html = page(client, chat)
    assert "Create a Mission" in html
    assert "Refused" in html
    assert "toggle of the team" in html
    assert "Write tools are off for this team." in html


@pytest.mark.parametrize(
    ("state", "shown"),
    [(TurnState.RUNNING, "Running"), (TurnState.INTERRUPTED, "Cancelled")],
)
def test_a_call_without_a_result_says_so(
    client: Client, chat: Chat, state: TurnState, shown: str
) -> None:
    turn = chat.say("look", state)
    asked = {"id": "call_1", "name": "task_list", "arguments": "{}"}
    chat.answer(turn, "", tool_calls=[asked])
    html = page(client, chat)
    assert 'data-pending="call_1"' in html
    assert f">{shown}</span>" in html


def test_an_answer_that_was_cut_off_says_so(client: Client, chat: Chat) -> None:
    chat.answer(chat.say("go"), "half an ans", partial=True)
    assert "Cut off" in page(client, chat)
    chat.answer(chat.say("go on"), "long", finish="length")
    assert "The answer reached the longest length" in page(client, chat)


@pytest.mark.lesson("chat-R28")
def test_nobody_s_text_becomes_markup(client: Client, chat: Chat) -> None:
    attack = '<script>alert(1)</script> "quoted" \u202egnp.exe'
    turn = chat.say(attack)
    chat.answer(turn, attack)
    chat.add(MessageRole.NOTICE, attack, {"kind": "x", "facts": {"note": attack + "!"}})
    html = page(client, chat)
    assert "<script>alert" not in html
    assert html.count("U+202E</span>gnp.exe") >= 4
    body = html.split('id="log"')[1]
    assert "\u202e" not in body


def test_what_others_wrote_bears_their_name(
    signed_in: Callable[[Someone], Client], viewer: Someone, chat: Chat
) -> None:
    chat.say("hello")
    html = page(signed_in(viewer), chat)
    assert "member@acme.test" in html
    assert "msg--mine" not in html


# --- the state of the turn ---


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (TurnState.QUEUED, "Queued"),
        (TurnState.RUNNING, "Answering…"),
        (TurnState.WAITING, "Waiting for the model’s provider"),
        (TurnState.STOPPING, "Stopping…"),
    ],
)
def test_an_unfinished_turn_says_where_it_stands(
    client: Client, chat: Chat, state: TurnState, words: str
) -> None:
    chat.say("go", state)
    html = page(client, chat)
    assert words in html
    assert ("data-stop" in html) == (state != TurnState.STOPPING)
    assert ("turn__pulse" in html) == (state != TurnState.QUEUED)
    assert '<noscript><meta http-equiv="refresh"' in html


@pytest.mark.lesson("chat-R4")
def test_nothing_spins_without_a_live_lease(client: Client, chat: Chat) -> None:
    past = timezone.now() - dt.timedelta(seconds=1)
    chat.say("go", TurnState.RUNNING, lease_owner="w", lease_expires_at=past)
    html = page(client, chat)
    assert "turn__pulse" not in html
    assert "The worker has gone silent." in html


@pytest.mark.parametrize("code", sorted(FAILURES))
def test_a_failed_turn_says_why_and_can_be_tried_again(
    client: Client, chat: Chat, code: str
) -> None:
    turn = chat.say("go", TurnState.FAILED, error_code=code, error_detail="503 <b>")
    html = page(client, chat)
    assert str(FAILURES[code]).replace("'", "&#x27;") in html
    assert "503 &lt;b&gt;" in html
    assert chat.url(f"turns/{turn.pk}/retry") in html
    assert "http-equiv" not in html


def test_an_older_turn_that_failed_is_marked_at_its_message(
    client: Client, chat: Chat
) -> None:
    chat.say("first", TurnState.FAILED, error_code="timeout")
    assert page(client, chat).count("took too long") == 1
    chat.say("second")
    html = page(client, chat)
    assert html.count("took too long") == 1
    assert "Try again" not in html


@pytest.mark.parametrize("newer", [TurnState.DONE, TurnState.FAILED])
@pytest.mark.parametrize(
    ("state", "code", "words"),
    [
        (TurnState.INTERRUPTED, "interrupted", "The answer was interrupted."),
        (TurnState.FAILED, "timeout", "took too long to answer."),
        (TurnState.STOPPED, "", "The answer was stopped."),
    ],
)
def test_an_older_turn_says_what_happened_and_offers_no_retry(
    client: Client,
    chat: Chat,
    state: TurnState,
    code: str,
    words: str,
    newer: TurnState,
) -> None:
    old = chat.say("first", state, error_code=code)
    chat.say("second", newer, error_code="" if newer == "done" else "unreachable")
    html = page(client, chat)
    mark = html.partition(f'data-mark="{old.pk}">')[2].partition("</p>")[0]
    assert words in mark
    assert "again" not in mark
    assert chat.url(f"turns/{old.pk}/retry") not in html
    assert html.count("/retry") == (1 if newer == TurnState.FAILED else 0)


@pytest.mark.lesson("chat-R10")
def test_messages_that_wait_behind_another_are_marked(
    client: Client, chat: Chat
) -> None:
    chat.say("first", TurnState.RUNNING)
    for number in range(3):
        chat.say(f"next {number}", TurnState.QUEUED)
    html = page(client, chat)
    assert html.count("Waits for its turn") == 3
    assert html.count("data-turn-line") == 1
    assert "Answering…" in html


def test_streamed_text_is_there_without_a_script(client: Client, chat: Chat) -> None:
    turn = chat.say("go", TurnState.RUNNING)
    TurnChunk.objects.create(turn=turn, attempt=1, step=1, offset=0, text="Half an <a")
    assert "Half an &lt;a" in page(client, chat)


# --- what the person may do ---


def test_the_journal_s_position_is_read_before_the_messages(
    client: Client, chat: Chat
) -> None:
    chat.say("hello")
    chat.conversation.refresh_from_db()
    html = page(client, chat)
    assert f'data-last-event="{chat.conversation.event_seq}"' in html


def test_a_completed_conversation_takes_no_message(client: Client, chat: Chat) -> None:
    chat.say("hello")
    client.post(chat.url("complete"))
    html = page(client, chat)
    assert 'id="composer-text"' not in html
    assert "takes no further messages" in html


def test_a_viewer_reads(
    signed_in: Callable[[Someone], Client], viewer: Someone, chat: Chat
) -> None:
    chat.say("hello", TurnState.FAILED)
    html = page(signed_in(viewer), chat)
    assert 'id="composer-text"' not in html
    assert "You read here as a viewer." in html
    for act in ("retry", "rename", "archive", "complete"):
        assert f'/{act}"' not in html


@pytest.mark.promise("D6")
def test_a_foreign_conversation_is_no_conversation(
    signed_in: Callable[[Someone], Client], stranger: Someone, chat: Chat
) -> None:
    client = signed_in(stranger)
    assert client.get(chat.url()).status_code == 404
    foreign = chat.url().replace("/acme/", "/globex/")
    assert client.get(foreign).status_code == 404


def test_a_private_one_is_its_owner_s(
    signed_in: Callable[[Someone], Client],
    member: Someone,
    viewer: Someone,
) -> None:
    private = begin(member, is_private=True)
    assert signed_in(viewer).get(private.url()).status_code == 404
    assert signed_in(member).get(private.url()).status_code == 200


def test_the_offline_planner_says_what_it_is(
    client: Client, chat: Chat, member: Someone
) -> None:
    html = page(client, chat)
    assert "Offline planner" in html
    assert "/settings/model/" not in html
    member.user.is_staff = True
    member.user.save()
    assert "/settings/model/" in page(client, chat)


@pytest.mark.case("A16")
@pytest.mark.promise("D94")
def test_with_the_switch_off_the_page_says_what_becomes_of_ideas(
    client: Client, chat: Chat
) -> None:
    with override_settings(WRITE_TOOLS_SERVED=True):
        assert "kept as a suggestion" not in page(client, chat)
    with override_settings(WRITE_TOOLS_SERVED=False):
        assert "kept as a suggestion" in page(client, chat)


def test_earlier_messages_are_a_page_away(client: Client, chat: Chat) -> None:
    for number in range(60):
        chat.answer(chat.say(f"message {number}"), "answer")
    assert seqs(page(client, chat)) == list(range(71, 121))
    earlier = page(client, chat, "?before=71")
    assert seqs(earlier) == list(range(21, 71))
    assert 'data-live="no"' in earlier
    assert client.get(chat.url("?before=x")).status_code == 400


@pytest.mark.lesson("chat-R15")
def test_a_page_costs_the_same_statements_at_10_and_60_messages(
    count_statements: Callable[[str], list[str]], chat: Chat
) -> None:
    def fill(count: int) -> None:
        for number in range(count):
            turn = chat.say(f"message {number}")
            chat.call(turn, "mission_list", items=[])
            chat.answer(turn, "answer")

    fill(3)
    few = count_statements(chat.url())
    fill(15)
    many = count_statements(chat.url())
    assert len(many) == len(few), "\n".join(many)
    assert len(many) <= 22
    assert Turn.objects.count() == 18
