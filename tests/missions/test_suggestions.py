from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from django.utils import translation

from dialogue.models import ConversationMessage, TurnState
from dialogue.turns.hooks import call_blocked, turn_ended
from missions.makers import Maker
from missions.models import MissionSuggestionRecord
from missions.services.creating import create_mission
from missions.services.suggestions import (
    SWITCH_SETTING,
    AlreadyReviewed,
    convert_suggestion,
    dismiss_suggestion,
    record_blocked_write,
    record_turn_suggestion,
    suggestion_title,
)
from missions.specification import MissionSpec
from tests.missions.support import (
    NOW,
    WISH,
    Scene,
    add_turn,
    make_call,
    make_conversation,
    propose,
)
from tooling.errors import NotAllowed, NotFound
from tooling.models import AuditEntry

if TYPE_CHECKING:
    from django.conf import LazySettings

pytestmark = pytest.mark.django_db


def end(scene: Scene) -> MissionSuggestionRecord | None:
    record_turn_suggestion(turn=scene.turn, now=NOW)
    return MissionSuggestionRecord.objects.filter(tool_call_id=None).first()


@pytest.mark.promise("D94", "A16", "N9")
def test_with_the_switch_off_the_idea_is_kept_and_the_setting_named(
    scene: Scene, settings: LazySettings
) -> None:
    settings.WRITE_TOOLS_SERVED = False
    suggestion = end(scene)
    assert suggestion is not None
    assert (suggestion.reason, suggestion.text) == ("switch_off", WISH)
    assert suggestion.origin_conversation == scene.conversation.pk
    assert suggestion.origin_message == scene.message.pk
    assert suggestion.origin_turn == scene.turn.pk
    notice = ConversationMessage.objects.get(role="notice")
    assert notice.data == {
        "kind": "suggestion",
        "cards": [{"kind": "suggestion", "id": str(suggestion.pk)}],
        "facts": {
            "reason": "switch_off",
            "title": suggestion.title,
            "setting": SWITCH_SETTING,
        },
    }
    assert SWITCH_SETTING in notice.text


@pytest.mark.promise("D96")
def test_prose_alone_leaves_a_suggestion(scene: Scene, settings: LazySettings) -> None:
    settings.WRITE_TOOLS_SERVED = True
    suggestion = end(scene)
    assert suggestion is not None
    assert suggestion.reason == "prose_only"


@pytest.mark.promise("N9")
@pytest.mark.parametrize(
    ("tools", "kept"), [(["mission_create"], True), (["task_update"], False)]
)
def test_an_order_for_a_mission_that_came_to_nothing_is_kept(
    scene: Scene, settings: LazySettings, tools: list[str], kept: bool
) -> None:
    settings.WRITE_TOOLS_SERVED = False
    scene.turn.intent, scene.turn.intent_tools = "execution_command", tools
    assert (end(scene) is not None) is kept


@pytest.mark.promise("D95")
@pytest.mark.parametrize("state", ["failed", "refused"])
def test_a_failed_call_leaves_a_suggestion(
    scene: Scene, settings: LazySettings, state: str
) -> None:
    settings.WRITE_TOOLS_SERVED = True
    make_call(scene, "mission_propose", state=state)
    suggestion = end(scene)
    assert suggestion is not None
    assert suggestion.reason == "propose_failed"


@pytest.mark.promise("N9")
@pytest.mark.parametrize("state", ["failed", "stopped", "interrupted"])
def test_a_turn_that_did_not_finish_loses_no_idea(
    scene: Scene, settings: LazySettings, state: str
) -> None:
    settings.WRITE_TOOLS_SERVED = True
    scene.turn.state = TurnState(state)
    suggestion = end(scene)
    assert suggestion is not None
    assert suggestion.reason == "propose_failed"


@pytest.mark.promise("D97")
def test_a_turn_that_proposed_leaves_none(scene: Scene) -> None:
    propose(scene)
    assert end(scene) is None
    assert not ConversationMessage.objects.filter(role="notice").exists()


def test_a_turn_that_found_the_open_proposal_leaves_none(scene: Scene) -> None:
    propose(scene)
    _message, later = add_turn(scene.conversation, "I still want that export.")
    make_call(scene, "mission_propose", state="done", turn_id=later.pk)
    record_turn_suggestion(turn=later, now=NOW)
    assert not MissionSuggestionRecord.objects.exists()


def test_a_turn_that_made_the_mission_leaves_none(scene: Scene) -> None:
    create_mission(
        maker=Maker.of(scene.model),
        origin=scene.origin,
        spec=MissionSpec.check(title="Export", objective="It runs."),
        now=NOW,
    )
    assert end(scene) is None


@pytest.mark.parametrize("intent", ["question", "execution_command", "other", ""])
def test_only_a_wish_for_a_feature_is_kept(scene: Scene, intent: str) -> None:
    scene.turn.intent = intent
    assert end(scene) is None


