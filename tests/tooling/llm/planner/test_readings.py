"""Single rules of reading, each on a sentence of its own."""

from __future__ import annotations

import pytest

from tests.tooling.llm.planner.helpers import arguments, ask
from tooling.intent import IntentLabel, judge_intent


@pytest.mark.parametrize(
    ("text", "criterion"),
    [
        (
            "Warn the owner 14, 7 and 2 days before the deadline.",
            "The owner is warned 14, 7 and 2 days before the deadline.",
        ),
        (
            "As a guard I want to see which parcels are late for the noon tour.",
            "We can see which parcels are late for the noon tour.",
        ),
        (
            "Keep the current spelling.",
            "The current spelling is kept.",
        ),
        (
            "We need a report of idle servers, with a warning at 90 percent.",
            "The warning is sent at 90 percent.",
        ),
        (
            "Build a page where members can renew a card online.",
            "A page where members can renew a card online is built.",
        ),
        (
            "Ajoutez un filtre pour trier toutes les offres par ville.",
            "Un filtre pour trier toutes les offres par ville est ajouté.",
        ),
        (
            "Archiver les commandes livrées aux agences.",
            "Les commandes livrées aux agences sont archivées.",
        ),
        (
            "Signaler tout retard supérieur à 10 minutes.",
            "Tout retard supérieur à 10 minutes est signalé.",
        ),
        (
            "Il faut un import des tarifs. En cas d'échec, prévenir Marc.",
            "En cas d'échec de l'import, Marc est prévenu.",
        ),
    ],
)
def test_a_criterion_keeps_the_order_of_words(text: str, criterion: str) -> None:
    _, end = ask(text)
    assert criterion in arguments(end)["acceptance_criteria"]


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
            "Signons les contrats en ligne : une seule étape, sans papier.",
            "Signer les contrats en ligne",
        ),
        (
            "Le formulaire de demande de prêt n'indique pas le taux. Il faudrait"
            " afficher le taux.",
            "Afficher le taux",
        ),
        (
            "Our buyer, Mr Chen, needs a list of late orders.",
            "List of late orders for our buyer, Mr Chen",
        ),
        (
            "We want to be able to triage parcels by weight.",
            "Triage parcels by weight",
        ),
    ],
)
def test_a_title_names_the_thing_alone(text: str, title: str) -> None:
    _, end = ask(text)
    assert arguments(end)["title"] == title


def test_a_condition_without_a_comma_is_no_question() -> None:
    wish = "When a parcel weighs over 30 kg it should need a second driver."
    assert judge_intent(wish).label is IntentLabel.FEATURE_REQUEST
    for question in ("When is it due", "When do you think it should be done"):
        assert judge_intent(question).label is IntentLabel.QUESTION


def test_a_heading_names_its_list() -> None:
    _, end = ask(
        "Wishes for the loan desk\n\n"
        "- Scan the card\n- Refuse cards of minors\n- Renew by mail"
    )
    spec = arguments(end)
    titles = [task["title"] for task in spec["tasks"]]
    assert titles == ["Scan the card", "Refuse cards of minors", "Renew by mail"]


def test_a_short_message_loses_no_sentence() -> None:
    _, end = ask(
        "Add a waiting list to the course page. Guests stay out. Late comers are told"
        " where they stand."
    )
    assert "Late comers are told where they stand." in arguments(end)["objective"]


def test_details_after_a_colon_are_no_work_of_their_own() -> None:
    _, end = ask("Mask the customer fields in the log: names, phones, cards.")
    assert len(arguments(end)["tasks"]) == 1


def test_a_first_order_is_kept_though_its_verb_is_unknown() -> None:
    _, end = ask("Tamponner le dossier, envoyer une copie au greffe.")
    titles = [task["title"] for task in arguments(end)["tasks"]]
    assert titles == ["Tamponner le dossier", "Envoyer une copie au greffe"]


def test_a_comma_in_brackets_separates_nothing() -> None:
    _, end = ask("We need:\n- dark mode\n- after the close (Friday, 18:00) no orders")
    spec = arguments(end)
    assert "(Friday, 18:00)" in spec["tasks"][1]["title"]


def test_steps_after_a_colon_are_one_thing() -> None:
    _, end = ask("Il faut un circuit de signature : chef, puis direction.")
    assert len(arguments(end)["tasks"]) == 1


@pytest.mark.parametrize(
    "text",
    ["The stock page takes 40 minutes to load.", "La page stock prend 40 minutes."],
)
def test_any_number_of_minutes_is_a_complaint(text: str) -> None:
    assert judge_intent(text).label is IntentLabel.FEATURE_REQUEST


def test_to_let_somebody_act_takes_no_passive() -> None:
    _, end = ask("Il faudrait laisser la comptable valider.")
    assert arguments(end)["acceptance_criteria"] == [
        "L'objectif est atteint : laisser la comptable valider."
    ]
