from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from decisions.models import AttentionRequest
from missions.makers import Maker
from missions.models import MissionSuggestionRecord, WorkflowDraft, WorkflowVersion
from missions.services.creating import create_mission
from missions.services.suggestions import SWITCH_SETTING, record_turn_suggestion
from tests.missions.support import (
    NOW,
    SOUND_PLAN,
    Scene,
    build_scene,
    proposal,
    propose,
    settle,
    user_of,
)
from tests.missions.test_creating import SPEC

if TYPE_CHECKING:
    from django.conf import LazySettings

    from missions.models import Mission
    from tooling.policy import Principal

pytestmark = pytest.mark.django_db
BODY = {"title": "Nightly export", "objective": "It runs."}


class Api:
    """REST as one person of the team `acme`."""

    def __init__(self, principal: Principal) -> None:
        self.client = Client()
        self.client.force_login(user_of(principal))

    def get(self, path: str, slug: str = "acme") -> Any:
        return self.client.get(f"/api/v1/t/{slug}/{path}")

    def send(self, path: str, body: Any = None, *, method: str = "post") -> Any:
        send = getattr(self.client, method)
        return send(
            f"/api/v1/t/acme/{path}", body or {}, content_type="application/json"
        )


def codes(answer: Any) -> list[tuple[str, str | None]]:
    return [(each["code"], each["attr"]) for each in answer.json()["errors"]]


def make_mission(scene: Scene) -> Mission:
    return create_mission(
        maker=Maker.of(scene.model), origin=scene.origin, spec=SPEC, now=NOW
    )


@pytest.mark.promise("D27")
def test_missions_are_listed_and_read(scene: Scene) -> None:
    mission = make_mission(scene)
    api = Api(scene.viewer)
    listed = api.get("missions?status=ready&search=expo").json()
    assert [item["id"] for item in listed["items"]] == [str(mission.pk)]
    assert listed["next"] is None
    got = api.get(f"missions/{mission.pk}").json()
    assert [task["title"] for task in got["tasks"]] == ["Write it", "Watch it"]
    assert got["origin_conversation"] == str(scene.conversation.pk)
    assert api.get("missions?status=odd").status_code == 400
    assert api.send(f"missions/{mission.pk}", {}, method="patch").status_code in {
        403,
        405,
    }


@pytest.mark.promise("D13", "D27")
def test_a_member_proposes_with_the_switch_off(
    scene: Scene, settings: LazySettings
) -> None:
    settings.WRITE_TOOLS_SERVED = False
    api = Api(scene.member)
    body = {
        **BODY,
        "tasks": [{"title": "Write it"}],
        "acceptance_criteria": ["It ran."],
        "plan": SOUND_PLAN,
        "conversation_id": str(scene.conversation.pk),
    }
    first, again = api.send("proposals", body), api.send("proposals", body)
    assert (first.status_code, again.status_code) == (201, 200)
    request = AttentionRequest.objects.get()
    draft = WorkflowDraft.objects.get()
    assert first.json() == {
        "created": True,
        "request_id": str(request.pk),
        "status": "awaiting_decision",
        "title": "Nightly export",
        "revision": 1,
        "payload_hash": request.payload_hash,
        "workflow_id": str(draft.pk),
        "placeholder": False,
    }
    assert again.json() == {**first.json(), "created": False}
    assert request.origin_conversation == scene.conversation.pk


