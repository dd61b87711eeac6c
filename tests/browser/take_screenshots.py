"""Walk the main job against a fresh trial, and take the README's pictures of it.

    python -m tests.browser.take_screenshots [--folder docs/images]

Clones the repository into an empty folder, starts it by `make run`, and goes from a
typed idea to a Mission in English and French, at a desk and on a phone; then starts
it again with the write switch off. A step that fails ends it with that step's error.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tests.browser.support.devices import DESKTOP, LOCALES, PHONE
from tests.browser.support.trial import Trial, clone_into, run_trial
from tests.browser.support.visitor import Visitor
from tests.conftest import CHROMIUM_ARGUMENTS, CHROMIUM_NAMES
from tests.flows.api_client import IDEA, IDEE
from tests.support.stack import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

SWITCH = "DIALOGUE_INPROCESSTOOLS_WRITEENABLED"
IDEAS = {"en": IDEA, "fr": IDEE}
MORE_IDEAS = (
    "Il nous faut un rapport hebdomadaire des livraisons en retard pour les chefs "
    "d'entrepôt.",
    "Nous devrions envoyer un résumé mensuel des changements de droits à l'équipe "
    "sécurité.",
)
CHANGES = {"en": "Encrypt the export file.", "fr": "Ajoutez le nom du fournisseur."}
AGAIN = {
    "en": "Please propose it again with that change.",
    "fr": "Propose-le à nouveau avec ce changement.",
}
REFUSAL = "L'équipe sécurité a déjà ce résumé."
COLOURS = "256"


class Album:
    """Visitors of one trial, and the pictures of what they see."""

    def __init__(self, browser: Browser, trial: Trial, folder: Path) -> None:
        self.browser = browser
        self.trial = trial
        self.folder = folder

    @contextmanager
    def visitor(self, language: str, *, phone: bool = False) -> Iterator[Visitor]:
        """Somebody who has signed in, in a browser of their own."""
        # One pixel a point: the pictures are as wide as the screens.
        device = {**PHONE, "device_scale_factor": 1} if phone else DESKTOP
        context = self.browser.new_context(locale=LOCALES[language], **device)
        someone = Visitor(context, self.trial.base_url)
        yield someone.sign_in(self.trial.email, self.trial.password)
        assert not someone.complaints, someone.complaints
        assert not someone.foreign_requests, someone.foreign_requests
        context.close()

    def take(self, visitor: Visitor, name: str, at: str = "") -> None:
        """Take a picture of the window, with the element `at` near its top."""
        if at:
            visitor.page.locator(at).last.evaluate(
                "(one) => { const bar = innerWidth < 768 ? 130 : 150;"
                " window.scrollBy(0, one.getBoundingClientRect().top - bar); }"
            )
        visitor.page.wait_for_timeout(300)
        path = self.folder / f"{name}.png"
        visitor.page.screenshot(path=path, animations="disabled")
        _squeeze(path)


def walk_at_a_desk(album: Album, language: str) -> None:
    """Flow 2 to 4: idea, card, approval; then changes and a second revision."""
    with (
        album.visitor(language) as asker,
        album.visitor(language) as operator,
    ):
        if language == "en":
            # Only the very first look finds the list empty.
            album.take(asker, "en-start")
        asker.begin("Build")
        asker.say(IDEAS[language])
        asker.page.wait_for_selector("#live .msg__text")
        asker.wait_for_answer()
        request_id = asker.request_of(asker.card("awaiting_decision"))
        album.take(asker, f"{language}-card")
        asker.stay()
        operator.open_queue()
        album.take(operator, f"{language}-queue")
        operator.open_request(request_id)
        album.take(operator, f"{language}-decide")
        album.take(operator, f"{language}-picture", at=".flow-frame")
        operator.approve()
        approved = asker.card("approved").locator('a.btn[href*="/missions/"]')
        approved.wait_for()
        assert asker.has_stayed
        album.take(asker, f"{language}-approved", at=".proposal-card")
        asker.press(approved)
        asker.page.wait_for_selector("#tasks-title")
        album.take(asker, f"{language}-mission")
    with album.visitor(language) as asker, album.visitor(language) as operator:
        asker.begin("Build")
        asker.ask(IDEAS[language])
        first = asker.request_of(asker.card("awaiting_decision"))
        operator.open_request(first)
        operator.decide("Request changes", CHANGES[language])
        asker.card("changes_requested")
        asker.ask(AGAIN[language])
        second = asker.request_of(asker.card("awaiting_decision"))
        assert second != first
        album.take(asker, f"{language}-revision", at=".msg--notice")
        operator.open_request(second)
        operator.decide("Reject", REFUSAL)
        asker.card("rejected")


def walk_on_a_phone(album: Album) -> None:
    """Three proposals, decided in French with a thumb: yes, not yet, no."""
    ideas = (IDEAS["fr"], *MORE_IDEAS)
    with (
        album.visitor("fr", phone=True) as asker,
        album.visitor("fr", phone=True) as operator,
    ):
        waiting = []
        for idea in ideas:
            asker.page.goto(f"{album.trial.base_url}/")
            asker.begin("Build")
            asker.ask(idea)
            waiting.append(asker.request_of(asker.card("awaiting_decision")))
        operator.page.reload()
        operator.press(".menu--nav > summary")
        album.take(operator, "phone-menu")
        operator.press(".menu--nav > summary")
        operator.open_queue()
        album.take(operator, "phone-queue")
        yes, not_yet, no = waiting
        operator.open_request(yes)
        album.take(operator, "phone-effect")
        album.take(operator, "phone-content", at="#content-title")
        album.take(operator, "phone-picture", at=".flow-frame")
        album.take(operator, "phone-origin", at="#origin-title")
        operator.press("[data-approve] > summary")
        album.take(operator, "phone-confirm")
        operator.press("[data-approve] button")
        operator.page.wait_for_selector(".review-after--created a", timeout=30_000)
        album.take(operator, "phone-approved")
        operator.press(".review-next .review-btn")
        operator.page.wait_for_url(f"**/{not_yet}/**")
        operator.page.fill("#decision-note", CHANGES["fr"])
        album.take(operator, "phone-note", at="#origin-title")
        operator.decide("Request changes", CHANGES["fr"])
        album.take(operator, "phone-changes")
        operator.open_request(no)
        operator.decide("Reject", REFUSAL)
        album.take(operator, "phone-rejected")
        asker.card("rejected")
        album.take(asker, "phone-told", at=".msg--notice")


def walk_with_the_switch_off(album: Album, language: str) -> None:
    """Flow 5: the same words leave a suggestion, and the page says why."""
    with album.visitor(language) as asker:
        asker.begin("Build")
        asker.ask(IDEAS[language])
        asker.page.locator("#log .suggestion-card").wait_for()
        assert SWITCH in asker.page.inner_text("#log")
        album.take(asker, f"{language}-switch-off")


def _squeeze(path: Path) -> None:
    """Make a picture smaller with ImageMagick, where it is installed."""
    convert = shutil.which("convert")
    if convert:
        flat = ["-dither", "None", "-colors", COLOURS, "-strip", f"PNG8:{path}"]
        subprocess.run([convert, str(path), *flat], check=True)


def _chromium() -> str:
    paths = [path for name in CHROMIUM_NAMES if (path := shutil.which(name))]
    assert paths, "pictures need Chromium on the path"
    return paths[0]


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "images")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as empty, sync_playwright() as playwright:
        clone = clone_into(Path(empty) / "dialogue")
        browser = playwright.chromium.launch(
            executable_path=_chromium(), args=CHROMIUM_ARGUMENTS
        )
        with run_trial(clone) as trial:
            album = Album(browser, trial, folder)
            for language in LOCALES:
                walk_at_a_desk(album, language)
            walk_on_a_phone(album)
        with run_trial(clone, known=trial, **{SWITCH: "false"}) as closed:
            for language in LOCALES:
                walk_with_the_switch_off(Album(browser, closed, folder), language)
        browser.close()


if __name__ == "__main__":
    main()
