"""The intent judge on the shared cases, on odd texts and on large ones."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tooling.intent import Intent, IntentLabel, judge_intent

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases.jsonl").read_text().splitlines()
]


@pytest.mark.promise("A3")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_each_shared_case_has_its_label_and_tools(case: dict[str, Any]) -> None:
    verdict = judge_intent(case["text"], pending=case["pending"])
    assert verdict.label == case["label"]
    assert verdict.tools == frozenset(case["tools"])


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
    ],
)
def test_single_messages(text: str, label: str) -> None:
    assert judge_intent(text).label == label


def test_a_verdict_is_a_value() -> None:
    assert judge_intent("Add dark mode") == judge_intent("Add dark mode")
    assert Intent(IntentLabel.OTHER) == Intent(IntentLabel.OTHER, frozenset(), None)


@pytest.mark.parametrize(
    "piece",
    ["[", "a@", "a ", "\n", "'", "need ", "a'a", "> ", "- ", ", and ", "«", "it is "],
)
def test_a_megabyte_of_anything_is_judged_in_a_second(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    started = time.perf_counter()
    judge_intent(text)
    assert time.perf_counter() - started < 1.0


def test_a_message_is_judged_in_two_milliseconds() -> None:
    for case in CASES:
        judge_intent(case["text"])
    started = time.perf_counter()
    for case in CASES:
        judge_intent(case["text"])
    assert (time.perf_counter() - started) / len(CASES) < 0.002
