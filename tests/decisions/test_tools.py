from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from decisions.models import Resolution
from tests.missions.support import (
    NOW,
    Scene,
    build_scene,
    key_of,
    propose,
    settle,
)
from tooling.errors import NotFound
from tooling.registry import find_tool

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return build_scene()


def run(scene: Scene, name: str, **arguments: Any) -> dict[str, Any]:
    tool = find_tool(name)
    assert tool is not None
    parsed = tool.arguments.model_validate(arguments)
    data = tool.run(context=scene.context, arguments=parsed).data
    assert json.loads(json.dumps(data)) == data, "plain JSON"
    return data


@pytest.mark.promise("D44")
def test_requests_are_listed_by_where_they_stand(scene: Scene) -> None:
    request = propose(scene).request
    assert [item["status"] for item in run(scene, "decision_list")["items"]] == [
        "awaiting_decision"
    ]
    assert run(scene, "decision_list", status="open")["total"] == 1
    settle(request, "Request changes", scene.operator)
    assert run(scene, "decision_list", status="open")["total"] == 0
    listed = run(scene, "decision_list", status="changes_requested")
    assert listed["items"][0]["id"] == str(request.pk)


def test_one_request_tells_the_answer_and_its_note(scene: Scene) -> None:
    request = settle(propose(scene).request, "Reject", scene.operator)
    Resolution.objects.create(
        request=request,
        option="Reject",
        note="Not this year.",
        decided_by_id=key_of(scene.operator),
        way="session",
        revision=1,
        payload_hash=request.payload_hash,
        created_at=NOW,
    )
    got = run(scene, "decision_get", id=str(request.pk))
    assert (got["status"], got["note"]) == ("rejected", "Not this year.")
    assert (got["option"], got["decided_by"]) == ("Reject", "ola")


@pytest.mark.lesson("H-16")
def test_requests_of_another_team_are_not_found(scene: Scene) -> None:
    request = propose(build_scene("globex")).request
    assert run(scene, "decision_list") == {"items": [], "total": 0, "more": False}
    for key in (str(request.pk), str(uuid.uuid4()), "nonsense"):
        with pytest.raises(NotFound):
            run(scene, "decision_get", id=key)


def test_requests_of_somebody_elses_private_conversation_are_not_found(
    scene: Scene,
) -> None:
    request = propose(scene).request
    scene.conversation.is_private = True
    scene.conversation.created_by_id = key_of(scene.operator)
    scene.conversation.save()
    assert run(scene, "decision_list")["items"] == []
    with pytest.raises(NotFound):
        run(scene, "decision_get", id=str(request.pk))
