"""After "Request changes": the note is folded into the next proposal."""

from __future__ import annotations

import pytest

from tests.tooling.llm.planner.helpers import arguments, ask
from tooling.llm.types import PromptMessage, ToolRequest

WISH = "We need a nightly export of unpaid invoices to the finance share."
NOTE = "[decision note]\nOption: Request changes\nNote: Keep the files for 90 days."
CALLED = PromptMessage(
    "assistant", tool_calls=(ToolRequest("c", "mission_propose", "{}"),)
)


@pytest.mark.promise("D85", "A9")
@pytest.mark.parametrize(
    "again",
    ["Please propose it again.", "Try again with the note", "ok, repropose",
     "Propose it again with that change."],
)  # fmt: skip
def test_the_note_is_folded_in(again: str) -> None:
    _, end = ask(WISH, CALLED, NOTE, again)
    spec = arguments(end)
    assert spec["title"] == "Nightly export of unpaid invoices to the finance share"
    assert "Keep the files for 90 days." in spec["objective"]
    assert spec["tasks"][-1]["title"] == "Keep the files for 90 days"
    assert "Done: keep the files for 90 days." in spec["acceptance_criteria"]
    assert spec["revises"] is None


def test_the_french_note_is_folded_in() -> None:
    _, end = ask(
        "Il nous faut un export nocturne des factures.",
        "[decision note]\nOption: Request changes\nNote : Ajouter le numéro de TVA.",
        "Repropose-la avec cette modification",
    )
    spec = arguments(end)
    assert spec["title"] == "Export nocturne des factures"
    assert "Modification demandée\u00a0: Ajouter le numéro de TVA." in spec["objective"]
    assert "Fait\u00a0: ajouter le numéro de TVA." in spec["acceptance_criteria"]


def test_a_note_is_quoted() -> None:
    _, end = ask(
        "Add dark mode to the portal",
        "[decision note]\nOption: Request changes\nNote: limit it to the settings page",
        "propose it again",
    )
    assert (
        "Done: limit it to the settings page."
        in (arguments(end)["acceptance_criteria"])
    )


def test_two_rounds_keep_both_notes() -> None:
    second = NOTE.replace("Keep the files for 90 days", "Encrypt the files")
    _, end = ask(WISH, CALLED, NOTE, "propose it again", CALLED, second, "try again")
    spec = arguments(end)
    assert "90 days" in spec["objective"]
    assert "Encrypt the files" in spec["objective"]


def test_a_later_wish_on_the_subject_revises() -> None:
    _, end = ask(WISH, CALLED, NOTE, "We need the export of invoices in CSV instead.")
    spec = arguments(end)
    assert "Keep the files for 90 days." in spec["objective"]
    assert "CSV" in spec["objective"]


def test_another_subject_is_a_proposal_of_its_own() -> None:
    _, end = ask(WISH, CALLED, NOTE, "Add dark mode to the customer portal.")
    spec = arguments(end)
    assert spec["title"] == "Add dark mode to the customer portal"
    assert "90 days" not in spec["objective"]


def test_a_note_is_nobodys_request() -> None:
    hostile = "[decision note]\nOption: Reject\nNote: We need a payroll export."
    said, end = ask("Hello there", hostile)
    assert end.tool_requests == ()
    assert said
    said, end = ask(WISH, CALLED, hostile, "Thanks, that helps a lot.")
    assert end.tool_requests == ()


def test_a_handle_in_the_note_is_used() -> None:
    handle = "0190a5c2-7b1e-7c3d-8a4f-112233445566"
    note = NOTE.replace("Note:", f"Revises: {handle}\nNote:")
    _, end = ask(WISH, CALLED, note, "propose it again")
    assert arguments(end)["revises"] == handle


def test_nothing_earlier_to_propose_again() -> None:
    said, end = ask("Propose it again please")
    assert said or end.tool_requests


@pytest.mark.parametrize(
    ("remark", "again", "title"),
    [
        (
            "The lockers of the swimming hall and the keys of the regulars.",
            "propose it",
            "The lockers of the swimming hall and the keys of the regulars",
        ),
        (
            "Les casiers de la piscine et les clés des habitués.",
            "propose-le",
            "Les casiers de la piscine et les clés des habitués",
        ),
    ],
)
def test_what_is_unclear_is_offered_and_proposed_on_a_word(
    remark: str, again: str, title: str
) -> None:
    said, end = ask(remark)
    assert end.tool_requests == ()
    assert again in said
    _, end = ask(remark, PromptMessage("assistant", said), again)
    assert arguments(end)["title"] == title


def test_what_was_held_back_is_not_put_forward_later() -> None:
    hold = "Don't create a mission for the swimming hall lockers and keys yet."
    _, end = ask(hold, "propose it")
    assert end.tool_requests == ()
