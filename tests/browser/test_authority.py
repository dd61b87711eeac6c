"""Held-back writes, run once, grants and why-not in a browser, by keyboard too."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.chatting import ChatPage, sign_in
from tests.browser.support.devices import DESKTOP, LOCALES, PHONE
from tests.support import stub
from tests.support.people import OPERATOR

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator

    from tests.support.stack import Stack
    from tests.support.stub import StubProvider

OPEN = """
from tooling.models import Features, Preset, Tenant
tenant = Tenant.objects.get(slug="acme")
Features.objects.update_or_create(tenant=tenant, defaults={{"write_tools": True}})
Preset.objects.update_or_create(name="stub", defaults=dict(
    backend="openai", model="stub", is_default=True, retries=0, base_url={url!r}))
"""
SHUT = """
from tooling.models import Features, Preset
Features.objects.all().delete()
Preset.objects.all().delete()
"""
# Processes read presets anew every two seconds.
PRESETS_KEPT = 2.2
WISH = {
    "en": "It would be lovely to have an export of unpaid invoices one day.",
    "fr": "Ce serait bien d’avoir un jour un export des factures impayées.",
}
TITLE = {"en": "Nightly export of invoices", "fr": "Export nocturne des factures"}
CARD = '#log .card-slot[data-card="action"] .action-card'
DEVICES: dict[str, dict[str, Any]] = {"desktop": DESKTOP, "phone": PHONE}


@pytest.fixture
def scripted(stack: Stack, stub_provider: StubProvider) -> Iterator[StubProvider]:
    """The stub provider answers, and write tools are on for the team."""
    stack.shell(OPEN.format(url=stub_provider.url))
    time.sleep(PRESETS_KEPT)
    yield stub_provider
    stack.shell(SHUT)
    time.sleep(PRESETS_KEPT)


def wants(title: str) -> Any:
    """Return a step that calls for a Mission which nobody asked for."""
    plain = {
        "title": title,
        "objective": "Unpaid invoices reach the finance share every night.",
        "tasks": [{"title": "Write the export", "detail": "One CSV file a night."}],
        "acceptance_criteria": ["The file is there at six in the morning."],
    }
    return stub.tool_call("mission_create", json.dumps(plain))


def fits(chat: ChatPage) -> bool:
    """Tell whether nothing makes the page wider than its window."""
    return bool(
        chat.page.evaluate(
            "document.documentElement.scrollWidth <= window.innerWidth + 1"
        )
    )


def tab_to(chat: ChatPage, target: Locator) -> None:
    """Move the focus by the Tab key alone until it is on what is wanted."""
    for _step in range(120):
        if target.evaluate("each => each === document.activeElement"):
            return
        chat.page.keyboard.press("Tab")
    message = f"120 tabs do not lead to {target}"
    raise AssertionError(message)


@pytest.mark.promise("A2", "A3", "A4", "D57")
@pytest.mark.lesson("H-22")
@pytest.mark.parametrize(
    ("device", "language"),
    [
        ("desktop", "en"),
        ("phone", "fr"),
        pytest.param("desktop", "fr", marks=pytest.mark.soak),
        pytest.param("phone", "en", marks=pytest.mark.soak),
    ],
)
def test_a_held_back_write_is_run_once_allowed_for_a_time_and_explained(
    browser: Browser,
    stack: Stack,
    scripted: StubProvider,
    tmp_path: Path,
    device: str,
    language: str,
) -> None:
    context = browser.new_context(locale=LOCALES[language], **DEVICES[device])
    sign_in(context, stack, OPERATOR)
    chat = ChatPage(context.new_page(), stack)

    def say(text: str) -> None:
        # On a phone Enter makes a new line.
        chat.page.fill("#composer-text", text)
        chat.page.locator(".composer__send").click()

    def look(name: str) -> None:
        chat.page.screenshot(path=tmp_path / f"{name}.png", full_page=True)
        assert fits(chat), f"{name} is wider than the window"

    chat.begin()
    title = TITLE[language]
    scripted.script(wants(title), stub.text("It waits for you."))
    say(WISH[language])
    card = chat.page.locator(CARD).first
    card.wait_for()
    chat.wait_idle(1)
    assert card.get_attribute("data-state") == "open"
    assert title in card.inner_text()
    look("card")

    # Run once, by keyboard alone: the focus stays on the card.
    chat.page.evaluate("window.wasHere = true")
    run = card.locator("form[action$='/run'] button")
    chat.page.locator("#chat-title").focus()
    card.locator("h3").focus()
    tab_to(chat, run)
    chat.page.keyboard.press("Enter")
    done = chat.page.locator(f'{CARD}[data-state="done"]')
    done.wait_for()
    chat.page.locator("#log .msg--notice-action").wait_for()
    chat.page.wait_for_function(
        "document.activeElement.matches('.action-card[data-state=done] h3')"
    )
    assert done.locator('a[href*="/missions/"]').count() == 1
    look("done")

    # The next one is allowed for a time.
    scripted.script(wants(f"{title} 2"), stub.text("This one waits, too."))
    say(WISH[language])
    card = chat.page.locator(f'{CARD}[data-state="open"]')
    card.wait_for()
    chat.wait_idle(2)
    card.locator(".action-card__grant > summary").focus()
    chat.page.keyboard.press("Enter")
    card.locator("[name=uses]").fill("3")
    look("allow")
    tab_to(chat, card.locator(".grant-form button"))
    chat.page.keyboard.press("Enter")
    grant = chat.page.locator("#grants .grant")
    grant.wait_for()
    first = grant.locator("time").inner_text()
    chat.page.wait_for_function(
        "old => document.querySelector('#grants time').textContent !== old", arg=first
    )
    look("grant")

    # Under it the model acts unasked, and a use is gone.
    scripted.script(wants(f"{title} 3"), stub.text("Done under the grant you gave."))
    say(WISH[language])
    chat.wait_idle(3)
    chat.page.locator("#log .step__basis").last.wait_for()
    uses = "2 of 3" if language == "en" else "2 utilisations restantes sur 3"
    chat.page.locator(".grant__uses", has_text=uses).wait_for()
    assert stack.count("missions_mission", "title = ?", f"{title} 3") > 0
    look("under a grant")

    # Revoked with one click: the next call is held back.
    tab_to(chat, grant.locator("button"))
    chat.page.keyboard.press("Enter")
    grant.wait_for(state="detached")
    scripted.script(wants(f"{title} 4"), stub.text("It waits again."))
    say(WISH[language])
    chat.wait_idle(4)
    assert chat.page.locator(f'{CARD}[data-state="open"]').count() == 2
    assert stack.count("missions_mission", "title = ?", f"{title} 4") == 0

    # Why not? A fold under the message.
    fold = chat.page.locator("#log .msg--user .why").last
    fold.locator("summary").focus()
    chat.page.keyboard.press("Enter")
    fold.locator(".why__calls li").wait_for()
    assert "mission_create" in fold.inner_text()
    look("why")

    # Put aside.
    last = chat.page.locator(f'{CARD}[data-state="open"]').last
    last.locator("form[action$='/dismiss'] button").click()
    chat.page.locator(f'{CARD}[data-state="dismissed"]').wait_for()
    chat.page.goto(chat.page.url.split("#")[0] + "grants")
    chat.page.locator("#grants-page").wait_for()
    look("grants")
    assert chat.page.evaluate("document.querySelector('main').innerText").strip()
    assert chat.foreign_requests == []
    assert chat.complaints == []
    context.close()


def test_all_of_it_works_without_a_script(
    browser: Browser, stack: Stack, scripted: StubProvider
) -> None:
    context = browser.new_context(java_script_enabled=False)
    sign_in(context, stack, OPERATOR)
    chat = ChatPage(context.new_page(), stack, scripted=False)
    chat.begin()
    scripted.script(wants(TITLE["en"]), stub.text("It waits for you."))
    chat.page.fill("#composer-text", WISH["en"])
    chat.page.click(".composer__send")
    card = chat.page.locator(CARD)
    # The page loads itself again until the answer is there.
    chat.page.locator("#log .msg--assistant .prose").first.wait_for(timeout=30_000)
    card.locator(".action-card__grant > summary").click()
    card.locator(".grant-form button").click()
    left = chat.page.locator("#grants time").inner_text()
    assert left == "15 minutes left"
    chat.page.locator("#grants .grant button").click()
    assert chat.page.locator("#grants .grant").count() == 0
    card.locator("form[action$='/run'] button").click()
    assert card.get_attribute("data-state") == "done"
    chat.page.locator(".why > summary").first.click()
    chat.page.locator(".why a").first.click()
    assert "mission_create" in chat.page.locator(".why__inside").inner_text()
    context.close()
