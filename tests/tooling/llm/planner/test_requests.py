"""Over a hundred varied requests: each becomes a proposal in the person's words."""

from __future__ import annotations

import pytest

from tests.tooling.llm.planner.helpers import (
    REQUESTS,
    arguments,
    ask,
    assert_shape,
    unquoted,
)
from tooling.intent import IntentLabel, judge_intent


def test_there_are_enough_requests_in_both_languages() -> None:
    from tooling.llm.planner.language import detect_language

    french = [text for text in REQUESTS if detect_language(text) == "fr"]
    assert len(REQUESTS) >= 100
    assert len(french) >= 45


@pytest.mark.promise("D14")
@pytest.mark.parametrize("text", [r for r in REQUESTS if r != "SSO"])
def test_a_request_is_proposed_in_the_persons_words(text: str) -> None:
    # An order to create a Mission is more than a wish: the planner may obey it.
    wishes = {IntentLabel.FEATURE_REQUEST, IntentLabel.EXECUTION_COMMAND}
    assert judge_intent(text).label in wishes
    _, end = ask(text)
    assert 1 <= len(end.tool_requests) <= 3
    for index in range(len(end.tool_requests)):
        spec = arguments(end, index)
        assert_shape(spec)
        assert spec["acceptance_criteria"]
        assert spec["revises"] is None
        assert unquoted(text, spec) == []


def test_the_english_example() -> None:
    _, end = ask(
        "We need a nightly export of unpaid invoices to the finance share, with an"
        " alert"
        " when it fails."
    )
    spec = arguments(end)
    assert spec["title"] == "Nightly export of unpaid invoices to the finance share"
    assert [task["title"] for task in spec["tasks"]] == [
        "Set up a nightly export of unpaid invoices to the finance share",
        "Set up an alert when it fails",
    ]
    assert spec["acceptance_criteria"] == [
        "In place: a nightly export of unpaid invoices to the finance share, with an"
        " alert when it fails."
    ]
    assert [step["after"] for step in spec["plan"]["steps"]] == [
        [],
        [],
        ["task-1", "task-2"],
    ]


def test_the_french_example() -> None:
    _, end = ask(
        "Il nous faut un export nocturne des factures impayées vers le partage de la"
        " finance, avec une alerte en cas d'échec."
    )
    spec = arguments(end)
    assert spec["title"] == (
        "Export nocturne des factures impayées vers le partage de la finance"
    )
    assert [task["title"] for task in spec["tasks"]] == [
        "Mettre en place un export nocturne des factures impayées vers le partage de la"
        " finance",
        "Mettre en place une alerte en cas d'échec",
    ]
    assert spec["acceptance_criteria"] == [
        "En place\u00a0: un export nocturne des factures impayées vers le partage de la"
        " finance, avec une alerte en cas d'échec."
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hi all, could you please add dark mode? Thanks!", "Add dark mode"),
        ("Ajoute un mode sombre au portail.", "Ajoute un mode sombre au portail"),
        (
            "It would be great if managers got a weekly digest of overdue approvals.",
            "It would be great if managers got a weekly digest of overdue approvals",
        ),
        (
            "The search is too slow, make it answer in under 200 ms.",
            "The search is too slow, make it answer in under 200 ms",
        ),
        (
            "La recherche est trop lente, il faut qu'elle réponde en moins de 200 ms.",
            "La recherche est trop lente, il faut qu'elle réponde en moins de 200 ms",
        ),
        (
            "Create a mission called 'Migrate billing to the new gateway'.",
            "Migrate billing to the new gateway",
        ),
        ("creer une mission pour migrer les sauvegardes", "Migrer les sauvegardes"),
        (
            "The search never finds a policy. It should cope with typos.",
            "The search never finds a policy – it should cope with typos",
        ),
    ],
)
def test_titles(text: str, title: str) -> None:
    _, end = ask(text)
    assert arguments(end)["title"] == title


def test_one_task_has_no_plan() -> None:
    _, end = ask("Add dark mode to the customer portal.")
    assert arguments(end)["plan"] is None


@pytest.mark.promise("A14")
def test_unrelated_numbered_wishes_become_up_to_three_proposals() -> None:
    wishes = "1. Add CSV import\n2. Rotate the signing keys\n3. Translate the manual"
    _, end = ask(wishes)
    assert [arguments(end, i)["title"] for i in range(3)] == [
        "Add CSV import",
        "Rotate the signing keys",
        "Translate the manual",
    ]
    assert len({call.id for call in end.tool_requests}) == 3
    _, end = ask(wishes + "\n4. Block logins after five attempts")
    assert len(end.tool_requests) == 1
    assert len(arguments(end)["tasks"]) == 4


def test_a_list_under_one_heading_is_one_proposal() -> None:
    _, end = ask("For the portal, we need:\n- dark mode\n- an audit log of sign-ins")
    assert len(end.tool_requests) == 1
    assert arguments(end)["title"] == "For the portal: dark mode, audit log of sign-ins"


def test_a_long_letter_keeps_its_request() -> None:
    filler = "The weather in the north was mild and the trains ran on time. " * 75
    text = f"{filler}\n\nWe need a monthly report of idle servers for operations."
    assert len(text) > 4_500
    _, end = ask(text)
    spec = arguments(end)
    assert_shape(spec)
    assert spec["title"] == "Monthly report of idle servers for operations"
