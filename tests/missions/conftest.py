"""A team with its people, a conversation and a turn, as most tests here need."""

from __future__ import annotations

import pytest

from tests.missions.support import Scene, build_scene


@pytest.fixture
def scene(db: None) -> Scene:
    """A team, its people, a stranger, and a turn that is being answered."""
    return build_scene()
