"""Single readings of the judge, and what it promises of its parts."""

from __future__ import annotations

import pytest

from tooling.intent import Intent, IntentLabel, judge_intent
from tooling.intent.judge import label_sentence, read_sentences
from tooling.intent.words import is_slip

COMMAND = IntentLabel.EXECUTION_COMMAND


@pytest.mark.promise("A3")
@pytest.mark.parametrize(
    "text",
    [
        "> Please build a dashboard for churn.\nFunny, isn't that what we said.",
        "```\nAdd dark mode to the portal\n```",
        "They forwarded me this.\n-----Original Message-----\nAdd dark mode please.",
        'The ticket says "we need an export of all salaries". Strange.',
        "Le stagiaire a écrit « il nous faut un export des salaires ».",
        "Don't propose anything yet. We need to talk first.",
        "Ne crée rien pour l'instant, il nous faut encore réfléchir.",
    ],
)
def test_the_words_of_others_and_negations_ask_for_nothing(text: str) -> None:
    assert judge_intent(text).label is not IntentLabel.FEATURE_REQUEST


def test_the_span_is_the_sentence_that_decided() -> None:
    text = "Hello all. We need a nightly backup of the wiki. Thanks!"
    verdict = judge_intent(text)
    assert verdict.label is IntentLabel.FEATURE_REQUEST
    assert verdict.span is not None
    assert text[slice(*verdict.span)] == "We need a nightly backup of the wiki."


@pytest.mark.promise("A3")
def test_the_span_of_a_command_is_the_order() -> None:
    text = "Thanks. Now please create a mission for the attic."
    verdict = judge_intent(text)
    assert verdict.span is not None
    assert text[slice(*verdict.span)] == "create a mission for the attic"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("", "other"),
        ("   \n ", "other"),
        ("?", "question"),
        ("Which decisions wait for me?", "question"),
        ("Approve it for me please", "other"),
        ("pouvez vous ajouter un export CSV", "feature_request"),
        ("When a payment fails, notify the customer.", "feature_request"),
        ("Quand un paiement échoue, prévenez le client.", "feature_request"),
        ("I don't want guests to see the prices", "feature_request"),
        ("Il ne faut plus que les prix soient visibles.", "feature_request"),
        ("Don't worry about it.", "other"),
        ("Ne t'inquiète pas.", "other"),
        ("Open the mission", "question"),
        ("Publish the draft", "other"),
    ],
)
def test_single_messages(text: str, label: str) -> None:
    assert judge_intent(text).label == label


@pytest.mark.promise("A3", "D53")
@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("Create a mission for the attic and add a task for Ann.", "mct"),
        ("Create a mission for the attic. Don't add any task.", "m"),
        ("Create a mission to log in and add a task list", "m"),
        ("Create a mission to check whether the roof leaks.", "m"),
        ("Create a task to tell us when the roof leaks.", "t"),
        ("I need a task for the roof. Please create it.", "t"),
        ("If possible, create a mission for the roof.", "m"),
    ],
)
def test_an_order_authorises_what_it_names(text: str, tools: str) -> None:
    meant = {"m": {"mission_create"}, "c": set(), "t": {"task_create"}}
    found = judge_intent(text).tools - {"mission_add_task"}
    assert found == set().union(*(meant[letter] for letter in tools))


@pytest.mark.promise("A3", "D56")
@pytest.mark.parametrize(
    "text",
    [
        "Create a mission dashboard.",
        "Add a task to the calendar.",
        "Create a workflow for invoices.",
        "Rename missions to projects everywhere.",
        "Users open the page, create a mission and wait.",
        "Steps: create a mission, add a task, wait.",
        "1. Open the page\n2. Create a mission\n3. Wait",
        "Create mission fails with error 500.",
        "Créer une mission prend du temps.",
        "Open the decision",
        "My manager wants you to create a mission.",
        "Create a task every Monday.",
        "Create a mission tomorrow.",
        "Create a mission, Paul said.",
        "Create a mission for the attic, or not?",
    ],
)
def test_what_looks_like_an_order_and_is_none(text: str) -> None:
    assert judge_intent(text).label is not COMMAND


@pytest.mark.promise("A3")
def test_an_assent_authorises_the_surfaced_tool_alone() -> None:
    assert judge_intent("Yes, do it.", pending="task_update").tools == {"task_update"}
    assert judge_intent("Yes, do it.").label is IntentLabel.OTHER
    for hedged in ("Yes, but later.", "Yes?", "> Yes", '"Yes"', "Yes and no.", "Non."):
        assert judge_intent(hedged, pending="task_update").label is not COMMAND
    # A verb that settles has no tool, whatever was put before the person.
    assert judge_intent("Yes.", pending="mission_approve").label is IntentLabel.OTHER


@pytest.mark.promise("A3")
def test_an_explicit_order_is_not_an_assent_to_another() -> None:
    verdict = judge_intent("Yes, create a mission.", pending="task_create")
    assert verdict.tools == {"mission_create"}


def test_sentences_carry_their_labels_and_places() -> None:
    text = "Hi all. Add dark mode. Create a task for Ann. Don't create a mission."
    readings = read_sentences(text)
    assert [(one.label.value, one.veto) for one in readings] == [
        ("other", False),
        ("feature_request", False),
        ("execution_command", False),
        ("other", True),
    ]
    for one in readings:
        assert text[one.sentence.start : one.sentence.end] == one.sentence.text
    assert label_sentence("Create a task for Ann.") == (COMMAND, False)


@pytest.mark.parametrize(
    ("typed", "meant", "expected"),
    [
        ("taks", "task", True),
        ("misson", "mission", True),
        ("misssion", "mission", True),
        ("desicion", "decision", True),
        ("tasks", "task", False),
        ("created", "create", False),
        ("tank", "task", False),
        ("add", "and", False),
    ],
)
def test_slips_of_one_letter(typed: str, meant: str, expected: bool) -> None:
    assert is_slip(typed, meant) is expected


def test_a_verdict_is_a_value() -> None:
    assert judge_intent("Add dark mode") == judge_intent("Add dark mode")
    assert Intent(IntentLabel.OTHER) == Intent(IntentLabel.OTHER, frozenset(), None)
