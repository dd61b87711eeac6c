"""A Mission's page says what was changed since, by whom, before and after."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.missions.support import Scene, call_tool, make_mission, user_of

pytestmark = pytest.mark.django_db


def test_the_page_lists_what_the_model_changed(writing: Scene, client: Client) -> None:
    mission = make_mission(writing)
    client.force_login(user_of(writing.member))
    address = f"/t/{writing.tenant.slug}/missions/{mission.pk}/"
    assert "What was changed since" not in client.get(address).content.decode()
    key, task = str(mission.pk), str(mission.tasks.get().pk)
    call_tool(writing, "mission_update", {"id": key, "title": "Weekly <b>export</b>"})
    call_tool(writing, "task_create", {"mission_id": key, "title": "Alert"})
    call_tool(writing, "task_update", {"id": task, "status": "blocked"})
    page = client.get(address).content.decode()
    for text in (
        "the model, for mia",
        "<del>Nightly export</del> <ins>Weekly &lt;b&gt;export&lt;/b&gt;</ins>",
        "<ins>Alert</ins>",
        "<del>To do</del> <ins>Blocked</ins>",
    ):
        assert text in page
    places = [
        page.index(text)
        for text in (
            "A task was changed",
            "A task was added",
            "The Mission was changed",
        )
    ]
    assert places == sorted(places)
