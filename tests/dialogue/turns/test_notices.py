"""How a notice reaches the model: marked, plain, once."""

from __future__ import annotations

import pytest

from dialogue.models import ConversationMessage, MessageRole
from dialogue.turns.prompt import notice_text


def notice(kind: str, text: str, **facts: object) -> ConversationMessage:
    """Return a notice as decisions and missions write it."""
    data = {"kind": kind, "cards": [], "facts": facts}
    return ConversationMessage(role=MessageRole.NOTICE, text=text, data=data)


@pytest.mark.promise("D85")
@pytest.mark.case("A10")
def test_a_decision_reaches_the_model_with_its_note_as_it_was_written() -> None:
    note = 'no "budget" line; use <b>'
    read = notice_text(
        notice(
            "decision",
            "Decision on “Export” by Ana: Request changes. Note: …",
            title="Export",
            revision=1,
            option="Request changes",
            note=note,
        )
    )
    assert read.splitlines() == [
        "[decision note]",
        "On: Export (revision 1)",
        "Option: Request changes",
        f"Note: {note}",
    ]


def test_other_notices_are_told_in_their_own_words() -> None:
    read = notice_text(notice("mission", "The Mission “Export” was created."))
    assert read == "[notice]\nThe Mission “Export” was created."