@pytest.mark.parametrize(
    ("changes", "attr"),
    [
        ({"approved": True}, "approved"),
        ({"origin_message": str(uuid.uuid4())}, "origin_message"),
        ({"title": ""}, "title"),
        ({"title": 7}, "title"),
        ({"objective": "x" * 8_001}, "objective"),
        ({"tasks": [{"title": "a", "status": "done"}]}, None),
        ({"priority": "urgent"}, "priority"),
        ({"revises": "no-key"}, "revises"),
        ({"revises": str(uuid.uuid4())}, "revises"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(
    scene: Scene, changes: dict[str, Any], attr: str | None
) -> None:
    answer = Api(scene.member).send("proposals", {**BODY, **changes})
    assert answer.status_code == 400
    if attr is not None:
        assert codes(answer)[0][1] == attr
    assert not AttentionRequest.objects.exists()


@pytest.mark.promise("A9")
def test_the_only_one_that_asked_for_changes_is_revised(scene: Scene) -> None:
    first = settle(propose(scene).request, "Request changes", scene.operator)
    body = {**BODY, "conversation_id": str(scene.conversation.pk)}
    Api(scene.member).send("proposals", {**body, "new_proposal": True})
    Api(scene.member).send("proposals", {**body, "title": "Better"})
    revised = AttentionRequest.objects.get(title="Better")
    assert revised.revises_id == first.pk
    assert AttentionRequest.objects.get(title=BODY["title"]).revises_id is None


@pytest.mark.promise("D90", "D92")
def test_an_operator_completes_and_publishes_a_draft(scene: Scene) -> None:
    proposed = propose(scene)
    settle(proposed.request, "Approve and create", scene.operator)
    api, path = Api(scene.operator), f"workflows/{proposed.draft.pk}"
    assert api.get("workflows").json()["items"][0]["placeholder"] is True
    assert [p["code"] for p in api.get(path).json()["problems"]] == ["placeholder"]
    refused = api.send(f"{path}/publish", {"edit_version": 1})
    assert refused.status_code == 409
    assert codes(refused) == [("not_publishable", "steps")]
    assert refused.json()["extra"]["problems"][0]["code"] == "placeholder"
    edit = {"edit_version": 1, "title": "Export", "steps": SOUND_PLAN["steps"]}
    assert api.send(path, edit, method="patch").json()["edit_version"] == 2
    assert codes(api.send(path, edit, method="patch")) == [
        ("draft_changed", "edit_version")
    ]
    published = [api.send(f"{path}/publish", {"edit_version": 2}) for _ in range(2)]
    assert [answer.status_code for answer in published] == [201, 200]
    assert published[0].json()["version"]["steps"] == SOUND_PLAN["steps"]
    assert WorkflowVersion.objects.count() == 1
    assert len(api.get(path).json()["published"]) == 1


@pytest.mark.promise("D98")
def test_suggestions_are_listed_and_dismissed(
    scene: Scene, settings: LazySettings
) -> None:
    settings.WRITE_TOOLS_SERVED = False
    record_turn_suggestion(turn=scene.turn, now=NOW)
    key = MissionSuggestionRecord.objects.get().pk
    assert Api(scene.member).send(f"suggestions/{key}/dismiss").status_code == 403
    api = Api(scene.operator)
    (item,) = api.get("suggestions?status=open").json()["items"]
    assert (item["id"], item["reason"]) == (str(key), "switch_off")
    assert item["setting"] == SWITCH_SETTING
    for _ in range(2):
        assert api.send(f"suggestions/{key}/dismiss").json()["status"] == "dismissed"
    assert api.get(f"suggestions/{key}").json()["status"] == "dismissed"


@pytest.mark.case("A15")
@pytest.mark.lesson("H-16")
def test_foreign_ids_are_unknown_ids(scene: Scene) -> None:
    other = build_scene("globex")
    mission, draft = make_mission(other), propose(other).draft
    api = Api(scene.operator)
    unknown = uuid.uuid4()
    for kind, key in (("missions", mission.pk), ("workflows", draft.pk)):
        foreign, missing = api.get(f"{kind}/{key}"), api.get(f"{kind}/{unknown}")
        assert foreign.status_code == missing.status_code == 404
        assert foreign.json() == missing.json()
    edit = {"edit_version": 1, "title": "Mine", "steps": []}
    path = f"workflows/{draft.pk}"
    assert api.send(path, edit, method="patch").status_code == 404
    assert api.send(f"{path}/publish", {"edit_version": 1}).status_code == 404
    assert api.send(f"suggestions/{unknown}/dismiss").status_code == 404
    body = {**BODY, "conversation_id": str(other.conversation.pk)}
    assert api.send("proposals", body).status_code == 404
    draft.refresh_from_db()
    assert (draft.title, draft.edit_version) == (proposal()["title"], 1)


@pytest.mark.parametrize(
    ("path", "method", "allowed"),
    [
        ("proposals", "post", {"member", "operator"}),
        ("workflows/{draft}", "patch", {"operator"}),
        ("workflows/{draft}/publish", "post", {"operator"}),
        ("missions", "get", {"viewer", "member", "operator"}),
        ("workflows", "get", {"viewer", "member", "operator"}),
        ("suggestions", "get", {"viewer", "member", "operator"}),
    ],
)
def test_roles(scene: Scene, path: str, method: str, allowed: set[str]) -> None:
    path = path.format(draft=propose(scene).draft.pk)
    for who in ("viewer", "member", "operator"):
        api = Api(getattr(scene, who))
        sent = api.get(path) if method == "get" else api.send(path, method=method)
        assert (sent.status_code != 403) == (who in allowed)
