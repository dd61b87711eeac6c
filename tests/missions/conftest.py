"""A team with its people, a conversation and a turn, as most tests here need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from decisions.models import AttentionRequest
from tests.decisions.support import choose
from tests.missions.support import Scene, build_scene, propose
from tooling.models import Features

if TYPE_CHECKING:
    from django.conf import LazySettings


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


@pytest.fixture
def writing(scene: Scene, settings: LazySettings) -> Scene:
    """The scene with every gate open but the person's own request."""
    settings.WRITE_TOOLS_SERVED = True
    settings.WRITES_PER_TURN = 100
    Features.objects.update_or_create(
        tenant=scene.tenant, defaults={"write_tools": True}
    )
    return scene
