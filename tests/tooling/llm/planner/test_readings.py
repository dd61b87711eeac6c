"""Single rules of reading, each on a sentence of its own."""

from __future__ import annotations

import pytest

from tests.tooling.llm.planner.helpers import arguments, ask
from tooling.intent import IntentLabel, judge_intent


def tasks(text: str) -> list[str]:
    """Return the titles of the tasks that come of a message."""
    _, end = ask(text)
    return [task["title"] for task in arguments(end)["tasks"]]


def criteria(text: str) -> list[str]:
    """Return the acceptance criteria that come of a message."""
    _, end = ask(text)
    found = arguments(end)["acceptance_criteria"]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(
    ("text", "criterion"),
    [
        (
            "Warn the owner 14, 7 and 2 days before the deadline.",
            "Done: warn the owner 14, 7 and 2 days before the deadline.",
        ),
        (
            "As a guard I want to see which parcels are late for the noon tour.",
            "As a guard I can see which parcels are late for the noon tour.",
        ),
        (
            "We'd like the desk to get a text when a guest waits.",
            "The desk should get a text when a guest waits.",
        ),
        (
            "It would be nice if members could renew a card online.",
            "Members can renew a card online.",
        ),
        (
            "We need access to the archive.",
            "In place: access to the archive.",
        ),
        (
            "No refund above 50 pounds may be paid without a receipt.",
            "No refund above 50 pounds may be paid without a receipt.",
        ),
        (
            "Ajoutez un filtre pour trier toutes les offres par ville.",
            "Fait\u00a0: ajoutez un filtre pour trier toutes les offres par ville.",
        ),
        (
            "J'aimerais que le menu parte le vendredi.",
            "Que le menu parte le vendredi.",
        ),
        (
            "En tant que magasinier je veux voir les retards.",
            "En tant que magasinier je peux voir les retards.",
        ),
        (
            "Les remises doivent être validées par la directrice.",
            "Les remises doivent être validées par la directrice.",
        ),
        (
            "Il faut un import des tarifs. En cas d'échec, prévenir Marc.",
            "En place\u00a0: un import des tarifs.",
        ),
    ],
)
def test_how_a_sentence_asks_sets_its_criterion(text: str, criterion: str) -> None:
    assert criteria(text)[0] == criterion


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "As a clerk at the desk of the night shift I want to print the labels.",
            "Print the labels",
        ),
        (
            "En tant que magasinier je veux imprimer les étiquettes.",
            "Imprimer les étiquettes",
        ),
        # "en" and "si" begin these words; they are no words of their own here.
        (
            "Encadrer les remises, avec une limite par vendeur.",
            "Encadrer les remises",
        ),
        (
            "Add a search box, because nobody finds the forms.",
            "Add a search box",
        ),
        (
            "Le formulaire de demande de prêt n'indique pas le taux. Il faudrait"
            " afficher le taux à côté du montant.",
            "Afficher le taux à côté du montant",
        ),
        (
            "Our buyer, Mr Chen, needs a list of late orders.",
            "Our buyer, Mr Chen, needs a list of late orders",
        ),
        (
            "We want to be able to triage parcels by weight.",
            "Triage parcels by weight",
        ),
    ],
)
def test_a_title_is_the_ask_without_its_reason(text: str, title: str) -> None:
    _, end = ask(text)
    assert arguments(end)["title"] == title


def test_a_long_title_shows_that_it_was_cut() -> None:
    wish = "Add a page that lists " + ", ".join(f"column number {n}" for n in range(20))
    _, end = ask(wish)
    title = arguments(end)["title"]
    assert title.endswith("…")
    assert len(title) <= 120


def test_a_condition_without_a_comma_is_no_question() -> None:
    wish = "When a parcel weighs over 30 kg it should need a second driver."
    assert judge_intent(wish).label is IntentLabel.FEATURE_REQUEST
    for question in ("When is it due", "When do you think it should be done"):
        assert judge_intent(question).label is IntentLabel.QUESTION


def test_a_heading_names_its_list() -> None:
    wish = (
        "Wishes for the loan desk\n\n"
        "- Scan the card\n- Refuse cards of minors\n- Renew by mail"
    )
    _, end = ask(wish)
    assert arguments(end)["title"] == "Wishes for the loan desk"
    assert tasks(wish) == ["Scan the card", "Refuse cards of minors", "Renew by mail"]


def test_a_short_message_loses_no_sentence() -> None:
    _, end = ask(
        "Add a waiting list to the course page. Guests stay out. Late comers are told"
        " where they stand."
    )
    assert "Late comers are told where they stand." in arguments(end)["objective"]


def test_an_order_with_a_pronoun_brings_the_sentence_before_it() -> None:
    _, end = ask("The drivers lose their signatures. Keep them on the phone.")
    task = arguments(end)["tasks"][0]
    assert task["title"] == "Keep them on the phone"
    assert task["detail"].startswith("The drivers lose their signatures.")


def test_orders_with_an_object_each_are_tasks_of_their_own() -> None:
    assert tasks("Stamp the file, and send the copy to the court clerk.") == [
        "Stamp the file",
        "Send the copy to the court clerk",
    ]
    assert len(tasks("Stamp the file and send it to the court clerk.")) == 1


def test_details_after_a_colon_are_no_work_of_their_own() -> None:
    assert len(tasks("Mask the customer fields in the log: names, phones.")) == 1
    assert len(tasks("Il faut un circuit de signature : chef, puis direction.")) == 1


def test_a_comma_in_brackets_separates_nothing() -> None:
    wish = "We need:\n- dark mode\n- after the close (Friday, 18:00) no orders"
    assert "(Friday, 18:00)" in tasks(wish)[1]


@pytest.mark.parametrize(
    "text",
    ["The stock page takes 40 minutes to load.", "La page stock prend 40 minutes."],
)
def test_any_number_of_minutes_is_a_complaint(text: str) -> None:
    assert judge_intent(text).label is IntentLabel.FEATURE_REQUEST


@pytest.mark.parametrize(
    "text",
    ["Approve it.", "ok, approve the proposal", "Execute it", "Rejette-la", "Oui"],
)
def test_who_asks_for_a_decision_hears_who_decides(text: str) -> None:
    said, end = ask(text)
    assert end.tool_requests == ()
    assert "Decisions page" in said or "page des décisions" in said
