"""The tools that change workflow drafts and note ideas down."""

from __future__ import annotations

from typing import Any

import pytest

from decisions.models import RequestState
from decisions.services.closing import withdraw_request
from missions.makers import Maker, Origin
from missions.models import (
    MissionSuggestionRecord,
    WorkflowVersion,
)
from missions.services.publishing import publish_draft
from missions.services.suggestions import note_suggestion, record_turn_suggestion
from missions.subject import is_edited
from tests.decisions.support import CHANGES, REJECT, choose
from tests.missions.support import (
    NOW,
    SOUND_PLAN,
    Scene,
    call_tool,
    plan,
    propose,
)
from tests.missions.writes import last_act
from tooling.boundary import payload_hash

pytestmark = pytest.mark.django_db


# --- drafts ----------


@pytest.mark.promise("D18", "D60")
def test_a_draft_gets_other_steps_and_its_proposal_says_so(writing: Scene) -> None:
    proposed = propose(writing, plan=None)
    draft = proposed.draft
    assert draft.is_placeholder
    wanted = {"id": str(draft.pk), "edit_version": 1, **SOUND_PLAN, "title": "Better"}
    done = call_tool(writing, "workflow_draft_update", wanted)
    assert done.cards == ({"kind": "draft", "id": str(draft.pk)},)
    assert done.result["edit_version"] == 2
    draft.refresh_from_db()
    assert (draft.title, draft.edit_version, draft.is_placeholder) == (
        "Better",
        2,
        False,
    )
    assert draft.content_hash == payload_hash(draft.graph)
    assert is_edited(draft, proposed.request)
    act = last_act()
    assert act.before["graph"]["placeholder"] is True
    assert act.after["graph"] == draft.graph
    assert not WorkflowVersion.objects.exists()
    proposed.request.refresh_from_db()
    assert proposed.request.state == RequestState.OPEN


def test_a_draft_is_not_written_over_somebody_else_s_edit(writing: Scene) -> None:
    draft = propose(writing, plan=SOUND_PLAN).draft
    first = {"id": str(draft.pk), "edit_version": 1, **plan(("only", ()))}
    call_tool(writing, "workflow_draft_update", first)
    second = {**first, **plan(("other", ()))}
    told = call_tool(writing, "workflow_draft_update", second).result
    assert (told["error"], told["extra"]) == ("draft_changed", {"edit_version": 2})
    draft.refresh_from_db()
    assert [step["id"] for step in draft.graph["steps"]] == ["only"]


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        (plan(("a", ("b",)), ("b", ("a",))), "unusable_plan"),
        (plan(("a", ()), ("a", ())), "unusable_plan"),
        ({"steps": []}, "invalid_arguments"),
    ],
)
def test_steps_that_do_not_fit_change_nothing(
    writing: Scene, steps: dict[str, Any], code: str
) -> None:
    draft = propose(writing, plan=SOUND_PLAN).draft
    wanted = {"id": str(draft.pk), "edit_version": 1, **steps}
    told = call_tool(writing, "workflow_draft_update", wanted).result
    draft.refresh_from_db()
    assert (told["error"], draft.edit_version) == (code, 1)


@pytest.mark.parametrize("end", ["rejected", "withdrawn", "published"])
def test_a_draft_that_is_settled_is_people_s_alone(writing: Scene, end: str) -> None:
    proposed = propose(writing, plan=SOUND_PLAN)
    draft = proposed.draft
    if end == "withdrawn":
        key = proposed.request.pk
        withdraw_request(principal=writing.member, request_id=key, now=NOW)
    else:
        option = REJECT if end == "rejected" else "Approve and create"
        choose(proposed.request, writing.operator, option)
    if end == "published":
        publish_draft(
            principal=writing.operator, draft_id=draft.pk, edit_version=1, now=NOW
        )
    wanted = {"id": str(draft.pk), "edit_version": 1, **plan(("only", ()))}
    told = call_tool(writing, "workflow_draft_update", wanted).result
    code = "draft_published" if end == "published" else "draft_closed"
    draft.refresh_from_db()
    assert (told["error"], draft.edit_version) == (code, 1)


def test_a_draft_waits_for_its_revision_with_the_note(writing: Scene) -> None:
    proposed = propose(writing, plan=SOUND_PLAN)
    choose(proposed.request, writing.operator, CHANGES, note="Smaller.")
    wanted = {
        "id": str(proposed.draft.pk),
        "edit_version": 1,
        **plan(("only", ())),
    }
    assert call_tool(writing, "workflow_draft_update", wanted).state == "done"


# --- suggestions ----------


@pytest.mark.promise("D33", "D98")
def test_an_idea_is_noted_down_as_often_as_asked(writing: Scene) -> None:
    for title in ("Shorter months", "Longer weeks"):
        done = call_tool(writing, "suggestion_create", {"title": title})
        row = MissionSuggestionRecord.objects.get(title=title)
        assert done.cards == ({"kind": "suggestion", "id": str(row.pk)},)
        assert (row.reason, row.maker_kind, row.text) == ("noted", "model", title)
        assert (row.origin_conversation, row.origin_message, row.origin_turn) == (
            writing.conversation.pk,
            writing.message.pk,
            writing.turn.pk,
        )
    # The turn has left something: its end keeps no third one.
    record_turn_suggestion(turn=writing.turn, now=NOW)
    assert MissionSuggestionRecord.objects.count() == 2


def test_a_noted_idea_outlives_the_turn_s_proposal(writing: Scene) -> None:
    call_tool(writing, "suggestion_create", {"title": "Shorter months"})
    propose(writing)
    assert MissionSuggestionRecord.objects.get().status == "open"


def test_an_idea_is_bounded_and_storable(writing: Scene) -> None:
    for wanted in ({"title": "x" * 201}, {"title": "a\x00b"}, {"title": " \u200b "}):
        assert call_tool(writing, "suggestion_create", wanted).state == "failed"
    assert not MissionSuggestionRecord.objects.exists()


def test_a_suggestion_without_a_turn_is_a_mistake_of_ours(writing: Scene) -> None:
    with pytest.raises(ValueError, match="a turn"):
        note_suggestion(
            maker=Maker.of(writing.model),
            origin=Origin(writing.conversation.pk),
            title="An idea",
            now=NOW,
        )
