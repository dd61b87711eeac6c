"""Pending Missions by REST and by page: made by people, settled on what was read."""

from __future__ import annotations

import pytest
from django.test import Client

from dialogue.models import ConversationMessage, MessageRole
from missions.models import Mission, MissionStatus, MissionTask
from tests.missions.api.test_api import BODY, Api, codes
from tests.missions.support import Scene, make_mission, user_of
from tooling.models import AuditEntry

pytestmark = pytest.mark.django_db
FORM = {
    "title": "Nightly export",
    "objective": "It runs.",
    "tasks": "Write it",
    "acceptance_criteria": "",
    "priority": "normal",
}


@pytest.mark.promise("A5", "D21", "D22", "D23", "D27")
def test_a_person_makes_one_with_the_switch_off(scene: Scene) -> None:
    api = Api(scene.member)
    body = {**BODY, "conversation_id": str(scene.conversation.pk)}
    answer = api.send("missions/pending", body)
    assert answer.status_code == 201, answer.content
    mission = Mission.objects.get()
    assert (answer.json()["id"], answer.json()["status"]) == (
        str(mission.pk),
        "pending",
    )
    assert (mission.maker_kind, mission.origin_conversation) == (
        "human",
        scene.conversation.pk,
    )
    assert api.send("missions/pending", body).json()["id"] == str(mission.pk)
    assert Mission.objects.count() == 1
    notice = ConversationMessage.objects.get(role=MessageRole.NOTICE)
    assert notice.text == "mia made the pending Mission “Nightly export”."
    assert notice.data["cards"] == [{"kind": "mission", "id": str(mission.pk)}]
    refused = Api(scene.viewer).send("missions/pending", BODY)
    assert refused.status_code == 403
    foreign = {**BODY, "conversation_id": str(mission.pk)}
    assert api.send("missions/pending", foreign).status_code == 404


@pytest.mark.promise("A6", "A12", "D27")
def test_it_is_settled_on_what_was_read(scene: Scene) -> None:
    mission = make_mission(scene, status=MissionStatus.PENDING)
    path = f"missions/{mission.pk}"
    read = Api(scene.operator).get(path).json()["content_hash"]
    body = {"choice": "approve", "content_hash": read}
    assert Api(scene.member).send(f"{path}/settle", body).status_code == 403
    assert Api(scene.operator).send(f"{path}/settle", {}).status_code == 400
    MissionTask.objects.filter(mission=mission).update(title="Delete the backups")
    stale = Api(scene.operator).send(f"{path}/settle", body)
    assert (stale.status_code, codes(stale)) == (409, [("content_changed", None)])
    body["content_hash"] = Api(scene.operator).get(path).json()["content_hash"]
    settled = Api(scene.operator).send(f"{path}/settle", body)
    assert settled.json()["status"] == "ready"
    again = Api(scene.operator).send(f"{path}/settle", body)
    assert (again.status_code, codes(again)) == (409, [("not_pending", None)])
    assert AuditEntry.objects.filter(action="missions.pending.approved").count() == 1


@pytest.mark.promise("D25", "D26", "D27", "L3")
def test_results_are_of_what_is_over(scene: Scene) -> None:
    mission = make_mission(scene, status=MissionStatus.RUNNING)
    MissionTask.objects.update(status="completed", outcome="It is written.")
    path = f"missions/{mission.pk}/results"
    assert Api(scene.viewer).get(path).json() == {
        "status": "running",
        "finished": False,
        "results": [],
    }
    Mission.objects.update(status=MissionStatus.FAILED)
    assert Api(scene.viewer).get(path).json() == {
        "status": "failed",
        "finished": True,
        "results": [
            {"title": "Write it", "status": "completed", "outcome": "It is written."}
        ],
    }


@pytest.mark.promise("A5", "D27")
def test_a_page_makes_one_for_whoever_may_raise(scene: Scene, client: Client) -> None:
    client.force_login(user_of(scene.member))
    address = f"/t/{scene.tenant.slug}/missions/new"
    listed = client.get(f"/t/{scene.tenant.slug}/missions/").content.decode()
    assert address in listed
    assert "waits until an operator" in client.get(address).content.decode()
    for _twice in range(2):
        answer = client.post(address, FORM, follow=True)
        assert "waits for a person" in answer.content.decode()
    mission = Mission.objects.get()
    assert (mission.status, mission.source_request_id) == (MissionStatus.PENDING, None)
    assert mission.tasks.get().title == "Write it"
    with_chat = {**FORM, "title": "Other", "conversation": str(scene.conversation.pk)}
    client.post(address, with_chat)
    assert ConversationMessage.objects.filter(role=MessageRole.NOTICE).count() == 1
    assert client.post(address, {**FORM, "title": ""}).status_code == 200
    assert Mission.objects.count() == 2
    client.force_login(user_of(scene.viewer))
    assert client.get(address).status_code == 403
    assert client.post(address, FORM).status_code == 403
