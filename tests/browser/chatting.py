"""A person at the chat page of a running stack, in a real browser."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.support.people import MEMBER, Person

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

    from tests.support.stack import Stack

ANSWER = "#log .msg--assistant:not(.msg--wordless) .msg__text"
SECONDS = 1000.0


def sign_in(context: BrowserContext, stack: Stack, person: Person = MEMBER) -> None:
    """Give a browser the session of a person."""
    client = stack.client(person)
    for cookie in client.http.cookies.jar:
        context.add_cookies(
            [
                {
                    "name": cookie.name,
                    "value": str(cookie.value),
                    "url": stack.base_url,
                }
            ]
        )


@dataclass
class ChatPage:
    """A page with what it asked for and what its console said."""

    page: Page
    stack: Stack
    scripted: bool = True
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", self._on_request)
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _on_request(self, request: Request) -> None:
        self.requests.append(f"{request.method} {request.url}")

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    @property
    def foreign_requests(self) -> list[str]:
        """Return what was asked of anybody but the product."""
        local = (self.stack.base_url, "data:")
        return [
            each
            for each in self.requests
            if not each.split(" ", 1)[1].startswith(local)
        ]

    def posts(self, ending: str = "/send") -> int:
        """Return how many forms were sent to an address that ends so."""
        return sum(
            each.startswith("POST ") and each.endswith(ending) for each in self.requests
        )

    def begin(self, track: str = "Build") -> str:
        """Begin a conversation on the page; return its id."""
        self.page.goto(f"{self.stack.base_url}/t/{MEMBER.tenant}/c/new")
        self.page.check(f"input[name=track][value={track}]")
        self.page.locator("main form button.btn--primary").click()
        self._wait_ready()
        found = re.search(r"/c/([0-9a-f-]{36})/", self.page.url)
        assert found, self.page.url
        return found[1]

    def open(self, conversation: str) -> None:
        """Open the page of a conversation."""
        base = f"{self.stack.base_url}/t/{MEMBER.tenant}"
        self.page.goto(f"{base}/c/{conversation}/")
        self._wait_ready()

    def reload(self) -> None:
        """Load the page again."""
        self.page.reload()
        self._wait_ready()

    def _wait_ready(self) -> None:
        # Until its script is there, Enter makes a new line as in any other field.
        ready = "#chat[data-ready]" if self.scripted else "#chat"
        self.page.wait_for_selector(ready)

    def say(self, text: str) -> None:
        """Type a message and send it with Enter."""
        self.page.fill("#composer-text", text)
        self.page.press("#composer-text", "Enter")

    def wait_idle(self, answers: int, *, timeout: float = 60 * SECONDS) -> None:
        """Wait until so many answers are stored and nothing is under way."""
        self.page.wait_for_function(
            f"""() => document.querySelectorAll({ANSWER!r}).length >= {answers}
                && !document.querySelector('#live').children.length
                && !document.querySelector('#turns').textContent.trim()""",
            timeout=timeout,
        )

    def answers(self) -> list[str]:
        """Return the texts of the stored answers as a reader sees them."""
        return self.page.locator(ANSWER).all_inner_texts()

    def shown_text(self) -> str:
        """Return the last answer, stored or still running."""
        return str(
            self.page.evaluate(
                f"""() => [...document.querySelectorAll(
                    {ANSWER!r} + ', #live .msg__text')].at(-1)?.textContent ?? ''"""
            )
        )
