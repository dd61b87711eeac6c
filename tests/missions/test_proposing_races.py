"""Proposals that are raised at the same time, with real transactions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from decisions.models import AttentionRequest
from decisions.services.raising import NotRevisable
from missions.models import WorkflowDraft
from missions.services.proposing import UnknownRevision
from tests.missions.support import SOUND_PLAN, build_scene, propose, settle

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 6


def at_once(act: Callable[[int], object]) -> list[object]:
    """Run an act in several threads at once; return results and refusals."""
    barrier = Barrier(AT_ONCE)

    def run(number: int) -> object:
        barrier.wait()
        try:
            return act(number)
        except (NotRevisable, UnknownRevision) as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(run, range(AT_ONCE)))


@pytest.mark.promise("D16", "D74")
@pytest.mark.lesson("H-23")
def test_one_proposal_raised_at_once_is_one_row() -> None:
    scene = build_scene()
    found = at_once(lambda _number: propose(scene, plan=SOUND_PLAN).request.pk)
    assert set(found) == {AttentionRequest.objects.get().pk}
    assert WorkflowDraft.objects.count() == 1


@pytest.mark.promise("A9")
@pytest.mark.lesson("H-13")
def test_one_request_gets_one_revision() -> None:
    scene = build_scene()
    first = settle(propose(scene).request, "Request changes", scene.operator)
    found = at_once(
        lambda number: propose(scene, title=f"Revision {number}", revises=first.pk)
    )
    refused = [each for each in found if isinstance(each, Exception)]
    assert len(refused) == AT_ONCE - 1
    assert AttentionRequest.objects.filter(revises=first).count() == 1
    assert WorkflowDraft.objects.count() == 2
