"""What no tool that changes things does, whatever its arguments."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from missions.models import (
    MissionStatus,
    MissionSuggestionRecord,
)
from tests.missions.support import (
    Scene,
    build_scene,
    call_tool,
    make_mission,
    preview_of,
)
from tests.missions.writes import NAMES, everything, sound
from tooling.settling import is_settling

pytestmark = pytest.mark.django_db


SETTLING: list[dict[str, Any]] = [
    {"status": "completed"},
    {"STATUS": "ready"},
    {"Status ": "ready"},
    {"state": "running"},
    {"approved": True},
    {"isApproved": True},
    {"approvedBy": "me"},
    {"approval": {"by": "me"}},
    {"resolution": "Approve and create"},
    {"Resolution": {"option": "Reject"}},
    {"resolved_option": "Approve and create"},
    {"decision": "yes"},
    {"outcome": "done"},
    {"publish": True},
    {"\uff53\uff54atus": "ready"},
    {"mission": {"status": "ready"}},
    {"changes": [{"deep": {"Resolved-Option": "Reject"}}]},
]


@pytest.mark.promise("D61", "D64", "N3")
@pytest.mark.lesson("H-17")
@pytest.mark.parametrize("extra", SETTLING, ids=lambda extra: next(iter(extra)))
@pytest.mark.parametrize("name", NAMES)
def test_no_argument_settles_anything(
    writing: Scene, name: str, extra: dict[str, Any]
) -> None:
    """Whatever the spelling and the depth, the whole call is refused."""
    wanted = {**extra, **sound(writing, name)}
    if name == "task_update" and "status" in extra:
        wanted["status"] = extra["status"]
    before = everything()
    done = call_tool(writing, name, wanted)
    assert done.state == "failed"
    assert done.result["error"] == "settling_refused"
    assert done.result["field"] in {*extra, "status", "Resolved-Option"}
    assert everything() == before


@pytest.mark.promise("D64")
@pytest.mark.parametrize("extra", SETTLING, ids=lambda extra: next(iter(extra)))
def test_a_pending_mission_is_not_settled_by_an_update(
    writing: Scene, extra: dict[str, Any]
) -> None:
    mission = make_mission(writing, status=MissionStatus.PENDING)
    wanted = {"id": str(mission.pk), "title": "Other", **extra}
    done = call_tool(writing, "mission_update", wanted)
    assert done.result["error"] == "settling_refused"
    mission.refresh_from_db()
    assert (mission.title, mission.status) == ("Nightly export", MissionStatus.PENDING)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_asked_for_changes_nothing_and_is_kept(
    writing: Scene, name: str
) -> None:
    wanted = sound(writing, name)
    before = everything()
    done = call_tool(writing, name, wanted, asked=False)
    assert (done.state, done.gate) == ("surfaced", "no_explicit_request")
    kept = MissionSuggestionRecord.objects.get(tool=name)
    assert (kept.reason, kept.arguments) == ("blocked_write", wanted)
    kept.delete()
    assert everything() == before


@pytest.mark.promise("D60")
@pytest.mark.lesson("H-16")
@pytest.mark.parametrize("name", NAMES[:-1])
@pytest.mark.parametrize("whose", ["foreign", "unknown", "malformed"])
def test_nothing_outside_the_team_is_found(
    writing: Scene, name: str, whose: str
) -> None:
    other = build_scene("globex")
    wanted = sound(other, name)
    field = "mission_id" if "mission_id" in wanted else "id"
    if whose != "foreign":
        wanted[field] = str(uuid.uuid4()) if whose == "unknown" else "the first one"
    before = everything()
    done = call_tool(writing, name, wanted)
    assert (done.state, done.result["error"]) == ("failed", "not_found")
    assert everything() == before


@pytest.mark.promise("D57")
@pytest.mark.parametrize("name", NAMES)
def test_a_preview_writes_nothing_and_tells_what_the_call_then_does(
    writing: Scene, name: str
) -> None:
    wanted = sound(writing, name)
    before = everything()
    changes = preview_of(writing, name, wanted)
    assert everything() == before
    assert all(change.label and change.after for change in changes)
    expected = {
        "mission_update": [("Title", "Nightly export", "Other")],
        "mission_add_task": [
            ("Mission", "Nightly export", "Nightly export"),
            ("Task", "", "More"),
            ("Status", "", "To do"),
        ],
        "task_update": [("Status", "To do", "Running")],
        "workflow_draft_update": [
            ("Steps", "1. Export\n2. Alert (← Export)", "1. Only")
        ],
        "suggestion_create": [("Suggestion", "", "Shorter months")],
    }
    expected["task_create"] = expected["mission_add_task"]
    assert [(c.label, c.before, c.after) for c in changes] == expected[name]


def test_a_preview_refuses_what_the_call_would_refuse(writing: Scene) -> None:
    mission = make_mission(writing, status=MissionStatus.COMPLETED)
    task = mission.tasks.get()
    for name, wanted in (
        ("mission_update", {"id": str(mission.pk), "title": "Other"}),
        ("task_create", {"mission_id": str(mission.pk), "title": "More"}),
        ("task_update", {"id": str(task.pk), "status": "running"}),
    ):
        told = call_tool(writing, name, wanted).result
        with pytest.raises(Exception) as refused:  # noqa: PT011 -- compared below
            preview_of(writing, name, wanted)
        assert getattr(refused.value, "code", "") == told["error"]


@pytest.mark.parametrize(
    ("name", "settles"),
    [
        ("status", True),
        ("missionStatus", True),
        ("APPROVED_BY", True),
        ("priority", False),
        ("estate", False),
        ("statusquo", False),
    ],
)
def test_words_are_told_apart(name: str, settles: bool) -> None:
    assert is_settling(name) is settles
