"""The life cycle of a conversation by REST."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from dialogue.models import Conversation, ConversationMessage, Turn, TurnState
from tests.support.api import Someone, api, client_of, make_member

ACME = api("acme", "conversations")

pytestmark = pytest.mark.django_db(transaction=True)


def create(client: APIClient, **body: object) -> dict[str, Any]:
    answer = client.post(ACME, {"track": "Planning", **body}, format="json")
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    return made


@pytest.mark.promise("D5", "D10")
@pytest.mark.parametrize("track", ["Governance", "Research", "Planning", "Build"])
def test_create(client: APIClient, member: Someone, track: str) -> None:
    answer = client.post(ACME, {"track": track}, format="json")
    assert answer.status_code == 201
    body = answer.json()
    assert (body["track"], body["status"], body["archived"]) == (track, "open", False)
    row = Conversation.objects.get(pk=body["id"])
    assert (row.track, row.created_by_id) == (track, member.user.pk)
    assert answer["Location"] == f"{ACME}/{row.pk}"


@pytest.mark.promise("D5")
@pytest.mark.parametrize("track", ["build", "BUILD", "Build ", "", "Other", None])
def test_any_other_track_is_a_field_error(client: APIClient, track: str | None) -> None:
    answer = client.post(ACME, {"track": track}, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["attr"] == "track"
    assert not Conversation.objects.exists()


@pytest.mark.promise("D7")
def test_list_by_activity_filter_and_page(client: APIClient, member: Someone) -> None:
    first = create(client, title="First of all")
    second = create(client, track="Build")
    third = create(client, title="Third")
    Conversation.objects.filter(pk=first["id"]).update(
        active_at=timezone.now() + dt.timedelta(minutes=1)
    )
    ids = [each["id"] for each in client.get(ACME).json()["items"]]
    assert ids == [first["id"], third["id"], second["id"]]
    page = client.get(ACME, {"limit": 2}).json()
    assert [each["id"] for each in page["items"]] == ids[:2]
    rest = client.get(ACME, {"limit": 2, "cursor": page["next"]}).json()
    assert [each["id"] for each in rest["items"]] == ids[2:]
    assert rest["next"] is None
    build = client.get(ACME, {"track": "Build"}).json()["items"]
    assert [each["id"] for each in build] == [second["id"]]
    found = client.get(ACME, {"search": "of ALL"}).json()["items"]
    assert [each["id"] for each in found] == [first["id"]]
    assert client.get(ACME, {"status": "completed"}).json()["items"] == []


def test_rename_archive_and_take_back(client: APIClient) -> None:
    made = create(client)
    path = f"{ACME}/{made['id']}"
    renamed = client.patch(path, {"title": "A name"}, format="json")
    assert renamed.status_code == 200
    assert renamed.json()["title"] == "A name"
    assert client.patch(path, {"archived": True}, format="json").json()["archived"]
    assert client.get(ACME).json()["items"] == []
    assert len(client.get(ACME, {"archived": "true"}).json()["items"]) == 1
    client.patch(path, {"archived": False}, format="json")
    assert len(client.get(ACME).json()["items"]) == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "nothing_to_change"),
        ({"title": ""}, "blank"),
        ({"title": "\u200b\u202e"}, "blank"),
        ({"title": "x" * 201}, "too_long"),
        ({"track": "Build"}, "unknown_field"),
        ({"status": "completed"}, "unknown_field"),
        ({"tenant": "globex"}, "unknown_field"),
        ({"archived": "yes"}, "invalid"),
    ],
)
def test_bad_changes_change_nothing(
    client: APIClient, body: dict[str, object], code: str
) -> None:
    made = create(client, title="Before")
    answer = client.patch(f"{ACME}/{made['id']}", body, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == code
    row = Conversation.objects.get()
    assert (row.title, row.track, row.status, row.archived_at) == (
        *("Before", "Planning", "open"),
        None,
    )


@pytest.mark.promise("D9")
def test_complete_twice_then_no_more_messages(client: APIClient) -> None:
    made = create(client)
    path = f"{ACME}/{made['id']}"
    client.post(f"{path}/messages", {"text": "Hello"}, format="json")
    first = client.post(f"{path}/complete", {}, format="json")
    again = client.post(f"{path}/complete", {}, format="json")
    assert first.status_code == again.status_code == 200
    assert first.json()["status"] == "completed"
    assert first.json()["completed_at"] == again.json()["completed_at"]
    assert first.json()["still_open"] == []
    assert first.json()["note"]
    refused = client.post(f"{path}/messages", {"text": "More"}, format="json")
    assert refused.status_code == 409
    assert refused.json()["errors"][0]["code"] == "conversation_completed"
    assert ConversationMessage.objects.filter(role="user").count() == 1
    assert client.get(path).json()["status"] == "completed"
    assert len(client.get(ACME, {"status": "completed"}).json()["items"]) == 1


@pytest.mark.promise("D8")
def test_get_shows_messages_turns_and_cost(client: APIClient, member: Someone) -> None:
    made = create(client)
    path = f"{ACME}/{made['id']}"
    for text in ("One", "Two"):
        client.post(f"{path}/messages", {"text": text}, format="json")
    body = client.get(path).json()
    items = body["messages"]["items"]
    assert [(each["seq"], each["role"], each["text"]) for each in items] == [
        (1, "user", "One"),
        (2, "user", "Two"),
    ]
    assert items[0]["author"]["id"] == str(member.user.pk)
    assert body["messages"]["earlier"] is None
    assert body["messages"]["later"] is None
    assert body["messages"]["cards"] == []
    assert [turn["state"] for turn in body["turns"]] == ["queued", "queued"]
    assert body["spawned"] == []
    assert body["parent"] is None
    assert body["fork_seq"] is None
    assert body["cost"]["nano_usd"] == 0
    last = client.get(path, {"limit": 1}).json()["messages"]
    assert [each["text"] for each in last["items"]] == ["Two"]
    assert last["earlier"] == 2


def test_tools_of_the_team(client: APIClient, settings: Any) -> None:
    settings.WRITE_TOOLS_SERVED = False
    off = client.get(api("acme", "tools")).json()
    assert off["write_tools_served"] is False
    assert {tool["tier"] for tool in off["items"]} <= {"read"}
    settings.WRITE_TOOLS_SERVED = True
    on = client.get(api("acme", "tools")).json()
    assert on["write_tools_served"] is True
    assert on["write_tools_run"] is False


def test_a_viewer_reads_and_writes_nothing(client: APIClient) -> None:
    made = create(client)
    viewer = client_of(make_member("acme", "viewer"))
    path = f"{ACME}/{made['id']}"
    assert viewer.get(path).status_code == 200
    for method, where, body in (
        ("post", ACME, {"track": "Build"}),
        ("patch", path, {"title": "Mine"}),
        ("post", f"{path}/complete", {}),
        ("post", f"{path}/messages", {"text": "Hello"}),
    ):
        answer = getattr(viewer, method)(where, body, format="json")
        assert answer.status_code == 403, where
        assert answer.json()["errors"][0]["code"] == "not_allowed"
    assert not Turn.objects.filter(state=TurnState.QUEUED).exists()


def test_a_private_conversation_is_not_there_for_others(
    client: APIClient, member: Someone
) -> None:
    made = create(client, is_private=True)
    other = client_of(make_member("acme", "admin"))
    path = f"{ACME}/{made['id']}"
    unknown = other.get(f"{ACME}/00000000-0000-7000-8000-000000000000")
    for where in (path, f"{path}/messages", f"{path}/cost"):
        answer = other.get(where)
        assert answer.status_code == 404
        assert answer.content == unknown.content
    assert other.get(ACME).json()["items"] == []
    assert client.get(path).status_code == 200
