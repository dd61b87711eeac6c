"""A team with its people, a conversation and a turn, as most tests here need."""

from __future__ import annotations

import pytest

from decisions.models import AttentionRequest
from tests.decisions.support import choose
from tests.missions.support import Scene, build_scene, propose


@pytest.fixture
def scene(db: None) -> Scene:
    """A team, its people, a stranger, and a turn that is being answered."""
    return build_scene()


@pytest.fixture
def approved(scene: Scene) -> AttentionRequest:
    """An approved proposal that nothing has followed yet."""
    request = propose(scene).request
    choose(request, scene.operator)
    request.refresh_from_db()
    return request
