from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.missions.support import NOW, Scene, build_scene, propose
from tooling.models import Features, ModelCall
from tooling.registry import find_tool

if TYPE_CHECKING:
    from django.conf import LazySettings

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return build_scene()


def run(scene: Scene, name: str) -> dict[str, Any]:
    tool = find_tool(name)
    assert tool is not None
    data = tool.run(context=scene.context, arguments=tool.arguments()).data
    assert json.loads(json.dumps(data)) == data, "plain JSON"
    return data


def add_cost(scene: Scene, *, here: bool, nano_usd: int | None) -> None:
    ModelCall.objects.create(
        tenant=scene.tenant,
        conversation_id=scene.conversation.pk if here else None,
        call_site="Dialogue:GeneralDialogue",
        preset="main",
        backend="openai",
        model="m",
        outcome="done",
        fresh_tokens=10,
        output_tokens=5,
        cost_nano_usd=nano_usd,
        price_version="unpriced" if nano_usd is None else "v1",
        started_at=NOW,
    )


@pytest.mark.promise("D32", "D44")
def test_costs_are_summed_here_and_for_the_team(scene: Scene) -> None:
    add_cost(scene, here=True, nano_usd=1_500_000_000)
    add_cost(scene, here=True, nano_usd=None)
    add_cost(scene, here=False, nano_usd=250)
    add_cost(build_scene("globex"), here=True, nano_usd=9_000_000_000)
    summary = run(scene, "cost_summary")
    assert summary["conversation"] == {
        "usd": "1.5",
        "calls": 2,
        "unpriced_calls": 1,
        "input_tokens": 20,
        "output_tokens": 10,
    }
    assert (summary["team"]["usd"], summary["team"]["calls"]) == ("1.50000025", 3)


@pytest.mark.promise("D43", "D44")
@pytest.mark.parametrize("switch", [True, False])
def test_status_tells_switches_model_and_what_waits(
    scene: Scene, settings: LazySettings, switch: bool
) -> None:
    settings.WRITE_TOOLS_SERVED = switch
    Features.objects.create(tenant=scene.tenant, write_tools=True)
    propose(scene)
    propose(build_scene("globex"))
    assert run(scene, "system_status") == {
        "proposing": "on" if switch else "off",
        "write_tools": "on" if switch else "off",
        "model": "planner",
        "waiting": {"decisions_open": 1, "missions_ready": 0, "suggestions_open": 0},
    }
