"""Somebody at a browser window, who reads, clicks and types as people do.

Elements are found by what they are, never by their words: the same steps are walked
in every language, by mouse and on a phone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from playwright.sync_api import (
        BrowserContext,
        ConsoleMessage,
        Frame,
        Locator,
        Request,
        Response,
    )

SECONDS = 1000.0
ANSWER_SECONDS = 60.0
MISSION_SECONDS = 30.0
MOST_TABS = 80
QUEUE = "/admin/decisions/attentionrequest/"
PROPOSAL = "#log .proposal-card"
# Counts the states of the running answer that a reader could have seen.
_WATCH_ANSWER = """() => {
    const seen = new Set();
    window.answerStates = seen;
    const look = () => seen.add(document.querySelector('#live')?.textContent ?? '');
    const options = {childList: true, subtree: true, characterData: true};
    new MutationObserver(look).observe(document.querySelector('#live'), options);
}"""
_IS_IDLE = """() => !document.querySelector('#live').children.length
    && !document.querySelector('#turns').textContent.trim()
    && document.querySelector('#log article:last-of-type')
    && !document.querySelector('#log article:last-of-type').matches('.msg--user')"""


class Visitor:
    """One window, with what it asked for and what its console said."""

    def __init__(self, context: BrowserContext, base_url: str) -> None:
        self.base_url = base_url
        self.page = context.new_page()
        self.has_touch = bool(self.page.evaluate("navigator.maxTouchPoints > 0"))
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.faults: list[str] = []
        self.navigations: list[str] = []
        self.page.on("request", self._on_request)
        self.page.on("response", self._on_response)
        self.page.on("console", self._on_console)
        self.page.on("framenavigated", self._on_navigation)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _on_request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _on_response(self, response: Response) -> None:
        if response.status >= 500:
            self.faults.append(f"{response.status} {response.url}")

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def _on_navigation(self, frame: Frame) -> None:
        self.navigations.append(frame.url)

    @property
    def language(self) -> str:
        """Return the language that the page says it is in."""
        return self.page.get_attribute("html", "lang") or ""

    def stay(self) -> None:
        """Remember this page, to tell later whether it is still the same."""
        self.page.evaluate("window.hasStayed = true")
        self.navigations.clear()

    @property
    def has_stayed(self) -> bool:
        """Tell whether nothing was loaded in this window since `stay`."""
        kept = self.page.evaluate("window.hasStayed === true")
        return bool(kept) and not self.navigations

    @property
    def foreign_requests(self) -> list[str]:
        """Return what was asked of anybody but the product."""
        local = (f"{self.base_url}/", "data:", "about:")
        return [url for url in self.requests if not url.startswith(local)]

    # --- hands ---------------------------------------------------------------------

    def press(self, target: Locator | str) -> None:
        """Click something, or tap it where there is a finger."""
        found = self.page.locator(target) if isinstance(target, str) else target
        if self.has_touch:
            found.tap()
        else:
            found.click()

    def tab_to(self, selector: str, *, backwards: bool = False) -> None:
        """Move the focus by the Tab key alone until it is on what is wanted."""
        is_there = f"document.activeElement.matches({selector!r})"
        for _step in range(MOST_TABS):
            if self.page.evaluate(is_there):
                return
            self.page.keyboard.press("Shift+Tab" if backwards else "Tab")
        message = f"{MOST_TABS} tabs do not lead to {selector}"
        raise AssertionError(message)

    # --- the frame -----------------------------------------------------------------

    def sign_in(self, email: str, password: str) -> Self:
        """Go to the front door and through it."""
        self.page.goto(f"{self.base_url}/")
        self.page.fill("input[name=login]", email)
        self.page.fill("input[name=password]", password)
        self.page.press("input[name=password]", "Enter")
        self.page.wait_for_url(re.compile(r"/t/[^/]+/$"))
        return self

    def choose_language(self, code: str) -> Self:
        """Use the switch of languages in the frame."""
        self.press(f"form.language button[value={code}]")
        self.page.wait_for_selector(f"html[lang={code}]")
        return self

    def tap_section(self, part_of_address: str) -> None:
        """Follow a link of the frame's sections, out of the menu on a phone."""
        links = self.page.locator(f'header a[href*="{part_of_address}"]')
        if not links.locator("visible=true").count():
            self.press(".menu--nav > summary")
        self.press(links.locator("visible=true").first)

    # --- conversations -------------------------------------------------------------

    def begin(self, track: str = "Build") -> Self:
        """Begin a conversation on a Track, from the list."""
        self.press(self.page.locator('main a[href$="/c/new"]').first)
        self.page.locator(f"input[type=radio][value={track}]").check()
        self.press("main form.card button.btn--primary")
        self.page.wait_for_selector("#composer-text")
        return self

    def say(self, text: str) -> None:
        """Type a message and send it."""
        self.page.evaluate(_WATCH_ANSWER)
        self.page.fill("#composer-text", text)
        self.press(".composer__send")

    def wait_for_answer(self) -> int:
        """Wait until the answer stands; return in how many steps it was seen grow."""
        timeout = ANSWER_SECONDS * SECONDS
        self.page.wait_for_function(_IS_IDLE, timeout=timeout)
        return int(self.page.evaluate("window.answerStates?.size ?? 0"))

    def ask(self, text: str) -> int:
        """Say something and wait for the answer; return as `wait_for_answer`."""
        self.say(text)
        return self.wait_for_answer()

    def card(self, state: str) -> Locator:
        """Return the last card of a proposal, once it has this state."""
        card = self.page.locator(f'{PROPOSAL}[data-state="{state}"]').last
        card.wait_for(timeout=MISSION_SECONDS * SECONDS)
        return card

    def request_of(self, card: Locator) -> str:
        """Return the key of the request that a card shows."""
        address = card.locator("h3 a").get_attribute("href") or ""
        found = re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", address)
        assert found, address
        return found[0]

    def wait_for_note(self, note: str) -> None:
        """Wait until what an operator wrote stands in the conversation."""
        self.page.locator("#log .msg--notice", has_text=note).wait_for(
            timeout=MISSION_SECONDS * SECONDS
        )

    # --- deciding ------------------------------------------------------------------

    def open_queue(self) -> None:
        """Go to the Decisions queue by a link that the page shows."""
        if self.page.url.endswith(QUEUE):
            self.page.reload()
            return
        link = f'a[href$="{QUEUE}"] >> visible=true'
        if not self.page.locator(link).count():
            self.press(".menu--nav > summary")
        self.press(self.page.locator(link).first)
        self.page.wait_for_selector("#result_list")

    def open_request(self, request_id: str) -> None:
        """Open a request out of the queue."""
        self.open_queue()
        self.press(f'#result_list th a[href*="{request_id}"]')
        self.page.wait_for_selector("article.review")

    def approve(self) -> None:
        """Approve in the two steps that it takes."""
        self.press("[data-approve] > summary")
        self.press("[data-approve] button")
        self.page.wait_for_selector(".review-part--outcome")

    def decide(self, option: str, note: str) -> None:
        """Reject, or ask for changes, with a note."""
        self.page.fill("#decision-note", note)
        self.press(f'.review-bar button[value="{option}"]')
        self.page.wait_for_selector(".review-part--outcome")
