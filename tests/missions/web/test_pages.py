from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from decisions.models import AttentionRequest
from missions.makers import Maker
from missions.models import Mission, MissionSuggestionRecord, WorkflowVersion
from missions.services.creating import create_mission
from missions.services.suggestions import SWITCH_SETTING, record_turn_suggestion
from missions.specification import MissionSpec
from tests.missions.support import (
    NOW,
    SOUND_PLAN,
    Scene,
    build_scene,
    propose,
    settle,
    user_of,
)

if TYPE_CHECKING:
    from django.conf import LazySettings

    from tooling.policy import Principal

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


def browser(principal: Principal) -> Client:
    """Return a browser in which this person has signed in."""
    client = Client()
    client.force_login(user_of(principal))
    return client


def address(name: str, *parts: object, slug: str = "acme") -> str:
    return reverse(f"missions:{name}", args=[slug, *parts])


def page(principal: Principal, name: str, *parts: object, query: str = "") -> str:
    answer = browser(principal).get(address(name, *parts) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def make_mission(scene: Scene, title: str = "Nightly export") -> Mission:
    return create_mission(
        maker=Maker.of(scene.model),
        origin=scene.origin,
        spec=MissionSpec.check(
            title=title,
            objective="It runs every night.",
            tasks=[{"title": "Write it", "detail": "In Python."}],
            acceptance_criteria=["The file is there."],
        ),
        now=NOW,
    )


def test_an_empty_list_says_how_missions_come_to_be(scene: Scene) -> None:
    html = page(scene.viewer, "mission_list")
    assert "an operator approves the proposal" in html


def test_missions_are_listed_by_status_and_words(scene: Scene) -> None:
    make_mission(scene, "Nightly export")
    make_mission(scene, "Weekly report")
    assert "Nightly export" in page(scene.viewer, "mission_list", query="?q=EXPORT")
    narrowed = page(scene.viewer, "mission_list", query="?q=export&status=ready")
    assert "Weekly report" not in narrowed
    assert "Nightly" not in page(scene.viewer, "mission_list", query="?status=failed")
    assert "Nightly" in page(scene.viewer, "mission_list", query="?status=nonsense")


def test_the_list_goes_on_by_cursor(scene: Scene) -> None:
    for number in range(51):
        make_mission(scene, f"Mission number {number}.")
    first = page(scene.viewer, "mission_list")
    following = re.search(r'rel="next" href="([^"]+)"', first)
    assert following is not None
    second = page(
        scene.viewer, "mission_list", query=following[1].replace("&amp;", "&")
    )
    shown = re.findall(r"Mission number \d+\.", first + second)
    assert len(shown) == len(set(shown)) == 51


@pytest.mark.promise("D34", "D35")
def test_a_mission_shows_all_of_it_and_where_it_came_from(scene: Scene) -> None:
    proposed = propose(scene, plan=SOUND_PLAN)
    settle(proposed.request, "Approve and create", scene.operator)
    mission = make_mission(scene)
    Mission.objects.filter(pk=mission.pk).update(source_request=proposed.request)
    html = page(scene.viewer, "mission", mission.pk)
    for text in ("It runs every night.", "Write it", "In Python.", "The file is there"):
        assert text in html
    assert reverse("decisions:request", args=["acme", proposed.request.pk]) in html
    assert reverse("dialogue:chat", args=["acme", scene.conversation.pk]) in html
    assert address("draft", proposed.draft.pk) in html


def test_a_private_conversation_of_another_is_not_linked(scene: Scene) -> None:
    mission = make_mission(scene)
    scene.conversation.is_private = True
    scene.conversation.save()
    html = page(scene.operator, "mission", mission.pk)
    assert str(scene.conversation.pk) not in html


def test_text_of_a_model_stays_text(scene: Scene) -> None:
    mission = make_mission(scene, HOSTILE)
    draft = propose(scene, title=HOSTILE, tasks=[{"title": HOSTILE}]).draft
    for html in (
        page(scene.operator, "mission", mission.pk),
        page(scene.operator, "mission_list"),
        page(scene.operator, "draft", draft.pk),
        page(scene.operator, "draft_list"),
    ):
        assert HOSTILE not in html
        assert escape(HOSTILE) in html


@pytest.mark.promise("D77", "D90")
def test_a_placeholder_draft_says_so_and_why_it_cannot_be_published(
    scene: Scene,
) -> None:
    draft = propose(scene).draft
    html = page(scene.operator, "draft", draft.pk)
    assert "<svg" in html
    assert "flow--placeholder" in html
    assert "The steps are a placeholder. Write the real steps first." in html
    assert re.search(r"<button[^>]* disabled>Publish</button>", html)


@pytest.mark.parametrize("who", ["viewer", "member"])
def test_who_does_not_publish_sees_no_forms(scene: Scene, who: str) -> None:
    draft = propose(scene, plan=SOUND_PLAN).draft
    html = page(getattr(scene, who), "draft", draft.pk)
    assert address("draft_publish", draft.pk) not in html
    assert address("draft_edit", draft.pk) not in html


def approved_draft(scene: Scene) -> uuid.UUID:
    proposed = propose(scene, plan=SOUND_PLAN)
    settle(proposed.request, "Approve and create", scene.operator)
    return proposed.draft.pk


@pytest.mark.promise("D92")
def test_an_operator_publishes_and_sees_the_version(scene: Scene) -> None:
    draft_id = approved_draft(scene)
    answer = browser(scene.operator).post(
        address("draft_publish", draft_id), {"edit_version": "1"}
    )
    assert answer.status_code == 302
    assert WorkflowVersion.objects.get().number == 1
    assert "Version 1" in page(scene.viewer, "draft", draft_id)
    assert "It never changes." in page(scene.viewer, "version", draft_id, 1)
    missing = browser(scene.viewer).get(address("version", draft_id, 2))
    assert missing.status_code == 404


def rows(**changes: object) -> dict[str, object]:
    return {
        "edit_version": "1",
        "title": "Export",
        "step_id": ["export", "", ""],
        "step_title": ["Export it", "Check it", ""],
        "step_kind": ["task", "check", "task"],
        "step_after": ["", "export", ""],
        **changes,
    }


def test_an_operator_edits_the_rows(scene: Scene) -> None:
    draft = propose(scene).draft
    answer = browser(scene.operator).post(address("draft_edit", draft.pk), rows())
    assert answer.status_code == 302
    draft.refresh_from_db()
    assert draft.graph == {
        "steps": [
            {"id": "export", "title": "Export it", "kind": "task", "after": []},
            {"id": "step-1", "title": "Check it", "kind": "check", "after": ["export"]},
        ],
        "placeholder": False,
    }
    assert "Edited since it was proposed" in page(scene.viewer, "draft", draft.pk)


def test_more_rows_saves_nothing_and_keeps_what_is_written(scene: Scene) -> None:
    draft = propose(scene).draft
    answer = browser(scene.operator).post(
        address("draft_edit", draft.pk), rows(more="yes", placeholder="yes")
    )
    html = answer.content.decode()
    assert 'value="Check it"' in html
    assert html.count('name="step_id"') == 5
    draft.refresh_from_db()
    assert draft.edit_version == 1


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"edit_version": "7"}, 409),
        ({"edit_version": "x"}, 409),
        ({"title": " "}, 400),
        ({"step_kind": ["approve", "task", "task"]}, 400),
        ({"step_title": ["a\x00b", "b", ""]}, 400),
        ({"step_id": ["x" * 41, "", ""]}, 400),
    ],
)
def test_a_refused_edit_keeps_what_was_written(
    scene: Scene, changes: dict[str, object], status: int
) -> None:
    draft = propose(scene).draft
    answer = browser(scene.operator).post(
        address("draft_edit", draft.pk), rows(**changes)
    )
    assert answer.status_code == status
    assert 'role="alert"' in answer.content.decode()
    draft.refresh_from_db()
    assert draft.edit_version == 1


