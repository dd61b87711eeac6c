"""A team with its people, a conversation, and an open request."""

from __future__ import annotations

import pytest

from decisions.models import AttentionRequest
from tests.decisions.support import raised
from tests.missions.support import Scene, build_scene, person
from tooling.policy import Principal


@pytest.fixture
def scene(db: None) -> Scene:
    """A team, its people, a stranger, and a turn that is being answered."""
    return build_scene()


@pytest.fixture
def second(scene: Scene) -> Principal:
    """Another operator of the team."""
    return person(scene.tenant, "sol", "operator")


@pytest.fixture
def request_(scene: Scene) -> AttentionRequest:
    """An open proposal of the scene's turn."""
    return raised(scene)
