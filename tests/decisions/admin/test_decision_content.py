from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from decisions.kinds import APPROVAL_OPTIONS, EffectLine, RequestSubject
from decisions.models import AttentionRequest, MakerKind, RequestKind, Resolution
from decisions.services.raising import raise_request
from missions.models import Mission
from missions.services.materialising import materialise
from tests.decisions.admin.support import SignIn, html_of, page, send
from tests.decisions.support import APPROVE, CHANGES, LATER, REJECT, choose, raised
from tests.missions.support import NOW, SOUND_PLAN, Scene, user_of
from tooling.append_only import maintenance


@pytest.mark.promise("D76", "D77", "D78", "D89")
@pytest.mark.lesson("H-09", "H-21")
def test_the_page_shows_all_that_a_decision_needs(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    html = html_of(signed_in(scene.operator).get(page(request_)))
    mission = request_.payload["mission"]
    shown = [mission["title"], mission["objective"], *mission["acceptance_criteria"]]
    shown += [text for task in mission["tasks"] for text in task.values()]
    for text in shown:
        assert text in html
    parts = [
        *(
            "effect-title",
            "content-title",
            'class="flow',
            "origin-title",
            "decision-note",
        ),
        f'value="{APPROVE}"',
        f'value="{CHANGES}"',
        f'value="{REJECT}"',
    ]
    places = [html.index(part) for part in parts]
    assert places == sorted(places)
    # Where it came from: the person's own words, and the way there.
    assert scene.message.text in html
    chat = reverse("dialogue:chat", args=["acme", scene.conversation.pk])
    assert f'href="{chat}"' in html
    # The unpublished draft, marked as the placeholder that it is.
    draft = reverse("missions:draft", args=["acme", request_.draft.pk])
    assert f'href="{draft}"' in html
    assert "Placeholder" in html
    assert f'name="payload_hash" value="{request_.payload_hash}"' in html
    assert 'name="revision" value="1"' in html


@pytest.mark.lesson("H-25", "H-24")
def test_nothing_is_focused_and_approving_takes_two_steps(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    html = html_of(signed_in(scene.operator).get(page(request_)))
    assert "autofocus" not in html
    assert "accesskey" not in html
    button = html.index(f'value="{APPROVE}"')
    opened = html.rindex("<details", 0, button)
    assert "</details>" not in html[opened:button]
    # Strict content policy: nothing inline.
    main = html[html.index("<article") : html.index("</article>")]
    assert "style=" not in main
    assert "onclick" not in main
    assert "<script" not in main


@pytest.mark.lesson("H-21")
@pytest.mark.case("A17")
def test_a_long_text_is_whole_on_the_page_with_the_button(
    scene: Scene, signed_in: SignIn
) -> None:
    objective = "x" * 5_900 + "\nbudget: 999999"
    request = raised(scene, objective=objective)
    html = html_of(signed_in(scene.operator).get(page(request)))
    assert f'data-fold="{len(objective)}"' in html
    assert "budget: 999999" in html
    assert "data-approve" in html


@pytest.mark.lesson("H-21")
@pytest.mark.case("A17")
def test_every_field_of_an_unknown_subject_is_on_the_page(
    scene: Scene, signed_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = RequestSubject(
        name="anything",
        kind=RequestKind.APPROVAL,
        options=APPROVAL_OPTIONS,
        check_payload=lambda payload: payload,
        title_of=lambda _payload: "Thirty fields",
        effect=lambda _payload: [EffectLine("Nothing happens.")],
    )
    monkeypatch.setattr("decisions.kinds._SUBJECTS", {"anything": subject})
    payload = {f"field{n}": f"value{n}" for n in range(29)}
    payload["field29"] = "x" * 5_985 + "\nbudget: 999999"
    with transaction.atomic():
        request = raise_request(
            tenant_id=scene.tenant.pk,
            maker_kind=MakerKind.HUMAN,
            requested_by_id=user_of(scene.member).pk,
            subject="anything",
            title="Thirty fields",
            payload=payload,
            now=NOW,
        ).request
    html = html_of(signed_in(scene.operator).get(page(request)))
    button = html.index(f'value="{APPROVE}"')
    for name, value in payload.items():
        assert 0 < html.index(f"<code>{name}</code>") < button
        assert " ".join(value.split()) in html
    assert 'data-fold="6000"' in html


@pytest.mark.lesson("H-09")
def test_damaged_content_is_shown_raw_and_can_be_rejected(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    with maintenance():
        AttentionRequest.objects.update(payload={"mission": {"titel": "Damaged"}})
    client = signed_in(scene.operator)
    html = html_of(client.get(page(request_)))
    assert "cannot be read" in html
    assert "<code>mission.titel</code>" in html
    chat = signed_in(scene.member).get(
        reverse("decisions:request", args=["acme", request_.pk])
    )
    assert chat.status_code == 200
    assert send(client, request_, REJECT).status_code == 302


@pytest.mark.lesson("H-21")
def test_hidden_characters_are_marked_with_a_warning(
    scene: Scene, signed_in: SignIn
) -> None:
    request = raised(scene, objective="Pay \u202e0001\u202c euros\u200b now")
    html = html_of(signed_in(scene.operator).get(page(request)))
    assert "\u202e" not in html
    assert "\u200b" not in html
    assert "U+202E" in html
    assert "U+200B" in html
    assert "Careful" in html


@pytest.mark.lesson("H-21")
def test_what_the_model_wrote_is_plain_text(scene: Scene, signed_in: SignIn) -> None:
    request = raised(
        scene,
        title="<script>alert(1)</script>",
        objective="[click](https://evil.test) <img src=x onerror=alert(1)>",
    )
    html = html_of(signed_in(scene.operator).get(page(request)))
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert 'href="https://evil.test"' not in html


@pytest.mark.promise("A11")
@pytest.mark.lesson("H-05")
def test_what_followed_is_shown_with_a_retry_that_needs_no_decision(
    scene: Scene,
    request_: AttentionRequest,
    signed_in: SignIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = signed_in(scene.operator)
    choose(request_, scene.operator)

    def fail(**_arguments: Any) -> Mission:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("missions.services.materialising.create_mission", fail)
        materialise(request_id=request_.pk, now=LATER)
    html = html_of(client.get(page(request_)))
    assert "it is being tried again" in html
    retry = reverse("admin:decisions_attentionrequest_retry", args=[request_.pk])
    assert f'action="{retry}"' in html
    assert client.post(retry).status_code == 302
    mission = Mission.objects.get()
    html = html_of(client.get(page(request_)))
    address = reverse("missions:mission", args=["acme", mission.pk])
    assert f'href="{address}"' in html
    assert f'action="{retry}"' not in html
    assert Resolution.objects.count() == 1


def test_a_strangers_retry_is_not_found(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    choose(request_, scene.operator)
    retry = reverse("admin:decisions_attentionrequest_retry", args=[request_.pk])
    assert signed_in(scene.stranger).post(retry).status_code == 404
    assert not Mission.objects.exists()


@pytest.mark.lesson("H-12")
def test_an_edit_on_a_page_of_its_own(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    client = signed_in(scene.operator)
    address = reverse("admin:decisions_attentionrequest_edit", args=[request_.pk])
    html = html_of(client.get(address))
    assert 'name="mission.title"' in html
    assert 'name="workflow' not in html
    form = {
        "revision": "1",
        "payload_hash": request_.payload_hash,
        "mission.title": "Weekly export",
        "mission.tasks.1.title": "",
        "mission.tasks.1.detail": "",
        "rows:mission.acceptance_criteria": "1",
        "mission.acceptance_criteria.0": "First.",
        "mission.acceptance_criteria.3": "  ",
        "mission.acceptance_criteria.7": "Second.\r\nIn two lines.",
        "mission.priority": "urgent",
    }
    response = client.post(address, form)
    assert response.status_code == 400
    assert "Weekly export" in html_of(response)
    assert AttentionRequest.objects.count() == 1
    response = client.post(address, {**form, "mission.priority": "high"})
    assert response.status_code == 302
    new = AttentionRequest.objects.get(revision=2)
    assert response["Location"] == page(new)
    mission = new.payload["mission"]
    assert (new.title, mission["priority"]) == ("Weekly export", "high")
    assert mission["acceptance_criteria"] == ["First.", "Second.\nIn two lines."]
    assert [task["title"] for task in mission["tasks"]] == ["Write the export"]
    assert new.payload["workflow"] == request_.payload["workflow"]
    assert client.post(address, form).status_code == 409


def sent_by(html: str) -> dict[str, str]:
    """Return what a browser without scripts would send of the edit form."""
    shown = re.sub(r"<template>.*?</template>", "", html, flags=re.DOTALL)
    inputs = re.findall(r'<input type="\w+"[^>]* name="([^"]+)" value="([^"]*)"', shown)
    areas = re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>([^<]*)<', shown)
    return {
        name: unescape(value)
        for name, value in (*inputs, *areas)
        if name != "csrfmiddlewaretoken"
    }


def test_entries_are_added_and_removed_without_a_script(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    client = signed_in(scene.operator)
    address = reverse("admin:decisions_attentionrequest_edit", args=[request_.pk])
    before = request_.payload["mission"]
    form = sent_by(html_of(client.get(address)))
    for button, value in (
        ("add", "mission.tasks"),
        ("add", "mission.acceptance_criteria"),
        ("remove", "mission.tasks.0"),
    ):
        response = client.post(address, {**form, button: value})
        assert response.status_code == 200
        assert AttentionRequest.objects.count() == 1
        form = sent_by(html_of(response))
    assert "mission.tasks.0.title" not in form
    added = f"mission.tasks.{len(before['tasks'])}"
    form |= {
        f"{added}.title": "Watch it",
        f"mission.acceptance_criteria.{len(before['acceptance_criteria'])}": "Seen.",
    }
    assert client.post(address, form).status_code == 302
    after = AttentionRequest.objects.get(revision=2).payload["mission"]
    assert after["tasks"] == [
        *before["tasks"][1:],
        {"title": "Watch it", "detail": ""},
    ]
    assert after["acceptance_criteria"] == [*before["acceptance_criteria"], "Seen."]
    unchanged = {name for name in before if before[name] == after[name]}
    assert unchanged == {"title", "objective", "priority"}


def test_an_added_entry_that_stays_empty_is_not_kept(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    client = signed_in(scene.operator)
    address = reverse("admin:decisions_attentionrequest_edit", args=[request_.pk])
    form = sent_by(html_of(client.get(address)))
    for path in ("mission.tasks", "mission.acceptance_criteria"):
        form = sent_by(html_of(client.post(address, {**form, "add": path})))
    response = client.post(address, form)
    assert response.status_code == 400
    assert "Nothing was changed" in html_of(response)
    assert AttentionRequest.objects.count() == 1


def test_all_entries_can_go_and_come_back(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    client = signed_in(scene.operator)
    address = reverse("admin:decisions_attentionrequest_edit", args=[request_.pk])
    form = sent_by(html_of(client.get(address)))
    kept = {k: v for k, v in form.items() if not re.search(r"\.(tasks|acc\w+)\.", k)}
    assert client.post(address, kept).status_code == 302
    emptied = AttentionRequest.objects.get(revision=2)
    assert emptied.payload["mission"]["tasks"] == []
    assert emptied.payload["mission"]["acceptance_criteria"] == []
    again = reverse("admin:decisions_attentionrequest_edit", args=[emptied.pk])
    form = sent_by(html_of(client.get(again)))
    form |= {"mission.tasks.0.title": "Anew", "mission.acceptance_criteria.0": "It is."}
    assert client.post(again, form).status_code == 302
    filled = AttentionRequest.objects.get(revision=3).payload["mission"]
    assert filled["tasks"] == [{"title": "Anew", "detail": ""}]
    assert filled["acceptance_criteria"] == ["It is."]


def test_the_enter_key_saves_and_adds_or_removes_nothing(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    address = reverse("admin:decisions_attentionrequest_edit", args=[request_.pk])
    html = html_of(signed_in(scene.operator).get(address))
    form = html[html.index('id="content-main"') :]
    first = re.search(r"<button[^>]*>", form)
    assert first is not None
    assert "name=" not in first[0]


def test_an_edit_of_a_stale_page_is_a_conflict(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    address = reverse("admin:decisions_attentionrequest_edit", args=[request_.pk])
    form = {"revision": "1", "payload_hash": "0" * 64, "mission.title": "X"}
    assert signed_in(scene.operator).post(address, form).status_code == 409
    assert signed_in(scene.stranger).get(address).status_code == 404
    assert AttentionRequest.objects.count() == 1


@pytest.mark.promise("L5")
def test_in_french_labels_stand_beside_identifiers(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    client = signed_in(scene.operator)
    client.cookies["django_language"] = "fr"
    html = html_of(client.get(page(request_)))
    assert '<html lang="fr"' in html
    for option in (APPROVE, CHANGES, REJECT):
        assert f'value="{option}"' in html
    assert send(client, request_, APPROVE).status_code == 302
    assert Resolution.objects.get().option == APPROVE


def test_a_private_conversation_is_not_quoted(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    type(scene.conversation).objects.update(is_private=True)
    html = html_of(signed_in(scene.operator).get(page(request_)))
    assert scene.message.text not in html
    assert "private conversation" in html


@pytest.mark.promise("D89", "D91")
def test_a_sound_plan_is_drawn_without_the_mark(
    scene: Scene, signed_in: SignIn
) -> None:
    request = raised(scene, plan=SOUND_PLAN)
    html = html_of(signed_in(scene.operator).get(page(request)))
    assert "<svg" in html
    assert "flow--placeholder" not in html


def test_statements_do_not_grow_with_the_payload(
    scene: Scene, signed_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    client = signed_in(scene.operator)
    tasks = [{"title": f"Task {n}", "detail": "d" * 700} for n in range(30)]
    request = raised(scene, tasks=tasks)
    client.get(page(request))
    with django_assert_max_num_queries(22):
        assert client.get(page(request)).status_code == 200
