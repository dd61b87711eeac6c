from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING

import pytest
from django.template.loader import render_to_string

from dialogue.cards import find_card, load_cards
from dialogue.spawned import list_spawned
from missions.models import Mission, MissionSuggestionRecord
from missions.services.suggestions import SWITCH_SETTING, record_turn_suggestion
from tests.missions.api.test_api import make_mission
from tests.missions.support import (
    NOW,
    Scene,
    add_turn,
    build_scene,
    make_conversation,
    propose,
)

if TYPE_CHECKING:
    from django.conf import LazySettings

pytestmark = pytest.mark.django_db


def rendered(kind: str, card: dict[str, object]) -> str:
    found = find_card(kind)
    assert found is not None
    return render_to_string(found.template, {"card": card})


@pytest.mark.lesson("H-07")
def test_a_mission_card_shows_the_live_state(scene: Scene) -> None:
    mission = make_mission(scene)
    ref = {"kind": "mission", "id": str(mission.pk)}
    Mission.objects.filter(pk=mission.pk).update(status="running")
    cards = load_cards(refs=[ref], principal=scene.member)
    card = cards["mission", str(mission.pk)]
    assert (card["status"], card["tasks"]) == ("running", 2)
    assert json.loads(json.dumps(card)) == card
    html = rendered("mission", card)
    assert f'href="/t/acme/missions/{mission.pk}/"' in html


@pytest.mark.promise("A16")
def test_a_suggestion_card_says_why_and_names_the_setting(
    scene: Scene, settings: LazySettings
) -> None:
    settings.WRITE_TOOLS_SERVED = False
    record_turn_suggestion(turn=scene.turn, now=NOW)
    ref = {"kind": "suggestion", "id": str(MissionSuggestionRecord.objects.get().pk)}
    (card,) = load_cards(refs=[ref], principal=scene.member).values()
    assert card["setting"] == SWITCH_SETTING
    assert SWITCH_SETTING in rendered("suggestion", card)
    assert card["propose_url"]
    (seen,) = load_cards(refs=[ref], principal=scene.viewer).values()
    assert not seen["propose_url"]


@pytest.mark.lesson("H-16")
def test_cards_of_another_team_and_unknown_ones_are_not_there(scene: Scene) -> None:
    mission = make_mission(build_scene("globex"))
    refs = [
        {"kind": "mission", "id": str(mission.pk)},
        {"kind": "mission", "id": str(uuid.uuid4())},
        {"kind": "suggestion", "id": str(uuid.uuid4())},
    ]
    assert load_cards(refs=refs, principal=scene.member) == {}


@pytest.mark.promise("D34", "D42")
def test_a_conversation_lists_all_that_it_spawned(scene: Scene) -> None:
    mission = make_mission(scene)
    proposed = propose(scene)
    _message, turn = add_turn(scene.conversation, "And one more thing, please.")
    record_turn_suggestion(turn=turn, now=NOW)
    rows = list_spawned(
        tenant_id=scene.tenant.pk, conversation_id=scene.conversation.pk
    )
    kinds = {(row.kind, row.id) for row in rows}
    assert ("mission", mission.pk) in kinds
    assert ("draft", proposed.draft.pk) in kinds
    assert ("request", proposed.request.pk) in kinds
    assert ("suggestion", MissionSuggestionRecord.objects.get().pk) in kinds
    assert sum(kind == "task" for kind, _key in kinds) == 2
    elsewhere = make_conversation(scene.member)
    assert not list_spawned(tenant_id=scene.tenant.pk, conversation_id=elsewhere.pk)
