"""Sixty requests that the planner was not tuned to become proposals."""

from __future__ import annotations

import json

import pytest

from missions.tools import ProposeArguments
from tests.tooling.llm.planner import sixty
from tests.tooling.llm.planner.helpers import everything, words
from tests.tooling.llm.planner.sixty import Written

SIXTY = sixty.read_requests()
# All that a proposal may hold beside the person's words, each in its own language.
GLUE = {
    "en": frozenset(
        """a an the is are in place set up add make sure have let get no longer run runs
        every day night week month produced sent available use used can need for with
        and they we can""".split()
    ),
    "fr": frozenset(
        """un une des le la les l de d est sont mettre en place prevoir permettre faire
        sorte que qu au aux chaque jour semaine mois besoin objectif atteint disponible
        disponibles parvient paraissent parait tourne alimente comporte peuvent peut
        utiliser pour soit etre envoyee""".split()
    ),
}
# "keep" and "kept" share too little to be told by their beginnings.
IRREGULAR = {"kept": "keep", "mise": "mettre", "vues": "voir"}


def common(first: str, second: str) -> bool:
    """Say whether two words are forms of one: they differ at the end alone."""
    pairs = enumerate(zip(first, second, strict=False))
    shared = next((i for i, (a, b) in pairs if a != b), min(len(first), len(second)))
    return shared >= 3 and shared >= 0.6 * min(len(first), len(second))


def foreign(request: Written, written: str) -> set[str]:
    """Return the words of a proposal that the person did not give."""
    known = set(words(request.text)) | GLUE[request.language]
    return {
        word
        for word in words(written)
        if word not in known
        and IRREGULAR.get(word) not in known
        and not any(common(word, own) for own in known)
    }


@pytest.mark.promise("D14")
def test_thirty_requests_in_each_language() -> None:
    assert [one.language for one in SIXTY] == ["en"] * 30 + ["fr"] * 30
    assert len({one.text for one in SIXTY}) == 60


@pytest.mark.promise("D14")
@pytest.mark.parametrize("request_", SIXTY, ids=lambda one: f"{one.number}")
def test_each_becomes_a_proposal_in_the_persons_words(request_: Written) -> None:
    found = sixty.proposals(request_)
    assert found
    for arguments in found:
        checked = ProposeArguments.model_validate_json(json.dumps(arguments))
        assert checked.tasks
        assert checked.acceptance_criteria
        assert foreign(request_, everything({**arguments, "plan": None})) == set()


def test_a_foreign_word_is_noticed() -> None:
    assert foreign(SIXTY[0], "Add a dashboard with blockchain") == {"blockchain"}
    assert foreign(SIXTY[30], "Set up une fiche") == {"set", "up"}
    assert common("synchronise", "synchronised")
    assert not common("report", "repair")


def test_the_page_is_up_to_date() -> None:
    page = sixty.PAGE.read_text(encoding="utf-8")
    assert sixty.render(sixty.judged_part(page)) == page
    assert "poor" in sixty.judged_part(page)
