"""The main job as people do it: from a typed idea to exactly one Mission.

Two windows, one of who asks and one of who decides, in both languages, on both
shapes, at a desk and on a phone. Nothing is fetched but what the pages fetch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.support.devices import DESKTOP, LOCALES, PHONE
from tests.browser.support.visitor import Visitor
from tests.flows.api_client import IDEA, IDEE, Caller, missions_of
from tests.support.people import MEMBER, OPERATOR, PASSWORD, STAFF, Person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import BrowserContext

    from tests.support.stack import Shape, Stack

    Arrive = Callable[..., Visitor]

IDEAS = {"en": IDEA, "fr": IDEE}
AGAIN = {
    "en": "Please propose it again with that change.",
    "fr": "Propose-le à nouveau avec ce changement.",
}
CHANGES = {"en": "Encrypt the export file.", "fr": "Chiffrez le fichier exporté."}
REFUSAL = "The share is being retired. / Le partage disparaît."
SWITCH = "DIALOGUE_INPROCESSTOOLS_WRITEENABLED"


@pytest.fixture
def arrive(new_context: Callable[..., BrowserContext]) -> Iterator[Arrive]:
    """`arrive(stack, person, language)`: who has signed in, in a browser of theirs.

    At the end no window may have complained, met a fault, or asked anybody else.
    """
    everybody: list[Visitor] = []

    def arrive(
        stack: Stack, person: Person, language: str = "en", phone: bool = False
    ) -> Visitor:
        device: dict[str, Any] = PHONE if phone else DESKTOP
        context = new_context(locale=LOCALES[language], **device)
        visitor = Visitor(context, stack.base_url)
        everybody.append(visitor)
        visitor.sign_in(person.email, PASSWORD)
        assert visitor.language == language
        return visitor

    yield arrive
    for visitor in everybody:
        assert visitor.complaints == []
        assert visitor.faults == []
        assert visitor.foreign_requests == []


def mission_in(stack: Stack, request_id: str) -> dict[str, Any]:
    """Return the Mission that a request proposes."""
    payload = Caller.of(stack, OPERATOR).request(request_id)["payload"]
    return dict(payload["mission"])


@pytest.mark.promise("D4", "D15", "D16", "D17", "D19", "D30", "D36", "D83", "N1")
@pytest.mark.case("A11", "A12")
@pytest.mark.parametrize(
    ("language", "phone"),
    [("en", False), ("fr", False), ("fr", True)],
    ids=["en", "fr", "fr-phone"],
)
def test_from_an_idea_to_one_mission(
    stack: Stack, arrive: Arrive, language: str, phone: bool
) -> None:
    asker = arrive(stack, MEMBER, language, phone)
    asker.begin("Build")
    steps = asker.ask(IDEAS[language])
    assert steps > 2, "the answer did not stream"
    card = asker.card("awaiting_decision")
    request_id = asker.request_of(card)
    asker.stay()

    operator = arrive(stack, OPERATOR, language, phone)
    operator.open_request(request_id)
    _everything_is_shown(operator, mission_in(stack, request_id), IDEAS[language])
    assert missions_of(stack, request_id) == 0
    operator.approve()

    turned = asker.card("approved")
    link = turned.locator('a.btn[href*="/missions/"]')
    link.wait_for()
    assert asker.request_of(turned) == request_id
    assert asker.has_stayed, "the page was loaded again"
    assert missions_of(stack, request_id) == 1

    asker.press(link)
    asker.page.wait_for_selector("#tasks-title")
    proposed = mission_in(stack, request_id)
    assert asker.page.locator("h1").inner_text() == proposed["title"]
    shown = asker.page.locator("main").inner_text()
    for text in [proposed["objective"], *proposed["acceptance_criteria"]]:
        assert text in shown


def _everything_is_shown(operator: Visitor, mission: dict[str, Any], idea: str) -> None:
    page = operator.page
    assert page.locator(".review-part--effect li").count() >= 5
    assert mission["title"] in page.locator(".review-effect").inner_text()
    specification = page.locator(".mission-detail").inner_text()
    tasks = [task["title"] for task in mission["tasks"]]
    for text in [mission["objective"], *tasks, *mission["acceptance_criteria"]]:
        assert text in specification
    picture = page.locator(".flow-frame svg")
    box = picture.bounding_box()
    assert box is not None
    assert box["width"] > 100
    assert box["height"] > 100
    assert idea in page.locator(".review-quote").first.inner_text()
    assert page.locator('a.review-link[href*="/c/"]').is_visible()
    choices = page.locator(".review-bar .review-btn:visible")
    assert choices.count() == 3
    fits = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert fits, "the page is wider than its window"


@pytest.mark.promise("D85", "D86", "A9")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_note_reaches_the_conversation_and_a_linked_revision_follows(
    stack: Stack, arrive: Arrive, language: str
) -> None:
    asker = arrive(stack, MEMBER, language)
    operator = arrive(stack, OPERATOR, language)
    asker.begin("Planning")
    asker.ask(IDEAS[language])
    first = asker.request_of(asker.card("awaiting_decision"))
    changes = CHANGES[language]
    _decide_beside(operator, asker, first, "Request changes", changes)
    assert changes in asker.card("changes_requested").inner_text()

    asker.ask(AGAIN[language])
    second = asker.request_of(asker.card("awaiting_decision"))
    rows = [Caller.of(stack, OPERATOR).request(each) for each in (first, second)]
    assert [row["revision"] for row in rows] == [1, 2]
    assert rows[0]["proposal_id"] == rows[1]["proposal_id"]
    operator.open_request(second)
    history = operator.page.locator(".review-history > li")
    assert history.count() == 2
    assert any(changes in text for text in history.all_inner_texts())

    _decide_beside(operator, asker, second, "Reject", REFUSAL)
    assert REFUSAL in asker.card("rejected").inner_text()
    assert missions_of(stack, first) == missions_of(stack, second) == 0


def _decide_beside(
    operator: Visitor, asker: Visitor, request_id: str, option: str, note: str
) -> None:
    """Decide in one window, and read of it in the other without loading it again."""
    asker.stay()
    operator.open_request(request_id)
    operator.decide(option, note)
    asker.wait_for_note(note)
    assert asker.has_stayed


@pytest.mark.promise("D85")
def test_a_missing_note_is_asked_for_where_it_can_be_seen(
    stack: Stack, arrive: Arrive
) -> None:
    asker = arrive(stack, MEMBER, "fr", phone=True)
    operator = arrive(stack, OPERATOR, "fr", phone=True)
    asker.begin("Build")
    asker.ask(IDEE)
    request_id = asker.request_of(asker.card("awaiting_decision"))
    operator.open_request(request_id)
    operator.press('.review-bar button[value="Request changes"]')
    note = operator.page.locator("#decision-note:focus")
    note.wait_for()
    asked = note.evaluate("(note) => note.validationMessage")
    assert asked == note.get_attribute("data-missing")
    assert "note" in asked
    operator.page.wait_for_timeout(500)
    field, bar = (
        note.bounding_box(),
        operator.page.locator(".review-bar").bounding_box(),
    )
    assert field is not None
    assert bar is not None
    assert field["y"] > 0
    assert field["y"] + field["height"] <= bar["y"]
    operator.decide("Request changes", CHANGES["fr"])
    asker.wait_for_note(CHANGES["fr"])


@pytest.mark.promise("D29", "D43")
@pytest.mark.shape("embedded", reason="the switch is read in one place for both")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_with_the_switch_off_an_idea_is_kept_and_the_page_says_why(
    shape: Shape, make_stack: Callable[..., Stack], arrive: Arrive, language: str
) -> None:
    stack = make_stack(shape, **{SWITCH: "false"})
    asker = arrive(stack, MEMBER, language)
    asker.begin("Build")
    asker.ask(IDEAS[language])
    suggestion = asker.page.locator("#log .suggestion-card")
    suggestion.wait_for()
    assert SWITCH in suggestion.inner_text()
    assert asker.page.locator(".proposal-card").count() == 0
    assert stack.count("decisions_attentionrequest") == 0
    assert stack.count("missions_workflowdraft") == 0
    assert stack.count("missions_missionsuggestionrecord") == 1
    asker.tap_section("/suggestions/")
    row = asker.page.locator("main article")
    assert IDEAS[language] in row.inner_text()
    assert SWITCH in row.inner_text()


@pytest.mark.promise("D83", "N1")
@pytest.mark.lesson("H-05")
def test_no_default_form_is_reachable(stack: Stack, arrive: Arrive) -> None:
    staff = arrive(stack, STAFF)
    staff.page.goto(f"{stack.base_url}/admin/")
    links = staff.page.locator(".module tbody th a")
    names = {str(each.get_attribute("href")) for each in links.all()}
    lists = [name for name in names if name.count("/") == 4]
    assert any("attentionrequest" in name for name in lists)
    assert any("/mission/" in name for name in lists)
    client = stack.client(STAFF)
    key = "00000000-0000-4000-8000-000000000000"
    for address in lists:
        for rest in ("add/", f"{key}/delete/"):
            assert client.get(address + rest).status_code in (403, 404), address
            assert client.post(address + rest).status_code in (403, 404), address
        staff.page.goto(stack.base_url + address)
        for form in (".addlink", "select[name=action]", "button[name=_save]"):
            assert staff.page.locator(form).count() == 0, f"{address} has {form}"
        first = staff.page.locator("#result_list th a").first
        if first.count():
            first.click()
            staff.page.wait_for_load_state()
            changed = "main [name=_save], #content [name=_save], .deletelink"
            assert staff.page.locator(changed).count() == 0, staff.page.url


@pytest.mark.promise("D76")
def test_the_language_is_switched_on_any_page(stack: Stack, arrive: Arrive) -> None:
    operator = arrive(stack, OPERATOR, "en")
    try:
        operator.open_queue()
        assert "Decisions" in operator.page.locator("h1").inner_text()
        operator.choose_language("fr")
        assert operator.page.url.rstrip("/").endswith("attentionrequest")
        assert "décisions" in operator.page.locator("h1").inner_text()
        operator.choose_language("en")
    finally:
        # Other tests meet this person as somebody who has chosen nothing.
        stack.sql("UPDATE tooling_user SET language = ''")


@pytest.mark.promise("D76", "D83")
def test_the_main_job_needs_no_mouse(stack: Stack, arrive: Arrive) -> None:
    asker = arrive(stack, MEMBER)
    asker.tab_to('main a[href$="/c/new"]')
    asker.page.keyboard.press("Enter")
    asker.page.wait_for_selector("#new-text")
    asker.tab_to("input[type=radio][name=track]")
    for _row in range(4):
        if asker.page.locator("input[type=radio][value=Build]").is_checked():
            break
        asker.page.keyboard.press("ArrowDown")
    assert asker.page.locator("input[type=radio][value=Build]").is_checked()
    asker.tab_to("#new-text")
    asker.page.keyboard.type(IDEA)
    asker.tab_to("main form.card button.btn--primary")
    asker.page.keyboard.press("Enter")
    asker.page.wait_for_selector("#composer-text:focus")
    asker.wait_for_answer()
    request_id = asker.request_of(asker.card("awaiting_decision"))
    asker.stay()

    operator = arrive(stack, OPERATOR)
    operator.tab_to('header a[href*="/attentionrequest/"]')
    operator.page.keyboard.press("Enter")
    operator.page.wait_for_selector("#result_list")
    operator.tab_to(f'#result_list a[href*="{request_id}"]')
    operator.page.keyboard.press("Enter")
    operator.page.wait_for_selector("article.review")
    operator.tab_to("[data-approve] > summary")
    operator.page.keyboard.press("Enter")
    operator.tab_to("[data-approve] button")
    operator.page.keyboard.press("Enter")
    operator.page.wait_for_selector(".review-part--outcome")

    asker.card("approved").locator('a.btn[href*="/missions/"]').wait_for()
    assert asker.has_stayed
    asker.tab_to('.proposal-card a.btn[href*="/missions/"]', backwards=True)
    asker.page.keyboard.press("Enter")
    asker.page.wait_for_selector("#tasks-title")
    assert missions_of(stack, request_id) == 1
