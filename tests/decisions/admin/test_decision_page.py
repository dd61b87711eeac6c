from __future__ import annotations

import copy

import pytest
from django.test import Client
from django.urls import reverse

from decisions.models import AttentionRequest, LateDecision, RequestState, Resolution
from decisions.services.editing import edit_request
from tests.decisions.admin.support import SignIn, html_of, page, send
from tests.decisions.support import APPROVE, CHANGES, LATER, REJECT
from tests.missions.support import Scene, person, user_of
from tooling.models import Membership
from tooling.policy import Principal


@pytest.mark.promise("D79", "D85", "D86")
@pytest.mark.parametrize("option", [APPROVE, CHANGES, REJECT])
def test_a_decision_by_the_form(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn, option: str
) -> None:
    client = signed_in(scene.operator)
    response = send(client, request_, option, note="Thanks.")
    assert (response.status_code, response["Location"]) == (302, page(request_))
    resolution = Resolution.objects.get()
    assert (resolution.option, resolution.note) == (option, "Thanks.")
    after = html_of(client.get(page(request_)))
    assert "ola decided" in after
    assert 'name="option"' not in after


@pytest.mark.lesson("H-24")
def test_reading_never_decides(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    client = signed_in(scene.operator)
    query = {
        "option": APPROVE,
        "revision": "1",
        "payload_hash": request_.payload_hash,
    }
    for method in (client.get, client.head, client.options):
        method(page(request_), query)
    for method in (client.put, client.patch, client.delete):
        method(page(request_))
    request_.refresh_from_db()
    assert request_.state == RequestState.OPEN
    retry = reverse("admin:decisions_attentionrequest_retry", args=[request_.pk])
    assert client.get(retry).status_code == 405


@pytest.mark.promise("D78")
@pytest.mark.lesson("H-14")
@pytest.mark.parametrize("option", ["", "approve", "yes", "1", "Approve and create "])
def test_a_forged_option_has_no_effect(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn, option: str
) -> None:
    response = send(signed_in(scene.operator), request_, option, note="kept")
    assert response.status_code == 400
    assert "kept" in html_of(response)
    request_.refresh_from_db()
    assert request_.state == RequestState.OPEN


@pytest.mark.promise("D85")
def test_request_changes_without_a_note_asks_for_one(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    response = send(signed_in(scene.operator), request_, CHANGES)
    assert response.status_code == 400
    assert "Say in the note what should change." in html_of(response)
    assert 'aria-invalid="true"' in html_of(response)


@pytest.mark.promise("A10")
@pytest.mark.lesson("H-02", "H-01")
@pytest.mark.case("A20")
def test_the_loser_of_a_race_is_told_and_keeps_the_note(
    scene: Scene, second: Principal, request_: AttentionRequest, signed_in: SignIn
) -> None:
    client = signed_in(scene.operator)
    assert send(client, request_, APPROVE).status_code == 302
    # The same person's second click.
    assert send(client, request_, APPROVE).status_code == 302
    response = send(signed_in(second), request_, REJECT, note="Too <b>dear</b>.")
    assert response.status_code == 409
    html = html_of(response)
    assert "review-notice--info" in html
    assert "ola has already decided" in html
    assert "Too &lt;b&gt;dear&lt;/b&gt;." in html
    assert LateDecision.objects.get().note == "Too <b>dear</b>."
    assert Resolution.objects.get().option == APPROVE


@pytest.mark.promise("A12")
@pytest.mark.lesson("H-10")
@pytest.mark.parametrize("stale", [{"revision": "7"}, {"payload_hash": "0" * 64}])
def test_a_stale_page_decides_nothing(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn, stale: dict[str, str]
) -> None:
    response = send(signed_in(scene.operator), request_, APPROVE, note="ok", **stale)
    assert response.status_code == 409
    assert "has changed since you opened the page" in html_of(response)
    assert not Resolution.objects.exists()


@pytest.mark.lesson("H-10")
def test_an_older_revision_leads_to_the_live_one_and_shows_the_difference(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    payload = copy.deepcopy(request_.payload)
    payload["mission"]["objective"] = "A much smaller objective."
    new = edit_request(
        principal=scene.operator,
        request_id=request_.pk,
        payload=payload,
        revision=1,
        payload_hash=request_.payload_hash,
        now=LATER,
    )
    client = signed_in(scene.operator)
    response = send(client, request_, APPROVE)
    assert response.status_code == 409
    assert f'href="{page(new)}"' in html_of(response)
    html = html_of(client.get(page(new)))
    changed = html[html.index("review-changes") :]
    assert "Objective" in changed
    assert request_.payload["mission"]["objective"] in changed
    assert "A much smaller objective." in changed


@pytest.mark.promise("D66", "A13")
@pytest.mark.lesson("H-16")
def test_who_gets_the_page(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    staff = person(scene.tenant, "stef", "viewer")
    root = user_of(staff)
    root.is_staff = root.is_superuser = True
    root.save()
    for principal in (staff, scene.stranger):
        client = signed_in(principal)
        assert client.get(page(request_)).status_code == 404
        assert send(client, request_, APPROVE).status_code == 404
    for principal in (scene.viewer, scene.member):
        assert signed_in(principal).get(page(request_)).status_code == 302
        assert send(signed_in(principal), request_, APPROVE).status_code == 302
    assert Client().get(page(request_)).status_code == 302
    assert not Resolution.objects.exists()


def test_a_lost_right_counts_at_once(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    client = signed_in(scene.operator)
    assert client.get(page(request_)).status_code == 200
    person_id = scene.operator.user_id
    assert person_id is not None
    other = person(scene.tenant, "olga", "operator")
    Membership.objects.filter(user_id=person_id).update(role="member")
    assert send(client, request_, APPROVE).status_code in {302, 404}
    request_.refresh_from_db()
    assert request_.state == RequestState.OPEN
    assert send(signed_in(other), request_, APPROVE).status_code == 302


@pytest.mark.parametrize(
    "key", ["nonsense", "0", "00000000-0000-0000-0000-000000000000"]
)
def test_malformed_and_unknown_ids_are_not_found(
    scene: Scene, signed_in: SignIn, key: str
) -> None:
    client = signed_in(scene.operator)
    address = f"/admin/decisions/attentionrequest/{key}/change/"
    assert client.get(address).status_code == 404
    assert client.post(address, {"option": APPROVE}).status_code == 404


@pytest.mark.lesson("H-04")
def test_no_default_form_is_reachable(
    scene: Scene, request_: AttentionRequest, signed_in: SignIn
) -> None:
    client = signed_in(scene.operator)
    add = reverse("admin:decisions_attentionrequest_add")
    delete = reverse("admin:decisions_attentionrequest_delete", args=[request_.pk])
    changelist = reverse("admin:decisions_attentionrequest_changelist")
    everything = {"state": "resolved", "resolved_option": APPROVE, "post": "yes"}
    for address in (add, delete):
        assert client.get(address).status_code == 403
        assert client.post(address, everything).status_code == 403
    bulk = {
        "action": "delete_selected",
        "_selected_action": str(request_.pk),
        "form-TOTAL_FORMS": "1",
        "form-INITIAL_FORMS": "1",
        "form-0-id": str(request_.pk),
        "form-0-state": "resolved",
        "_save": "Save",
    }
    assert client.post(changelist, bulk).status_code in {200, 302, 403}
    request_.refresh_from_db()
    assert request_.state == RequestState.OPEN
