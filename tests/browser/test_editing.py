"""The edit page of a proposal in a real browser: entries come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.chatting import sign_in
from tests.browser.support.devices import DESKTOP, PHONE
from tests.browser.test_deciding import propose
from tests.support.people import OPERATOR

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

    from tests.support.stack import Stack

pytestmark = pytest.mark.shape(
    "embedded",
    reason="forms without live parts; the services run on both shapes elsewhere",
)

TASKS = [{"title": "Write the export"}, {"title": "Watch the export"}]
LIST = "[data-list='mission.{}']"


def open_edit(page: Page, stack: Stack, request_id: str) -> None:
    """Open the edit page of a request."""
    queue = f"{stack.base_url}/admin/decisions/attentionrequest"
    page.goto(f"{queue}/{request_id}/edit/")


def titles(page: Page) -> list[str]:
    """Return the titles of the tasks on the page."""
    fields = page.locator(f"{LIST.format('tasks')} input[type=text]").all()
    return [field.input_value() for field in fields]


def mission_of(stack: Stack, page: Page) -> dict[str, Any]:
    """Return what the open decision page's request says."""
    request_id = page.url.rstrip("/").split("/")[-2]
    read = stack.api(OPERATOR).get(f"t/{OPERATOR.tenant}/decisions/{request_id}").json()
    assert (read["state"], read["revision"]) == ("open", 2)
    mission: dict[str, Any] = read["payload"]["mission"]
    return mission


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "plain"])
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_tasks_and_criteria_come_and_go(
    stack: Stack, browser: Browser, device: dict[str, Any], scripts: bool
) -> None:
    request_id = propose(stack, objective="Short.", tasks=TASKS)
    context = browser.new_context(**device, java_script_enabled=scripts)
    sign_in(context, stack, OPERATOR)
    page = context.new_page()
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    page.on("console", listen)
    open_edit(page, stack, request_id)
    loads: list[str] = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    page.locator(f"{LIST.format('tasks')} [name=remove]").first.click()
    page.wait_for_function("document.querySelectorAll('[data-row]').length === 2")
    assert titles(page) == ["Watch the export"]
    page.locator(f"{LIST.format('tasks')} [name=add]").click()
    page.wait_for_function("document.querySelectorAll('[data-row]').length === 3")
    # What was added has the focus, so that typing goes on at once.
    page.keyboard.type("Tell the finance team")
    page.locator(f"{LIST.format('acceptance_criteria')} [name=add]").click()
    page.wait_for_function("document.querySelectorAll('[data-row]').length === 4")
    page.keyboard.type("Nobody asks where it is.")
    page.locator(f"{LIST.format('tasks')} [name=add]").click()
    page.wait_for_function("document.querySelectorAll('[data-row]').length === 5")
    assert (loads == []) is scripts
    places = page.locator(f"{LIST.format('tasks')} [data-place]:visible")
    assert places.all_inner_texts() == ["1", "2", "3"]
    _check_that_it_fits(page)
    page.locator(".review-bar .review-btn--approve").click()
    page.wait_for_url("**/change/")
    mission = mission_of(stack, page)
    assert [task["title"] for task in mission["tasks"]] == [
        "Watch the export",
        "Tell the finance team",
    ]
    assert mission["acceptance_criteria"] == [
        "The file is there at six.",
        "Nobody asks where it is.",
    ]
    assert complaints == []
    context.close()


def _check_that_it_fits(page: Page) -> None:
    wide = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert wide <= 0
    for button in page.locator("[data-list] button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44


def test_the_enter_key_saves(stack: Stack, browser: Browser) -> None:
    request_id = propose(stack, objective="Short.", tasks=TASKS)
    context = browser.new_context(**DESKTOP)
    sign_in(context, stack, OPERATOR)
    page = context.new_page()
    open_edit(page, stack, request_id)
    page.locator("[name='mission.title']").fill("Weekly export")
    page.keyboard.press("Enter")
    page.wait_for_url("**/change/")
    mission = mission_of(stack, page)
    assert mission["title"] == "Weekly export"
    assert [task["title"] for task in mission["tasks"]] == [
        task["title"] for task in TASKS
    ]
    context.close()
