"""What holds for every order of the grammar, in every dress."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tooling.intent import IntentLabel, judge_intent

COMMAND = IntentLabel.EXECUTION_COMMAND
Tools = tuple[str, ...]
MISSION: Tools = ("mission_create",)
TASK: Tools = ("task_create", "mission_add_task")
NAMES = ("Harbour", "Winter sale", "Move to Lyon", "Phase 2", "Reprise d'activité")
EN_ACTS = ("create", "open", "add", "log", "raise", "record")
EN_ROWS: tuple[tuple[str, Tools], ...] = (
    ("a mission", MISSION),
    ("a new mission", MISSION),
    ("a task", TASK),
    ("another task", TASK),
    ("a decision", ("decision_create",)),
    ("a decision request", ("decision_create",)),
)
EN_BEFORE = (
    "",
    "please ",
    "Hi, please ",
    "can you ",
    "could you please ",
    "now ",
    "I want you to ",
    "go ahead and ",
    "Thanks! ",
    "ok, ",
    "kindly ",
)
EN_AFTER = (' for "{}"', ": {}", ' called "{}"', " about the {}")
FR_ACTS = ("crée", "ouvre", "ajoute", "enregistre", "créer", "ajoutez")
FR_ROWS: tuple[tuple[str, Tools], ...] = (
    ("une mission", MISSION),
    ("une nouvelle mission", MISSION),
    ("une tâche", TASK),
    ("une autre tâche", TASK),
    ("une décision", ("decision_create",)),
    ("une demande de décision", ("decision_create",)),
)
FR_BEFORE = ("", "Bonjour, ", "Vas-y, ", "Merci pour hier ! ", "maintenant ", "stp, ")
FR_ASKED = ("peux-tu ", "pourriez-vous ", "merci de ", "veuillez ", "Bonjour, peux-tu ")
FR_AFTER = (" pour « {} »", " : {}", " intitulée « {} »")
EN_CHANGES: tuple[tuple[str, Tools], ...] = (
    ('rename the mission "{}" to "B"', ("mission_update",)),
    ('mark task "{}" as blocked', ("task_update",)),
    ('set the priority of mission "{}" to high', ("mission_update",)),
    ('assign the task "{}" to Ada', ("task_update",)),
    ('update the workflow draft: put "{}" first', ("workflow_draft_update",)),
    ('record a suggestion: "{}"', ("suggestion_create",)),
)
FR_CHANGES: tuple[tuple[str, Tools], ...] = (
    ("renomme la mission « {} » en « B »", ("mission_update",)),
    ("passe la tâche « {} » en bloquée", ("task_update",)),
    (
        "mets à jour le brouillon de workflow : « {} » d'abord",
        ("workflow_draft_update",),
    ),
    ("note une suggestion : « {} »", ("suggestion_create",)),
)


@st.composite
def orders(draw: st.DrawFn) -> tuple[str, frozenset[str]]:
    """Draw an order and the tools it is for."""
    name = draw(st.sampled_from(NAMES))
    if draw(st.booleans()):
        before = draw(st.sampled_from(EN_BEFORE))
        if draw(st.booleans()):
            form, tools = draw(st.sampled_from(EN_CHANGES))
            return before + form.format(name), frozenset(tools)
        act, (row, tools) = (
            draw(st.sampled_from(EN_ACTS)),
            draw(st.sampled_from(EN_ROWS)),
        )
        after = draw(st.sampled_from(EN_AFTER)).format(name)
        return f"{before}{act} {row}{after}", frozenset(tools)
    if draw(st.booleans()):
        before = draw(st.sampled_from(FR_BEFORE))
        form, tools = draw(st.sampled_from(FR_CHANGES))
        return before + form.format(name), frozenset(tools)
    infinitive = draw(st.booleans())
    before = draw(st.sampled_from(FR_ASKED if infinitive else FR_BEFORE))
    act = draw(st.sampled_from(("créer", "ajouter") if infinitive else FR_ACTS))
    row, tools = draw(st.sampled_from(FR_ROWS))
    after = draw(st.sampled_from(FR_AFTER)).format(name)
    return f"{before}{act} {row}{after}", frozenset(tools)


def plain(text: str) -> str:
    """Return `text` without its accents."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(c for c in parts if not unicodedata.combining(c))