@pytest.mark.promise("D93")
def test_a_turn_ends_twice_and_leaves_one(scene: Scene) -> None:
    end(scene)
    end(scene)
    turn_ended(turn=scene.turn, now=NOW)
    assert MissionSuggestionRecord.objects.count() == 1
    assert ConversationMessage.objects.filter(role="notice").count() == 1


def test_the_notice_speaks_the_language_of_the_conversation(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "missions.services.suggestions.explain_reason",
        lambda _suggestion: translation.get_language(),
    )
    scene.turn.conversation.language = "fr"
    assert end(scene) is not None
    assert ConversationMessage.objects.get(role="notice").text == "fr"


@pytest.mark.promise("D58", "A15")
@pytest.mark.parametrize(
    ("verdict", "gate"),
    [
        ("surface", "no_explicit_request"),
        ("refuse", "tenant_toggle"),
        ("refuse", "cap_per_turn"),
    ],
)
def test_a_blocked_write_leaves_one_and_the_turn_no_other(
    scene: Scene, verdict: str, gate: str
) -> None:
    call = make_call(
        scene,
        "mission_create",
        verdict=verdict,
        gate=gate,
        state="refused",
        arguments={"title": "Nightly export", "objective": "It runs."},
    )
    for _ in range(3):
        record_blocked_write(tool_call=call, context=scene.context, now=NOW)
    call_blocked(tool_call=call, context=scene.context, now=NOW)
    record_turn_suggestion(turn=scene.turn, now=NOW)
    suggestion = MissionSuggestionRecord.objects.get()
    assert (suggestion.reason, suggestion.title, suggestion.tool) == (
        "blocked_write",
        "Nightly export",
        "mission_create",
    )
    assert suggestion.arguments == call.arguments
    assert suggestion.tool_call_id == call.pk
    assert suggestion.origin_conversation == scene.conversation.pk


@pytest.mark.parametrize(
    ("name", "verdict", "gate"),
    [
        ("mission_create", "refuse", "deployment_switch"),
        ("mission_create", "run", "open"),
        ("mission_approve", "refuse", "dispose_name"),
        ("made_up_create", "refuse", "unknown_tool"),
        ("mission_propose", "refuse", "deployment_switch"),
    ],
)
def test_unserved_unknown_and_dispose_names_leave_none(
    scene: Scene, name: str, verdict: str, gate: str
) -> None:
    call = make_call(scene, name, verdict=verdict, gate=gate, state="refused")
    record_blocked_write(tool_call=call, context=scene.context, now=NOW)
    assert not MissionSuggestionRecord.objects.exists()


@pytest.mark.promise("D98")
def test_an_operator_dismisses_it_once_and_for_all(scene: Scene) -> None:
    suggestion = end(scene)
    assert suggestion is not None
    for _ in range(2):
        dismissed = dismiss_suggestion(
            principal=scene.operator, suggestion_id=suggestion.pk, now=NOW
        )
        assert dismissed.status == "dismissed"
    assert AuditEntry.objects.filter(action="suggestion.dismissed").count() == 1
    with pytest.raises(AlreadyReviewed):
        convert_suggestion(principal=scene.member, suggestion_id=suggestion.pk, now=NOW)


@pytest.mark.parametrize(
    ("who", "error"),
    [
        ("viewer", NotAllowed),
        ("member", NotAllowed),
        ("model", NotAllowed),
        ("stranger", NotFound),
    ],
)
def test_who_may_not_dismiss_changes_nothing(
    scene: Scene, who: str, error: type[Exception]
) -> None:
    suggestion = end(scene)
    assert suggestion is not None
    with pytest.raises(error):
        dismiss_suggestion(
            principal=getattr(scene, who), suggestion_id=suggestion.pk, now=NOW
        )
    suggestion.refresh_from_db()
    assert suggestion.status == "open"


def test_one_of_somebody_elses_private_conversation_is_not_found(scene: Scene) -> None:
    private = make_conversation(scene.member, is_private=True)
    _message, turn = add_turn(private, WISH)
    record_turn_suggestion(turn=turn, now=NOW)
    for key in (MissionSuggestionRecord.objects.get().pk, uuid.uuid4()):
        with pytest.raises(NotFound):
            dismiss_suggestion(principal=scene.operator, suggestion_id=key, now=NOW)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("One\ntwo", "One"),
        ("\n\n  spaced   out ", "spaced out"),
        ("", ""),
        ("a\x00b", "a\ufffdb"),
    ],
)
def test_a_title_is_the_first_line(text: str, title: str) -> None:
    assert suggestion_title(text) == title


def test_a_long_title_is_cut_at_a_word() -> None:
    title = suggestion_title("word " * 100)
    assert len(title) <= 200
    assert title.endswith("word…")
    assert len(suggestion_title("x" * 500)) == 200
