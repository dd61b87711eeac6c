"""The decision page in a real browser: read all, then two steps, then once."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.chatting import sign_in
from tests.support.people import MEMBER, OPERATOR, SECOND_OPERATOR, Person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request, ViewportSize

    from tests.support.stack import Stack

TAIL = "budget: 999999"
PHONE: ViewportSize = {"width": 390, "height": 844}


def propose(stack: Stack, **changes: Any) -> str:
    """Raise a proposal as a member; return the id of its request."""
    body = {
        "title": f"Nightly export {uuid.uuid4()}",
        "objective": "Every unpaid invoice reaches the share. " * 40 + TAIL,
        "tasks": [{"title": "Write the export"}],
        "acceptance_criteria": ["The file is there at six."],
        **changes,
    }
    answer = stack.api(MEMBER).post(f"t/{MEMBER.tenant}/proposals", json=body)
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["request_id"]
    return found


def state_of(stack: Stack, request_id: str) -> tuple[str, str]:
    """Return state and choice of a request."""
    address = f"t/{OPERATOR.tenant}/decisions/{request_id}"
    read = stack.api(OPERATOR).get(address).json()
    return read["state"], read["resolved_option"]


def open_page(
    context: BrowserContext, stack: Stack, request_id: str, who: Person = OPERATOR
) -> Page:
    """Open the decision page of a request as one of its operators."""
    sign_in(context, stack, who)
    page = context.new_page()
    page.goto(f"{stack.base_url}/admin/decisions/attentionrequest/{request_id}/change/")
    return page


@pytest.mark.lesson("H-21", "H-25")
@pytest.mark.case("A17")
def test_approving_waits_until_all_was_read_and_takes_two_steps(
    stack: Stack, context: BrowserContext
) -> None:
    request_id = propose(stack)
    page = open_page(context, stack, request_id)
    summary = page.locator("[data-approve] > summary")
    final = page.locator("[data-approve] button")
    assert summary.get_attribute("aria-disabled") == "true"
    summary.click()
    assert final.is_hidden()
    page.locator(".review-fold:visible").first.click()
    assert TAIL in page.locator(".mission-detail").inner_text()
    assert summary.get_attribute("aria-disabled") == "false"
    summary.click()
    final.click()
    page.wait_for_selector(".review-part--outcome")
    assert state_of(stack, request_id) == ("resolved", "Approve and create")
    # The page follows by itself until the Mission is there.
    page.wait_for_selector(".review-after--created a", timeout=30_000)


@pytest.mark.lesson("H-25")
def test_no_key_decides(stack: Stack, context: BrowserContext) -> None:
    request_id = propose(stack, objective="Short.")
    page = open_page(context, stack, request_id)
    assert page.evaluate("document.activeElement === document.body")
    for key in ("Enter", "Space", "1", "2", "3", "a", "y", "Control+Enter"):
        page.keyboard.press(key)
    page.locator("#decision-note").click()
    page.keyboard.type("1 y\n")
    page.keyboard.press("Control+Enter")
    # One step of two: opened, and nothing more.
    page.locator("[data-approve] > summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("[data-approve] button").is_visible()
    assert state_of(stack, request_id) == ("open", "")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".review-part--outcome")
    assert state_of(stack, request_id) == ("resolved", "Approve and create")


@pytest.mark.case("A20")
def test_a_second_click_sends_nothing(stack: Stack, context: BrowserContext) -> None:
    request_id = propose(stack, objective="Short.")
    page = open_page(context, stack, request_id)
    posts: list[str] = []

    def count(sent: Request) -> None:
        if sent.method == "POST":
            posts.append(sent.url)

    page.on("request", count)
    page.locator("button", has_text="Reject").dblclick()
    page.wait_for_selector(".review-part--outcome")
    assert len(posts) == 1
    assert state_of(stack, request_id) == ("resolved", "Reject")


@pytest.mark.promise("D85")
def test_request_changes_asks_for_its_note(
    stack: Stack, context: BrowserContext
) -> None:
    request_id = propose(stack, objective="Short.")
    page = open_page(context, stack, request_id)
    page.locator("button[value='Request changes']").click()
    assert state_of(stack, request_id) == ("open", "")
    page.locator("#decision-note").fill("Weekly is enough.")
    page.locator("button[value='Request changes']").click()
    page.wait_for_selector(".review-part--outcome")
    assert "Weekly is enough." in page.locator("article").inner_text()
    assert state_of(stack, request_id) == ("resolved", "Request changes")


@pytest.mark.lesson("H-02", "H-24")
def test_an_open_page_hears_that_somebody_was_faster(
    stack: Stack, context: BrowserContext
) -> None:
    request_id = propose(stack, objective="Short.")
    page = open_page(context, stack, request_id)
    page.locator("#decision-note").fill("My own words.")
    address = f"t/{OPERATOR.tenant}/decisions/{request_id}"
    second = stack.api(SECOND_OPERATOR)
    read = second.get(address)
    answer = second.post(
        f"{address}/decision",
        json={"option": "Reject"},
        headers={"If-Match": read.headers["ETag"]},
    )
    assert answer.status_code == 200, answer.text
    page.wait_for_selector("[data-moved]:visible", timeout=10_000)
    assert page.locator("#decision-note").input_value() == "My own words."
    # Who decides all the same is told, and the words are kept.
    page.locator("[data-approve] > summary").click()
    page.locator("[data-approve] button").click()
    page.wait_for_selector(".review-part--outcome")
    shown = page.locator("article").inner_text()
    assert "second@acme.test" in shown
    assert "My own words." in shown
    assert state_of(stack, request_id) == ("resolved", "Reject")


@pytest.mark.promise("D76")
@pytest.mark.parametrize("scripts", [True, False])
def test_a_phone_has_one_column_and_needs_no_script(
    stack: Stack, browser: Browser, scripts: bool
) -> None:
    request_id = propose(stack)
    context = browser.new_context(viewport=PHONE, java_script_enabled=scripts)
    page = open_page(context, stack, request_id)
    bar = page.locator(".review-bar").bounding_box()
    assert bar is not None
    assert bar["y"] + bar["height"] <= PHONE["height"] + 1
    for button in page.locator(".review-bar .review-btn:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= PHONE["width"]
    if not scripts:
        # Unfolded as a whole, and approved in two steps all the same.
        assert TAIL in page.locator(".mission-detail").inner_text()
        page.locator("[data-approve] > summary").click()
        page.locator("[data-approve] button").click()
        page.wait_for_selector(".review-part--outcome")
        assert state_of(stack, request_id) == ("resolved", "Approve and create")
    context.close()