@pytest.mark.promise("A3")
@given(order=orders())
@settings(max_examples=400)
def test_every_order_is_a_command_for_its_tools(
    order: tuple[str, frozenset[str]],
) -> None:
    text, tools = order
    verdict = judge_intent(text)
    assert verdict.label is COMMAND
    assert verdict.tools == tools
    assert verdict.span is not None
    start, end = verdict.span
    assert 0 <= start < end <= len(text)


DRESSES = (
    str.upper,
    str.lower,
    plain,
    lambda t: t + " 👍",
    lambda t: t + " 🎉🎉",
    lambda t: "  \n " + t + " \n\n",
    lambda t: t + ".",
)


@given(order=orders(), dress=st.sampled_from(DRESSES))
@settings(max_examples=400)
def test_case_accents_emoji_and_blanks_do_not_change_the_label(
    order: tuple[str, frozenset[str]], dress: object
) -> None:
    assert callable(dress)
    text, tools = order
    verdict = judge_intent(dress(text))
    assert (verdict.label, verdict.tools) == (COMMAND, tools)


WRAPPINGS = (
    "> {}",
    "```\n{}\n```",
    "~~~\n{}\n~~~",
    'He wrote: "{}"',
    "She said: {}",
    "Paul a écrit : « {} »",
    "Paul a dit : {}",
    "The mail reads:\n{}",
    "Look:\n> {}\nOdd.",
    "-----Original Message-----\n{}",
    "“{}”",
    "System: {}",
    "If Paul agrees, {}",
    "Si Paul est d'accord, {}",
    "Suppose I said: {}",
    "Imagine : {}",
    "{} lol",
    "{} — just kidding",
    "{}, but not now",
    "{}. No.",
    "Translate: {}",
    "{} 🙄",
    "{}. Never mind.",
    "{}. Laisse tomber.",
    'We got this: "Hello.\n\n{}\n\nThanks"',
)


@pytest.mark.promise("A3")
@given(order=orders(), wrapping=st.sampled_from(WRAPPINGS))
@settings(max_examples=600)
def test_words_of_others_and_doubtful_ones_are_no_command(
    order: tuple[str, frozenset[str]], wrapping: str
) -> None:
    # A condition holds for its own sentence, so the order must stand in it.
    text = order[0].replace("! ", ", ")
    verdict = judge_intent(wrapping.format(text), pending="mission_create")
    assert verdict.label is not COMMAND
    assert verdict.tools == frozenset()


NEGATIONS = (
    "Don't {} {}",
    "Do not {} {}",
    "Please never {} {}",
    "No need to {} {}",
    "You should not {} {}",
    "I don't want you to {} {}",
    "I didn't {} {}",
    "Why would I {} {}?",
    "How do I {} {}?",
    "Yesterday you wanted to {} {}",
    "We will {} {}",
    "Someone might {} {}",
    "Did you {} {}?",
)
FR_NEGATIONS = (
    "Ne {} pas {}",
    "Surtout ne {} pas {}",
    "Il ne faut pas {} {}",
    "Pas besoin de {} {}",
    "Je ne veux pas {} {}",
    "Comment {} {} ?",
    "On va {} {}",
    "Évite de {} {}",
    "Il voulait {} {}",
)


@pytest.mark.promise("A3")
@given(data=st.data())
@settings(max_examples=400)
def test_negated_asked_past_and_future_orders_are_no_command(
    data: st.DataObject,
) -> None:
    if data.draw(st.booleans()):
        form = data.draw(st.sampled_from(NEGATIONS))
        act, rows = data.draw(st.sampled_from(EN_ACTS)), EN_ROWS
    else:
        form = data.draw(st.sampled_from(FR_NEGATIONS))
        act, rows = data.draw(st.sampled_from(("créer", "ajouter", "crée"))), FR_ROWS
    text = form.format(act, data.draw(st.sampled_from(rows))[0])
    verdict = judge_intent(text, pending="mission_create")
    assert verdict.label is not COMMAND


@given(text=st.text(max_size=400), pending=st.sampled_from((None, "task_create")))
def test_any_text_has_a_verdict_within_itself(text: str, pending: str | None) -> None:
    verdict = judge_intent(text, pending=pending)
    if verdict.span is not None:
        start, end = verdict.span
        assert 0 <= start <= end <= len(text)
    assert bool(verdict.tools) is (verdict.label is COMMAND)
