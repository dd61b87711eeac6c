from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from missions.models import (
    Materialisation,
    Mission,
    MissionSuggestionRecord,
    MissionTask,
    WorkflowDraft,
    WorkflowVersion,
)
from missions.services.publishing import publish_draft
from missions.services.suggestions import record_turn_suggestion
from tests.missions.api.test_api import make_mission
from tests.missions.support import (
    NOW,
    SOUND_PLAN,
    Scene,
    add_turn,
    build_scene,
    make_conversation,
    propose,
    settle,
    user_of,
)

if TYPE_CHECKING:
    from django.db.models import Model

pytestmark = pytest.mark.django_db
MODELS = (
    Mission,
    MissionTask,
    WorkflowDraft,
    WorkflowVersion,
    Materialisation,
    MissionSuggestionRecord,
)


def first(model: type[Model]) -> Model:
    """Return a row of a model."""
    row = model._default_manager.first()  # noqa: SLF001 -- public in Django
    assert row is not None
    return row


def address(model: type[Model], page: str, *parts: object) -> str:
    return reverse(f"admin:missions_{model.__name__.lower()}_{page}", args=parts)


def fill(scene: Scene) -> None:
    """Make a row of every model."""
    mission = make_mission(scene)
    proposed = propose(scene, plan=SOUND_PLAN)
    settle(proposed.request, "Approve and create", scene.operator)
    publish_draft(
        principal=scene.operator, draft_id=proposed.draft.pk, edit_version=1, now=NOW
    )
    Materialisation.objects.create(
        request=proposed.request, state="created", mission=mission
    )
    _message, turn = add_turn(scene.conversation, "Another wish.")
    record_turn_suggestion(turn=turn, now=NOW)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_rows_are_read_and_nothing_else(scene: Scene, model: type[Model]) -> None:
    fill(scene)
    client = Client()
    client.force_login(user_of(scene.operator))
    row = first(model)
    assert client.get(address(model, "changelist")).status_code == 200
    assert client.get(address(model, "change", row.pk)).status_code == 200
    assert client.get(address(model, "add")).status_code == 403
    assert client.get(address(model, "delete", row.pk)).status_code == 403
    assert client.post(address(model, "change", row.pk), {}).status_code == 403
    assert model in admin.site._registry  # noqa: SLF001 -- Django has no other way


@pytest.mark.lesson("H-16")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_rows_of_another_team_are_not_there(scene: Scene, model: type[Model]) -> None:
    fill(build_scene("globex"))
    client = Client()
    client.force_login(user_of(scene.operator))
    row = first(model)
    listed = client.get(address(model, "changelist")).content.decode()
    assert str(row.pk) not in listed
    # The admin answers an unknown key with a redirect to its front page.
    assert client.get(address(model, "change", row.pk)).status_code == 302


def test_suggestions_of_private_conversations_of_others_are_not_there(
    scene: Scene,
) -> None:
    private = make_conversation(scene.member, is_private=True)
    _message, turn = add_turn(private, "A secret wish.")
    record_turn_suggestion(turn=turn, now=NOW)
    client = Client()
    client.force_login(user_of(scene.operator))
    listed = client.get(address(MissionSuggestionRecord, "changelist"))
    assert "A secret wish." not in listed.content.decode()
