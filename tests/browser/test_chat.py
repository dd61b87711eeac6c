"""The chat page in a browser, with the offline planner: flow 2 and 3 of the product."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from tests.browser.chatting import ChatPage, sign_in
from tests.flows.api_client import IDEA, IDEE, Caller
from tests.support.people import MEMBER, OPERATOR, VIEWER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

    from tests.support.stack import Stack


@pytest.fixture
def chat(page: Page, context: BrowserContext, stack: Stack) -> ChatPage:
    sign_in(context, stack)
    return ChatPage(page, stack)


@pytest.mark.promise("D4", "D19")
@pytest.mark.case("A11", "A12")
@pytest.mark.parametrize("idea", [IDEA, IDEE], ids=["en", "fr"])
def test_an_idea_becomes_a_card_and_the_card_turns_without_a_reload(
    chat: ChatPage, stack: Stack, idea: str
) -> None:
    conversation = chat.begin()
    chat.say(idea)
    card = chat.page.locator('.card-slot[data-card="proposal"]')
    card.wait_for()
    chat.wait_idle(1)
    assert chat.page.locator("#log .msg--user").count() == 1
    assert card.count() == 1
    assert card.locator(".badge--open").count() == 1

    chat.page.evaluate("window.wasHere = true")
    operator = Caller.of(stack, OPERATOR)
    request = operator.open_request(conversation)
    assert operator.decide(request, "Approve and create").status_code == 200
    card.first.locator('a[href*="/missions/"]').wait_for(timeout=15_000)
    assert card.first.locator(".badge--open").count() == 0
    chat.page.locator("#log .msg--notice-decision").wait_for(timeout=15_000)
    assert chat.page.evaluate("window.wasHere") is True
    assert chat.posts() == 1
    assert stack.count("dialogue_turn", "conversation_id = ?", _key(conversation)) == 1
    assert chat.foreign_requests == []
    assert chat.complaints == []


def _key(conversation: str) -> uuid.UUID:
    return uuid.UUID(conversation)


@pytest.mark.case("A11")
def test_a_page_that_was_cut_off_catches_up(chat: ChatPage, stack: Stack) -> None:
    conversation = chat.begin()
    chat.say(IDEA)
    chat.wait_idle(1)
    chat.page.context.set_offline(True)
    operator = Caller.of(stack, OPERATOR)
    request = operator.open_request(conversation)
    assert operator.decide(request, "Reject", "Not this year.").status_code == 200
    chat.page.context.set_offline(False)
    note = chat.page.locator("#log .msg--notice-decision")
    note.wait_for(timeout=30_000)
    assert "Not this year." in note.inner_text()
    assert note.count() == 1
    assert chat.posts() == 1


def test_two_windows_show_the_same_conversation(
    chat: ChatPage, context: BrowserContext, stack: Stack
) -> None:
    conversation = chat.begin()
    other = ChatPage(context.new_page(), stack)
    other.open(conversation)
    chat.say("What is waiting for a decision?")
    chat.wait_idle(1)
    other.wait_idle(1)
    assert other.answers() == chat.answers()


@pytest.mark.lesson("chat-R10")
def test_messages_sent_from_two_windows_all_stand_in_order(
    chat: ChatPage, context: BrowserContext, stack: Stack
) -> None:
    conversation = chat.begin("Planning")
    other = ChatPage(context.new_page(), stack)
    other.open(conversation)
    for number in range(5):
        for window in (chat, other):
            window.page.wait_for_selector("#composer-text:not([readonly])")
            window.say(f"Which Missions are there? ({number})")
    for window in (chat, other):
        window.wait_idle(10)
    stored = Caller.of(stack, MEMBER).get(f"conversations/{conversation}/messages")
    said = [row["text"] for row in stored["items"] if row["role"] == "user"]
    texts = "#log .msg--user .msg__text"
    for window in (chat, other):
        assert window.page.locator(texts).all_inner_texts() == said
    assert len(said) == 10


@pytest.mark.lesson("chat-R30")
def test_enter_waits_for_a_composition_to_end(chat: ChatPage) -> None:
    chat.begin()
    chat.page.fill("#composer-text", "日本")
    for detail in ("isComposing: true", "keyCode: 229"):
        chat.page.evaluate(
            f"""() => document.querySelector('#composer-text').dispatchEvent(
                new KeyboardEvent('keydown', {{key: 'Enter', bubbles: true,
                    cancelable: true, {detail}}}))"""
        )
    chat.page.press("#composer-text", "Shift+Enter")
    assert chat.page.input_value("#composer-text") == "日本\n"
    assert chat.posts() == 0
    chat.page.press("#composer-text", "Enter")
    chat.wait_idle(1)
    assert chat.posts() == 1
    assert chat.page.input_value("#composer-text") == ""


@pytest.mark.lesson("chat-R30")
def test_a_draft_outlives_an_expired_session(
    chat: ChatPage, context: BrowserContext, stack: Stack
) -> None:
    conversation = chat.begin()
    context.clear_cookies(name="sessionid")
    chat.say("A long thought that must not be lost")
    chat.page.locator("#composer-error:not([hidden])").wait_for()
    assert chat.page.locator("#sign-in-dialog[open]").count() == 1
    link = chat.page.locator("#sign-in-dialog [data-sign-in]")
    assert link.get_attribute("target") == "_blank"
    sign_in(context, stack)
    chat.reload()
    assert chat.page.input_value("#composer-text") == (
        "A long thought that must not be lost"
    )
    chat.page.press("#composer-text", "Enter")
    chat.wait_idle(1)
    assert (
        stack.count(
            "dialogue_conversationmessage",
            "role = 'user' AND conversation_id = ?",
            _key(conversation),
        )
        == 1
    )
    assert chat.page.evaluate("Object.keys(localStorage).length") == 0


@pytest.mark.lesson("chat-R30")
def test_a_draft_outlives_a_server_that_is_away(chat: ChatPage) -> None:
    chat.begin()
    chat.page.route("**/send", lambda route: route.abort())
    chat.say("Keep this")
    error = chat.page.locator("#composer-error")
    error.wait_for()
    assert "could not be reached" in error.inner_text()
    assert chat.page.input_value("#composer-text") == "Keep this"
    chat.page.unroute("**/send")
    chat.page.press("#composer-text", "Enter")
    chat.wait_idle(1)
    assert error.is_hidden()


def test_everything_works_without_a_script(browser: Browser, stack: Stack) -> None:
    context = browser.new_context(java_script_enabled=False)
    sign_in(context, stack)
    chat = ChatPage(context.new_page(), stack, scripted=False)
    chat.begin()
    chat.page.fill("#composer-text", IDEA)
    chat.page.click(".composer__send")
    # The page loads itself again until the answer is there.
    card = chat.page.locator('.card-slot[data-card="proposal"]')
    card.wait_for(timeout=30_000)
    chat.page.locator("#turns").wait_for(state="attached")
    chat.page.locator("#log .msg--assistant .prose").first.wait_for(timeout=30_000)
    assert chat.page.locator("#log .msg--user").count() == 1
    chat.page.locator("details.rename summary").click()
    chat.page.fill("#title-input", "Renamed by hand")
    chat.page.locator(".rename__form button").click()
    assert chat.page.locator("#chat-title").inner_text() == "Renamed by hand"
    context.close()


def test_a_viewer_watches_live(browser: Browser, chat: ChatPage, stack: Stack) -> None:
    conversation = chat.begin()
    context = browser.new_context()
    sign_in(context, stack, VIEWER)
    watcher = ChatPage(context.new_page(), stack)
    watcher.open(conversation)
    assert watcher.page.locator("#composer-text").count() == 0
    chat.say("Which tasks are there?")
    watcher.wait_idle(1)
    assert watcher.page.locator("#log .msg--user").count() == 1
    assert watcher.complaints == []
    context.close()


@pytest.mark.lesson("chat-R13")
def test_a_stream_that_is_held_back_is_replaced_by_looking(chat: ChatPage) -> None:
    held = []
    # A proxy that collects: the stream opens for ever and brings nothing.
    chat.page.route("**/events?*", lambda route: held.append(route))
    chat.begin()
    chat.say("What is waiting for a decision?")
    chat.wait_idle(1, timeout=60_000)
    assert held
    assert "Live updates are slow here" in chat.page.inner_text("#stream-state")


def test_reading_further_up_is_not_disturbed(chat: ChatPage) -> None:
    chat.begin()
    for number in range(4):
        chat.say(f"{IDEA} ({number})")
        chat.wait_idle(number + 1)
    chat.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    chat.page.wait_for_timeout(200)
    chat.page.mouse.move(600, 400)
    chat.page.mouse.wheel(0, -600)
    chat.page.wait_for_timeout(200)
    top = chat.page.evaluate("document.scrollingElement.scrollTop")
    Caller.of(chat.stack, MEMBER).ask(
        chat.page.url.split("/c/")[1].strip("/"), "Which Missions are there?"
    )
    chat.wait_idle(5)
    chat.page.locator("#jump").wait_for()
    assert abs(chat.page.evaluate("document.scrollingElement.scrollTop") - top) < 5
    chat.page.click("#jump")
    assert chat.page.locator("#jump").is_hidden()


def test_what_could_not_be_fetched_is_fetched_later(chat: ChatPage) -> None:
    chat.begin()
    lost: list[str] = []

    def lose_two(route: Route) -> None:
        if len(lost) < 2:
            lost.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    chat.page.route("**/sync?*", lose_two)
    chat.say("What is waiting for a decision?")
    chat.wait_idle(1)
    assert len(lost) == 2
    assert chat.page.locator("#log .msg--user").count() == 1
