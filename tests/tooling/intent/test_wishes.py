"""Real requests are wishes; what only sounds like one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tooling.llm.planner.sixty import SEEN, read_requests
from tooling.intent import judge_intent

REQUESTS = Path(__file__).parents[1] / "llm" / "planner" / "requests.txt"


@pytest.mark.parametrize("path", SEEN, ids=lambda path: path.stem)
def test_every_request_that_was_collected_is_a_wish(path: Path) -> None:
    requests = read_requests(path)
    missed = [
        one.number
        for one in requests
        if judge_intent(one.text).label != "feature_request"
    ]
    assert len(requests) == 60
    assert missed == []


def test_every_short_request_is_a_wish() -> None:
    blocks = REQUESTS.read_text(encoding="utf-8").split("====")
    # These order a row of the system by name, so they are commands.
    blocks = [b for b in blocks if "Create a mission to move" not in b]
    missed = [b for b in blocks if judge_intent(b.strip()).label != "feature_request"]
    assert len(blocks) > 50
    assert missed == []


@pytest.mark.parametrize(
    "text",
    [
        "I don't want guests to see the prices",
        "Please don't let people book twice",
        "No refund above 50 may be paid without a receipt",
        "Whoever cancels late must be told what it costs",
        "I'd rather the system asked me before merging two records",
        "Nice to have: a search box",
        "Never send two invoices for the same order.",
        "We don't want the export to run at night",
        "Ne jamais envoyer de SMS le dimanche",
        "Il ne faut plus que les clients attendent",
        "Je ne veux plus que les clients voient les prix",
    ],
)
def test_what_must_not_be_is_a_wish(text: str) -> None:
    assert judge_intent(text).label == "feature_request"


@pytest.mark.parametrize(
    "text",
    [
        "don't create anything",
        "ne propose rien pour l'instant",
        "I don't want a mission for that",
        "Je ne veux pas de mission",
        "Don't worry about it",
        "I don't need anything",
        "I'd rather not",
        "approve it",
        "yes",
        "Execute it",
        "Exécute-la maintenant",
        "thanks",
        "hello",
        "**",
        "# Title",
        "<b>hi</b>",
        '{"wish": 1}',
        "The weather is fine",
    ],
)
def test_what_asks_for_nothing_is_no_wish(text: str) -> None:
    assert judge_intent(text).label == "other"
