"""From a typed idea to exactly one Mission, by REST, on both shapes."""

from __future__ import annotations

import pytest

from tests.flows.api_client import (
    IDEA,
    IDEE,
    Caller,
    missions_of,
    uuid_key,
    wait_for_mission,
)
from tests.support.people import MEMBER, OPERATOR, STRANGER
from tests.support.stack import Stack


@pytest.fixture
def member(stack: Stack) -> Caller:
    return Caller.of(stack, MEMBER)


@pytest.fixture
def operator(stack: Stack) -> Caller:
    return Caller.of(stack, OPERATOR)


@pytest.mark.promise("D4", "D15", "D16", "D17", "D18", "D19", "D33", "D36", "D74", "N1")
@pytest.mark.parametrize(("idea", "word"), [(IDEA, "invoices"), (IDEE, "factures")])
def test_an_idea_becomes_exactly_one_mission(
    stack: Stack, member: Caller, operator: Caller, idea: str, word: str
) -> None:
    before = {
        table: stack.count(table)
        for table in (
            "missions_mission",
            "missions_workflowdraft",
            "missions_workflowversion",
            "decisions_attentionrequest",
        )
    }
    conversation = member.new_conversation()
    turn = member.ask(conversation, idea)
    assert turn["state"] == "done", turn
    assert stack.count("missions_workflowdraft") == before["missions_workflowdraft"] + 1
    assert (
        stack.count("decisions_attentionrequest")
        == before["decisions_attentionrequest"] + 1
    )
    assert stack.count("missions_mission") == before["missions_mission"]
    assert stack.count("missions_workflowversion") == before["missions_workflowversion"]

    request = operator.open_request(conversation)
    assert word in str(request["payload"]).lower()
    answer = operator.decide(request, "Approve and create")
    assert answer.status_code == 200, answer.text
    wait_for_mission(stack, request["id"], timeout=10)
    [(title, origin, status)] = stack.sql(
        "SELECT title, origin_conversation, status FROM missions_mission "
        "WHERE source_request_id = ?",
        uuid_key(stack, request["id"]),
    )
    assert title == request["payload"]["mission"]["title"]
    assert str(origin).replace("-", "") == conversation.replace("-", "")
    assert status == "ready"
    assert stack.count("missions_workflowversion") == before["missions_workflowversion"]
    detail = member.get(f"conversations/{conversation}")
    kinds = {row["kind"] for row in detail["spawned"]}
    assert {"mission", "request"} <= kinds, kinds


@pytest.mark.promise("D86")
def test_a_rejected_proposal_makes_no_mission_and_its_note_is_heard(
    stack: Stack, member: Caller, operator: Caller
) -> None:
    conversation = member.new_conversation()
    member.ask(conversation, IDEA)
    request = operator.open_request(conversation)
    answer = operator.decide(request, "Reject", "The share is being retired.")
    assert answer.status_code == 200, answer.text
    assert missions_of(stack, request["id"]) == 0
    messages = member.get(f"conversations/{conversation}/messages")["items"]
    assert messages[-1]["role"] == "notice"
    assert messages[-1]["data"]["facts"]["note"] == "The share is being retired."


@pytest.mark.promise("D85", "A9")
def test_asked_for_changes_the_next_proposal_is_a_linked_revision(
    stack: Stack, member: Caller, operator: Caller
) -> None:
    conversation = member.new_conversation()
    member.ask(conversation, IDEA)
    first = operator.open_request(conversation)
    note = "Encrypt the export file."
    assert operator.decide(first, "Request changes", note).status_code == 200
    assert stack.count("dialogue_turn", "state = 'queued'") == 0, "it ran unasked"
    member.ask(conversation, "Please propose it again with that change.")
    second = operator.open_request(conversation)
    assert second["revision"] == 2
    assert second["proposal_id"] == first["proposal_id"]
    assert "encrypt" in str(second["payload"]).lower()
    assert operator.decide(second, "Approve and create").status_code == 200
    wait_for_mission(stack, second["id"], timeout=10)
    assert missions_of(stack, first["id"]) == 0


@pytest.mark.promise("A10", "D83")
@pytest.mark.case("A20")
def test_the_second_decision_hears_who_was_first(
    stack: Stack, member: Caller, operator: Caller
) -> None:
    conversation = member.new_conversation()
    member.ask(conversation, IDEA)
    request = operator.open_request(conversation)
    assert operator.decide(request, "Approve and create").status_code == 200
    again = operator.decide(request, "Approve and create")
    assert again.status_code == 200, "the same again is a no-op"
    other = operator.decide(request, "Reject", "too late")
    assert other.status_code == 409, other.text
    wait_for_mission(stack, request["id"], timeout=10)
    late = stack.count(
        "decisions_latedecision", "request_id = ?", uuid_key(stack, request["id"])
    )
    assert late == 1, "the loser's note is kept"


@pytest.mark.case("A15")
def test_a_stranger_finds_nothing(stack: Stack, member: Caller) -> None:
    conversation = member.new_conversation()
    stranger = Caller.of(stack, STRANGER)
    own = stranger.http.get(stranger.path(f"conversations/{conversation}"))
    foreign = stranger.http.get(member.path(f"conversations/{conversation}"))
    assert own.status_code == foreign.status_code == 404
    assert own.json() == foreign.json()
