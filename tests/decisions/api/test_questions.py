"""Questions by REST: asked by whoever may raise, answered like every request."""

from __future__ import annotations

from typing import Any

import pytest

from decisions.models import AttentionRequest
from tests.missions.api.test_api import Api, codes
from tests.missions.support import Scene, make_conversation

pytestmark = pytest.mark.django_db
ASKED: dict[str, Any] = {
    "title": "Which share?",
    "question": "Where shall the file go?",
    "options": ["The archive share", "A new bucket"],
}


@pytest.mark.promise("D27", "D85")
def test_a_question_is_asked_read_and_answered(scene: Scene) -> None:
    body = {**ASKED, "conversation_id": str(scene.conversation.pk)}
    answer = Api(scene.member).send("questions", body)
    assert answer.status_code == 201, answer.content
    asked = answer.json()
    assert (asked["kind"], asked["status"]) == ("Question", "awaiting_decision")
    assert [each["value"] for each in asked["options"]] == ASKED["options"]
    assert [each["negative"] for each in asked["effect"]] == [False, True]
    listed = Api(scene.viewer).get("decisions?kind=Question").json()
    assert [each["id"] for each in listed["items"]] == [asked["id"]]
    shown = {"revision": 1, "payload_hash": asked["payload_hash"]}
    path = f"decisions/{asked['id']}/decision"
    AttentionRequest.objects.update(expires_at=None)
    wrong = Api(scene.operator).send(path, {"option": "Reject", **shown})
    assert codes(wrong) == [("invalid_option", "option")]
    right = Api(scene.operator).send(path, {"option": "A new bucket", **shown})
    assert (right.json()["outcome"], right.json()["request"]["status"]) == (
        "won",
        "answered",
    )


@pytest.mark.parametrize(
    ("change", "attr"),
    [
        ({"options": ["One"]}, "options"),
        ({"options": ["One", "Reject"]}, "options"),
        ({"title": ""}, "title"),
        ({"question": ""}, "question"),
    ],
)
def test_a_question_that_does_not_fit_is_refused(
    scene: Scene, change: dict[str, Any], attr: str
) -> None:
    answer = Api(scene.member).send("questions", {**ASKED, **change})
    assert answer.status_code == 400
    assert codes(answer)[0][1].partition(".")[0] == attr  # type: ignore[union-attr]
    assert not AttentionRequest.objects.exists()


def test_who_may_not_raise_or_see_the_conversation_asks_nothing(scene: Scene) -> None:
    assert Api(scene.viewer).send("questions", ASKED).status_code == 403
    hidden = make_conversation(scene.operator, is_private=True)
    body = {**ASKED, "conversation_id": str(hidden.pk)}
    assert Api(scene.member).send("questions", body).status_code == 404
    assert not AttentionRequest.objects.exists()
