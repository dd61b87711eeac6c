from __future__ import annotations

import json
import uuid
from typing import Any

import pytest

from dialogue.models import ConversationMessage
from tests.missions.support import (
    Scene,
    add_turn,
    build_scene,
    make_conversation,
    propose,
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
def test_conversations_are_listed_by_track_status_and_title(scene: Scene) -> None:
    made = make_conversation(scene.member, track="Research", title="Prices of steel")
    assert run(scene, "conversation_list")["total"] == 2
    for narrowed in ({"track": "Research"}, {"query": "STEEL"}):
        listed = run(scene, "conversation_list", **narrowed)
        assert [item["id"] for item in listed["items"]] == [str(made.pk)]
    assert run(scene, "conversation_list", status="completed")["items"] == []


def test_private_conversations_of_others_and_foreign_ones_stay_unseen(
    scene: Scene,
) -> None:
    hidden = make_conversation(scene.operator, is_private=True)
    foreign = make_conversation(scene.stranger)
    assert run(scene, "conversation_list")["total"] == 1
    for key in (hidden.pk, foreign.pk, uuid.uuid4(), "nonsense"):
        with pytest.raises(NotFound):
            run(scene, "conversation_get", id=str(key))


@pytest.mark.promise("D8", "D42")
def test_this_conversation_is_got_without_an_id(scene: Scene) -> None:
    proposed = propose(scene)
    got = run(scene, "conversation_get")
    assert got["id"] == str(scene.conversation.pk)
    assert [(m["seq"], m["role"]) for m in got["messages"]] == [(1, "user")]
    led_to = {(row["kind"], row["id"]) for row in got["led_to"]}
    assert ("request", str(proposed.request.pk)) in led_to
    assert ("draft", str(proposed.draft.pk)) in led_to


@pytest.mark.promise("D1")
def test_no_early_message_is_out_of_reach(scene: Scene) -> None:
    early, _turn = add_turn(scene.conversation, "The budget code is QX-4711, remember.")
    for number in range(60):
        add_turn(scene.conversation, f"Something else, number {number}.")
    found = run(scene, "conversation_search", query="budget code")
    assert [(item["seq"], item["id"]) for item in found["items"]] == [
        (early.seq, str(early.pk))
    ]
    assert "QX-4711" in found["items"][0]["excerpt"]


def test_a_search_takes_any_word_when_no_message_has_them_all(scene: Scene) -> None:
    add_turn(scene.conversation, "Invoices are due in May.")
    found = run(scene, "conversation_search", query="invoices unicorn")
    assert found["total"] == 1
    assert run(scene, "conversation_search", query="unicorn")["items"] == []


def test_a_search_stays_in_this_conversation_and_is_bounded(scene: Scene) -> None:
    other = make_conversation(scene.member)
    add_turn(other, "alpha elsewhere")
    for number in range(30):
        add_turn(scene.conversation, f"alpha {number}")
    found = run(scene, "conversation_search", query="alpha", limit=20)
    assert (len(found["items"]), found["total"], found["more"]) == (20, 30, True)
    seqs = [item["seq"] for item in found["items"]]
    assert seqs == sorted(seqs, reverse=True)


def test_a_search_treats_wildcards_as_text(scene: Scene) -> None:
    add_turn(scene.conversation, "discount of 50% agreed")
    assert run(scene, "conversation_search", query="50%")["total"] == 1
    assert run(scene, "conversation_search", query="%")["total"] == 1
    assert run(scene, "conversation_search", query="_")["total"] == 0


def test_an_excerpt_shows_the_word_in_a_long_message(scene: Scene) -> None:
    add_turn(scene.conversation, "filler " * 900 + "the password policy " + "x " * 900)
    (item,) = run(scene, "conversation_search", query="password")["items"]
    assert "password policy" in item["excerpt"]
    assert len(item["excerpt"]) < 300


def test_searching_changes_nothing(scene: Scene) -> None:
    before = list(ConversationMessage.objects.order_by("pk").values())
    run(scene, "conversation_search", query="export")
    assert list(ConversationMessage.objects.order_by("pk").values()) == before
