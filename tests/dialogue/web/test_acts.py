"""What a person does on a chat page, by form and by script."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.test import Client

from dialogue import spawned as registry
from dialogue.models import Conversation, ConversationMessage, Turn, TurnState
from dialogue.spawned import Spawned
from tests.dialogue.web.conftest import Chat, begin
from tests.support.api import Someone
from tooling.web.errors import SIGN_IN_HEADER

SCRIPT = {"X-Requested-With": "fetch", "Accept": "application/json"}


@pytest.mark.promise("D6", "D27")
def test_a_form_sends_and_comes_back(client: Client, chat: Chat) -> None:
    response = client.post(chat.url("send"), {"text": "Hello", "client_key": "k1"})
    assert response.status_code == 302
    assert response.headers["Location"] == chat.url()
    assert ConversationMessage.objects.get().text == "Hello"
    assert Turn.objects.get().state == TurnState.QUEUED


def test_a_script_gets_the_message_and_its_turn(client: Client, chat: Chat) -> None:
    fields = {"text": "Hello", "client_key": "k1"}
    answers = [
        client.post(chat.url("send"), fields, headers=SCRIPT) for _repeat in range(2)
    ]
    assert [answer.status_code for answer in answers] == [202, 202]
    first, again = (answer.json() for answer in answers)
    assert (first["created"], again["created"]) == (True, False)
    assert (
        first["message"]
        == again["message"]
        == str(ConversationMessage.objects.get().pk)
    )
    assert first["turn"] == str(Turn.objects.get().pk)


@pytest.mark.lesson("chat-R9")
@pytest.mark.case("A20")
def test_a_form_sent_twice_sends_once(client: Client, chat: Chat) -> None:
    for _repeat in range(2):
        client.post(chat.url("send"), {"text": "Hello", "client_key": "k1"})
    assert ConversationMessage.objects.count() == 1
    assert Turn.objects.count() == 1


def test_sending_works_while_a_turn_runs(client: Client, chat: Chat) -> None:
    chat.say("first", TurnState.RUNNING)
    client.post(chat.url("send"), {"text": "second", "client_key": "k2"})
    assert Turn.objects.filter(state=TurnState.QUEUED).count() == 1


@pytest.mark.lesson("chat-R30")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "blank"),
        (" \n\u200b", "blank"),
        ("x" * 200_000, "too_long"),
        ("a \x00 b", "unsafe_text"),
        ("a \ud800 b", "unsafe_text"),
    ],
    ids=["empty", "blank", "long", "nul", "surrogate"],
)
def test_a_refused_text_comes_back_with_the_reason(
    client: Client, chat: Chat, text: str, code: str
) -> None:
    if code == "unsafe_text" and "\ud800" in text:
        body = "text=a+%ED%A0%80+b&client_key=k"
        kind = "application/x-www-form-urlencoded"
        response = client.post(chat.url("send"), body, content_type=kind)
        # The form's decoder replaces what is no character; nothing unsafe is kept.
        assert "\ud800" not in ConversationMessage.objects.get().text
        assert response.status_code == 302
        return
    response = client.post(chat.url("send"), {"text": text, "client_key": "k"})
    assert response.status_code == 400
    html = response.content.decode()
    assert 'id="composer-error" role="alert">' in html
    if text.strip():
        assert text[:50] in html
    by_script = client.post(chat.url("send"), {"text": text}, headers=SCRIPT)
    assert by_script.status_code == 400
    assert by_script.json()["errors"][0]["code"] == code
    assert not ConversationMessage.objects.exists()
    assert not Turn.objects.exists()


def test_a_completed_conversation_refuses(client: Client, chat: Chat) -> None:
    client.post(chat.url("complete"))
    fields = {"text": "one more", "client_key": "k"}
    by_form = client.post(chat.url("send"), fields)
    assert by_form.status_code == 409
    by_script = client.post(chat.url("send"), fields, headers=SCRIPT)
    assert by_script.status_code == 409
    assert by_script.json()["errors"][0]["code"] == "conversation_completed"
    assert not ConversationMessage.objects.exists()


@pytest.mark.lesson("chat-R30")
def test_an_expired_session_says_where_to_sign_in(chat: Chat) -> None:
    by_script = Client().post(chat.url("send"), {"text": "Hello"}, headers=SCRIPT)
    assert by_script.status_code == 401
    assert by_script.headers[SIGN_IN_HEADER].endswith("/login/")
    by_form = Client().post(chat.url("send"), {"text": "Hello"})
    assert by_form.status_code == 302
    assert "/login/" in by_form.headers["Location"]


def test_without_the_page_s_token_nothing_is_sent(member: Someone, chat: Chat) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(member.user)
    response = client.post(chat.url("send"), {"text": "Hello"}, headers=SCRIPT)
    assert response.status_code == 403
    assert response.json()["errors"][0]["code"] == "csrf"
    assert not ConversationMessage.objects.exists()


# --- stop and retry ---


@pytest.mark.lesson("chat-R8")
def test_stop_reaches_the_row(client: Client, chat: Chat) -> None:
    turn = chat.say("go", TurnState.RUNNING)
    answer = client.post(chat.url(f"turns/{turn.pk}/stop"), headers=SCRIPT)
    assert answer.json() == {"turn": str(turn.pk), "state": "stopping"}
    turn.refresh_from_db()
    assert turn.state == TurnState.STOPPING
    assert client.post(chat.url(f"turns/{turn.pk}/stop")).status_code == 302


def test_retry_is_the_next_attempt(client: Client, chat: Chat) -> None:
    turn = chat.say("go", TurnState.FAILED, error_code="timeout")
    assert client.post(chat.url(f"turns/{turn.pk}/retry")).status_code == 302
    turn.refresh_from_db()
    assert (turn.state, turn.attempt, turn.error_code) == (TurnState.QUEUED, 2, "")
    again = client.post(chat.url(f"turns/{turn.pk}/retry"), headers=SCRIPT)
    assert again.status_code == 409


@pytest.mark.parametrize("act", ["stop", "retry"])
def test_a_turn_of_another_conversation_is_not_found(
    client: Client, member: Someone, chat: Chat, act: str
) -> None:
    other = begin(member)
    turn = other.say("go", TurnState.FAILED)
    assert client.post(chat.url(f"turns/{turn.pk}/{act}")).status_code == 404
    assert client.post(chat.url(f"turns/{uuid.uuid4()}/{act}")).status_code == 404
    turn.refresh_from_db()
    assert turn.attempt == 1


# --- the life of a conversation ---


@pytest.fixture
def open_proposals(monkeypatch: pytest.MonkeyPatch, chat: Chat) -> None:
    """Two proposals of the conversation wait, one is settled."""
    moment = chat.conversation.created_at
    rows = [
        Spawned("request", uuid.uuid4(), name, "x", "/x", moment, is_open=is_open)
        for name, is_open in (("Export", True), ("Alert", True), ("Old", False))
    ]
    monkeypatch.setattr(registry, "_LISTERS", {"all": lambda **_ids: rows})


@pytest.mark.promise("D9")
@pytest.mark.usefixtures("open_proposals")
def test_completing_asks_first_and_names_what_stays_open(
    client: Client, chat: Chat
) -> None:
    asked = client.get(chat.url("complete")).content.decode()
    assert "2 proposals stay open" in asked
    assert "Export" in asked
    assert "Old" not in asked
    chat.conversation.refresh_from_db()
    assert chat.conversation.status == "open"
    done = client.post(chat.url("complete"), follow=True).content.decode()
    assert "2 proposals stay open and can still be decided" in done
    chat.conversation.refresh_from_db()
    assert chat.conversation.status == "completed"
    assert client.post(chat.url("complete")).status_code == 302


def test_completing_with_nothing_open_says_that(client: Client, chat: Chat) -> None:
    html = client.get(chat.url("complete")).content.decode()
    assert "No proposal of it waits for a decision." in html


def test_a_new_title_shows(client: Client, chat: Chat) -> None:
    html = client.post(chat.url("rename"), {"title": " Export  "}, follow=True)
    assert "Export" in html.content.decode()
    chat.conversation.refresh_from_db()
    assert (chat.conversation.title, chat.conversation.title_source) == (
        "Export",
        "human",
    )


@pytest.mark.parametrize("title", ["", "  ", "\u200b\u202e", "t" * 201])
def test_a_title_that_does_not_fit_is_refused(
    client: Client, chat: Chat, title: str
) -> None:
    html = client.post(chat.url("rename"), {"title": title}, follow=True)
    assert "notice--error" in html.content.decode()
    chat.conversation.refresh_from_db()
    assert chat.conversation.title == ""


def test_archiving_and_back(client: Client, chat: Chat) -> None:
    gone = client.post(chat.url("archive"), {"archived": "1"})
    assert gone.headers["Location"] == "/t/acme/"
    chat.conversation.refresh_from_db()
    assert chat.conversation.archived_at
    client.post(chat.url("archive"), {"archived": "0"})
    chat.conversation.refresh_from_db()
    assert chat.conversation.archived_at is None


ACTS = ["send", "complete", "rename", "archive"]


@pytest.mark.parametrize("act", ACTS)
def test_acts_want_a_post(client: Client, chat: Chat, act: str) -> None:
    expected = 200 if act == "complete" else 405
    assert client.get(chat.url(act)).status_code == expected


@pytest.mark.parametrize("act", [*ACTS, "turns/{turn}/stop", "turns/{turn}/retry"])
def test_a_viewer_and_a_stranger_change_nothing(
    signed_in: Callable[[Someone], Client],
    viewer: Someone,
    stranger: Someone,
    chat: Chat,
    act: str,
) -> None:
    turn = chat.say("hello", TurnState.FAILED)
    before = Conversation.objects.values().get(pk=chat.conversation.pk)
    url = chat.url(act.format(turn=turn.pk))
    fields = {"text": "x", "title": "x", "archived": "1"}
    assert signed_in(viewer).post(url, fields).status_code == 403
    assert signed_in(stranger).post(url, fields).status_code == 404
    foreign = url.replace("/acme/", "/globex/")
    assert signed_in(stranger).post(foreign, fields).status_code == 404
    assert Conversation.objects.values().get(pk=chat.conversation.pk) == before
    assert Turn.objects.get().state == TurnState.FAILED