@pytest.mark.promise("D98", "A16")
def test_suggestions_say_why_and_lead_back(
    scene: Scene, settings: LazySettings
) -> None:
    settings.WRITE_TOOLS_SERVED = False
    record_turn_suggestion(turn=scene.turn, now=NOW)
    suggestion = MissionSuggestionRecord.objects.get()
    html = page(scene.operator, "suggestions")
    assert SWITCH_SETTING in html
    assert reverse("dialogue:chat", args=["acme", scene.conversation.pk]) in html
    assert f"suggestion={suggestion.pk}" in html
    assert suggestion.title not in page(
        scene.operator, "suggestions", query="?status=dismissed"
    )
    viewed = page(scene.viewer, "suggestions")
    assert address("suggestion_dismiss", suggestion.pk) not in viewed
    answer = browser(scene.operator).post(address("suggestion_dismiss", suggestion.pk))
    assert answer.status_code == 302
    suggestion.refresh_from_db()
    assert suggestion.status == "dismissed"


PROPOSAL = {
    "title": "Nightly export",
    "objective": "It runs.",
    "tasks": "Write it\r\n\r\nWatch it",
    "acceptance_criteria": "The file is there.",
    "priority": "high",
}


@pytest.mark.promise("D13", "D27")
def test_a_member_raises_a_proposal_from_the_form(
    scene: Scene, settings: LazySettings
) -> None:
    settings.WRITE_TOOLS_SERVED = False
    client = browser(scene.member)
    assert client.get(address("propose")).status_code == 200
    answer = client.post(address("propose"), PROPOSAL)
    request = AttentionRequest.objects.get()
    assert answer.url == reverse("decisions:request", args=["acme", request.pk])  # type: ignore[attr-defined]
    assert request.payload["mission"] == {
        "title": "Nightly export",
        "objective": "It runs.",
        "tasks": [
            {"title": "Write it", "detail": ""},
            {"title": "Watch it", "detail": ""},
        ],
        "acceptance_criteria": ["The file is there."],
        "priority": "high",
    }
    assert (request.maker_kind, request.origin_conversation) == ("human", None)


