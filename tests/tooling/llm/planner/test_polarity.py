"""Nothing that the planner derives says the contrary of what it was derived from."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tooling.llm.planner.helpers import arguments, ask, words
from tooling.intent import IntentLabel, judge_intent
from tooling.llm.planner.drafting import build_specifications

NO = re.compile(
    r"\b(?:not|never|no|nobody|nothing|without|except|unless|only|cannot|but)\b|n't\b"
    r"|\b(?:pas|plus|jamais|rien|aucune?|personne|ni|sans|sauf|seule?s?)\b",
    re.IGNORECASE,
)
NEGATED = {
    "en": [
        "Nobody but the bursar and the head should be able to see the {}.",
        "Nobody except the treasurer may change the {}.",
        "Guests must never see the {}.",
        "The {} should not be accepted without a comment.",
        "We need the {} to be visible to members, not to guests.",
        "Make sure nobody can edit the {}.",
        "We want every visitor to see the {} without typing an address.",
        "Show the {} only to members, never to guests.",
        "Any {} that doesn't match goes to a list for Priya.",
        "Guests don't need the {}.",
        "The clerks cannot open the {} of another town.",
        "A visitor who has not paid should get no {}.",
    ],
    "fr": [
        "Les vendeurs ne doivent pas pouvoir modifier {}.",
        "Personne ne doit voir {}, sauf la comptable.",
        "Il faut que les stagiaires ne puissent pas supprimer {}.",
        "Je souhaite que {} soit visible par tous, sans le nom du demandeur.",
        "J'ai besoin de clôturer {} même si un stagiaire n'a pas signé.",
        "Il ne faut jamais envoyer {} aux clients.",
        "Les visiteurs ne voient ni {} ni le prix.",
        "Bloquer {} après le 12 juin, sauf pour le proviseur adjoint.",
        "Aucun visiteur ne doit ouvrir {}.",
        "Seul le directeur peut modifier {}.",
    ],
}
THINGS = {
    "en": ["price", "member list", "late fee", "record of the van", "shift plan"],
    "fr": ["la fiche", "le prix", "le dossier du patient", "la liste des gardes"],
}
CONDITIONAL = {
    "en": [
        "{} show a message.",
        "{} call the deputy and keep the ticket open.",
        "{} the guard should get a text.",
    ],
    "fr": [
        "{} affichez un message.",
        "{} prévenez le gardien et gardez le dossier ouvert.",
        "{} le gardien doit recevoir un appel.",
    ],
}
CONDITIONS = {
    "en": [
        "If she doesn't pick up within 5 minutes,",
        "When the fridge goes above 8 degrees for ten minutes,",
        "Unless the owner has agreed in writing,",
        "If the label can't be printed twice,",
    ],
    "fr": [
        "Si le client n'a pas répondu sous 3 jours,",
        "Quand un adhérent ne renouvelle pas sa cotisation,",
        "Dès qu'un colis dépasse 30 kilos,",
        "Si personne ne décroche avant minuit,",
    ],
}


def derived(text: str, language: str) -> list[str]:
    """Return the tasks and criteria that come of a message."""
    lines: list[str] = []
    for spec in build_specifications(text, language):
        lines += [task.title for task in spec.tasks] + spec.criteria
    return lines


def _sentences(patterns: dict[str, list[str]], fillings: dict[str, list[str]]):  # type: ignore[no-untyped-def]
    return st.sampled_from(["en", "fr"]).flatmap(
        lambda code: st.tuples(
            st.just(code),
            st.sampled_from(patterns[code]),
            st.sampled_from(fillings[code]),
        ).map(lambda three: (three[0], three[1].format(three[2])))
    )


@pytest.mark.promise("D14")
@settings(max_examples=120, deadline=None, derandomize=True)
@given(_sentences(NEGATED, THINGS))
def test_a_negation_stays_in_every_line(request_: tuple[str, str]) -> None:
    language, text = request_
    lines = derived(text, language)
    assert lines
    for line in lines:
        assert NO.search(line), line


@pytest.mark.promise("D14")
@settings(max_examples=60, deadline=None, derandomize=True)
@given(_sentences(CONDITIONAL, CONDITIONS))
def test_a_condition_keeps_its_words_in_one_line(request_: tuple[str, str]) -> None:
    language, text = request_
    condition = set(words(text.partition(",")[0]))
    lines = derived(text, language)
    assert any(condition <= set(words(line)) for line in lines), lines


@pytest.mark.parametrize(
    ("text", "criterion"),
    [
        (
            "The printer page does not load.",
            "Dealt with: the printer page does not load.",
        ),
        ("L'export ne marche plus.", "Traité\u00a0: l'export ne marche plus."),
    ],
)
def test_a_complaint_is_never_the_thing_to_reach(text: str, criterion: str) -> None:
    _, end = ask(text)
    assert arguments(end)["acceptance_criteria"] == [criterion]


def test_what_is_not_to_be_done_is_no_task() -> None:
    _, end = ask(
        "Ajouter un tarif réduit à la facture. Il n'est pas question de recalculer les"
        " factures déjà envoyées."
    )
    spec = arguments(end)
    assert [t["title"] for t in spec["tasks"]] == [
        "Ajouter un tarif réduit à la facture"
    ]
    assert (
        "Il n'est pas question de recalculer les factures déjà envoyées."
        in spec["acceptance_criteria"]
    )


def test_a_rule_in_the_present_becomes_a_criterion_as_it_stands() -> None:
    rule = "Anything left over goes to a list for Priya."
    _, end = ask(f"Import the parcels each morning. {rule} Last year we sorted them.")
    assert rule in arguments(end)["acceptance_criteria"]
    assert len(arguments(end)["tasks"]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Every Monday the kitchen needs a list of the lunches booked per class.",
        "After 3 failed attempts lock the account for an hour.",
        "Tint the rows of late loans red.",
        "Nobody except the treasurer may change the bank details.",
        "The teacher gets a notification when a pupil is absent.",
        "We agreed that the keys are handed back on Sunday.",
        "Could a cleaner report a broken lamp from her phone?",
        "Comment faire pour que les parents reçoivent le menu le vendredi ?",
        "Teinter en rouge les lignes en retard.",
        "Les photos sont minuscules. Agrandissez-les et classez-les.",
        "Plus de ticket papier à l'accueil, svp.",
        "Le mail de rappel part trop tard.",
    ],
)
def test_a_plain_request_is_proposed(text: str) -> None:
    assert judge_intent(text).label is IntentLabel.FEATURE_REQUEST
    _, end = ask(text)
    spec = arguments(end)
    assert spec["tasks"]
    assert spec["acceptance_criteria"]
