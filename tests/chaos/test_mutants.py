"""A fault that is planted is noticed: the suite can fail where it matters."""

from __future__ import annotations

import pytest

from tests.chaos.mutants.catalogue import MUTANTS, Mutant
from tests.chaos.mutants.harness import Copy

TIMEOUT = 280
pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(600),
    pytest.mark.shape(
        "embedded", reason="the copies have a database of their own, the embedded one"
    ),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy of the project; a fault is in it for one test at a time."""
    return Copy.of_project(tmp_path_factory.mktemp("mutants") / "project")


def test_without_a_fault_the_chosen_tests_pass(copy: Copy) -> None:
    chosen = sorted({test for mutant in MUTANTS for test in mutant.tests})
    outcome = copy.run(chosen, timeout=2 * TIMEOUT)
    assert outcome.passed, outcome.output


@pytest.mark.promise("D55", "D83", "A12")
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_fault_is_noticed(copy: Copy, mutant: Mutant) -> None:
    with copy.planted(mutant):
        outcome = copy.run(mutant.tests, timeout=TIMEOUT)
    assert outcome.noticed, f"{mutant.name} went unnoticed:\n{outcome.output}"
