"""The machine's own Chromium is driven, and reaches nothing but this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.stub import StubProvider


@pytest.mark.browser_context_args(locale="fr-FR")
def test_chromium_opens_a_page_in_a_person_s_language(
    page: Page, stub_provider: StubProvider
) -> None:
    page.goto(f"{stub_provider.origin}/health")
    assert page.evaluate("navigator.language") == "fr-FR"
    assert "ok" in page.inner_text("body")
