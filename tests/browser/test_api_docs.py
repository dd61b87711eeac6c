"""The API's page works under the strict policy, with nothing from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, Request

    from tests.support.stack import Stack


def test_the_page_shows_the_api(page: Page, stack: Stack) -> None:
    asked: list[str] = []
    complaints: list[str] = []

    def on_request(request: Request) -> None:
        asked.append(request.url)

    def on_console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            complaints.append(message.text)

    page.on("request", on_request)
    page.on("console", on_console)
    page.goto(f"{stack.base_url}/api/v1/docs/")
    page.wait_for_selector(".opblock")
    page.locator(".opblock-summary").first.click()
    page.wait_for_selector(".responses-wrapper")
    assert page.locator(".opblock").count() > 10
    assert complaints == []
    local = (f"{stack.base_url}/", "data:")
    assert [url for url in asked if not url.startswith(local)] == []