def test_a_proposal_from_a_conversation_goes_back_to_it(scene: Scene) -> None:
    answer = browser(scene.member).post(
        address("propose"), {**PROPOSAL, "conversation": str(scene.conversation.pk)}
    )
    chat = reverse("dialogue:chat", args=["acme", scene.conversation.pk])
    assert answer.url == chat  # type: ignore[attr-defined]
    request = AttentionRequest.objects.get()
    assert request.origin_conversation == scene.conversation.pk


@pytest.mark.promise("A9")
def test_the_form_offers_what_asked_for_changes(scene: Scene) -> None:
    request = settle(propose(scene).request, "Request changes", scene.operator)
    query = f"?conversation={scene.conversation.pk}"
    client = browser(scene.member)
    html = client.get(address("propose") + query).content.decode()
    assert f'<option value="{request.pk}" selected>' in html
    for chosen, revises in (("", None), (str(request.pk), request.pk)):
        client.post(
            address("propose") + query,
            {**PROPOSAL, "title": f"Idea {chosen}"[:60], "revises": chosen},
        )
        assert AttentionRequest.objects.latest("created_at").revises_id == revises


def test_a_suggestion_fills_the_form_and_is_closed_by_it(scene: Scene) -> None:
    record_turn_suggestion(turn=scene.turn, now=NOW)
    suggestion = MissionSuggestionRecord.objects.get()
    client = browser(scene.member)
    query = f"?suggestion={suggestion.pk}"
    assert (
        escape(suggestion.title)
        in client.get(address("propose") + query).content.decode()
    )
    client.post(address("propose") + query, PROPOSAL)
    suggestion.refresh_from_db()
    assert suggestion.status == "converted"
    again = client.post(address("propose") + query, {**PROPOSAL, "title": "Again"})
    assert again.status_code == 200
    assert AttentionRequest.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("title", ""), ("title", "x" * 201), ("objective", "a\x00b"), ("priority", "now")],
)
def test_a_form_that_does_not_fit_is_shown_again(
    scene: Scene, name: str, value: str
) -> None:
    answer = browser(scene.member).post(address("propose"), {**PROPOSAL, name: value})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not AttentionRequest.objects.exists()


@pytest.mark.lesson("H-16")
def test_foreign_rows_are_not_found_and_nothing_is_done(scene: Scene) -> None:
    other = build_scene("globex")
    mission, draft = make_mission(other), propose(other, plan=SOUND_PLAN).draft
    client = browser(scene.operator)
    for name, key in (("mission", mission.pk), ("draft", draft.pk)):
        for slug in ("acme", "globex"):
            for each in (key, uuid.uuid4()):
                found = client.get(address(name, each, slug=slug))
                assert found.status_code == 404
    for name in ("draft_edit", "draft_publish"):
        assert client.post(address(name, draft.pk), rows()).status_code == 404
    query = f"?conversation={other.conversation.pk}"
    assert client.get(address("propose") + query).status_code == 404


@pytest.mark.parametrize(
    ("name", "needs_key", "allowed"),
    [
        ("draft_edit", True, {"operator"}),
        ("draft_publish", True, {"operator"}),
        ("propose", False, {"member", "operator"}),
    ],
)
def test_roles(scene: Scene, name: str, needs_key: bool, allowed: set[str]) -> None:
    draft = propose(scene).draft
    for who in ("viewer", "member", "operator"):
        parts = [draft.pk] if needs_key else []
        answer = browser(getattr(scene, who)).post(address(name, *parts), {})
        assert (answer.status_code != 403) == (who in allowed)


def test_nobody_gets_in_without_signing_in(scene: Scene) -> None:
    for name in ("mission_list", "draft_list", "suggestions", "propose"):
        assert Client().get(address(name)).status_code == 302
