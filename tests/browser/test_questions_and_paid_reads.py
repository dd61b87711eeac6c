"""The page of a question, and the screen of paid reads, in a real browser."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from tests.browser.chatting import sign_in
from tests.support.people import MEMBER, OPERATOR, STAFF

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

    from tests.support.people import Person
    from tests.support.stack import Stack

pytestmark = pytest.mark.shape(
    "embedded",
    reason="forms without live parts; the services run on both shapes elsewhere",
)

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
LONGEST = "Keep it where it is, and ask the finance team again next quarter, in May"


def ask(stack: Stack) -> str:
    """Ask a question as a member; return its id."""
    body = {
        "title": f"Where does the export go? {uuid.uuid4()}",
        "question": "The finance share is full.\nWhere shall the file go instead?",
        "options": ["The archive share", "A new bucket", LONGEST],
    }
    answer = stack.api(MEMBER).post(f"t/{MEMBER.tenant}/questions", json=body)
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["id"]
    return found


def open_page(
    browser: Browser,
    stack: Stack,
    who: Person,
    path: str,
    *,
    view: ViewportSize,
    scripts: bool = True,
) -> Page:
    context = browser.new_context(viewport=view, java_script_enabled=scripts)
    sign_in(context, stack, who)
    page = context.new_page()
    page.goto(f"{stack.base_url}{path}")
    return page


def fits(page: Page) -> bool:
    """Tell whether nothing of a page lies beyond its right edge."""
    width: int = page.evaluate("document.documentElement.scrollWidth")
    assert page.viewport_size is not None
    return width <= page.viewport_size["width"]


@pytest.mark.promise("D76", "D85")
@pytest.mark.parametrize("view", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_question_is_answered_with_its_own_buttons(
    stack: Stack, browser: Browser, view: ViewportSize, scripts: bool
) -> None:
    request_id = ask(stack)
    path = f"/admin/decisions/attentionrequest/{request_id}/change/"
    page = open_page(browser, stack, OPERATOR, path, view=view, scripts=scripts)
    assert fits(page)
    buttons = page.locator(".review-bar .review-btn")
    assert buttons.all_inner_texts() == [
        "The archive share",
        "A new bucket",
        LONGEST,
    ]
    for button in buttons.all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= view["width"]
    page.locator("#decision-note").fill("In Paris.")
    page.locator("button[value='A new bucket']").click()
    page.wait_for_selector(".review-part--outcome")
    shown = page.locator("article").inner_text()
    assert "A new bucket" in shown
    assert "In Paris." in shown
    page.context.close()


@pytest.mark.promise("D47", "A18", "L2")
@pytest.mark.parametrize("view", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_staff_open_all_reads_and_hold_them_back(
    stack: Stack, browser: Browser, view: ViewportSize, scripts: bool
) -> None:
    path = "/settings/paid-reads/"
    page = open_page(browser, stack, STAFF, path, view=view, scripts=scripts)
    assert fits(page)
    boxes = page.locator("input[name=released][type=checkbox]")
    assert boxes.count() == 3
    for tick, words in (("all", "use from now on"), ("none", "use any more")):
        page.locator(f"a[href='?tick={tick}']").click()
        assert all(box.is_checked() == (tick == "all") for box in boxes.all())
        page.locator("form.card button").click()
        assert words in page.locator("main").inner_text()
        assert fits(page)
        page.locator("button[name=confirmed]").click()
        page.wait_for_selector("a[href='?tick=all']")
        assert all(box.is_checked() == (tick == "all") for box in boxes.all())
    page.context.close()


@pytest.mark.promise("D47", "A18")
def test_the_keyboard_alone_opens_a_read(stack: Stack, browser: Browser) -> None:
    page = open_page(browser, stack, STAFF, "/settings/paid-reads/", view=DESK)
    first = page.locator("input[name=released][type=checkbox]").first
    first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_selector("button[name=confirmed]")
    page.locator("a", has_text="Cancel").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("a[href='?tick=all']")
    assert not page.locator("input[name=released][type=checkbox]").first.is_checked()
    page.context.close()
