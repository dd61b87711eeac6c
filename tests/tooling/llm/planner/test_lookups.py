"""Questions about the live state, and how their answers read."""

from __future__ import annotations

import json

import pytest

from tests.tooling.llm.planner.helpers import ask, propose, reading
from tooling.llm.planner.answers import answer_results
from tooling.llm.types import ToolSpec

SERVED: tuple[ToolSpec, ...] = (
    propose(),
    reading("mission_list", status={"enum": ["ready", "pending", "running"]}),
    reading("task_list", query={"type": "string"}),
    reading(
        "decision_list", status={"anyOf": [{"$ref": "#/$defs/S"}, {"type": "null"}]}
    ),
    reading("cost_summary"),
    reading("workflow_list"),
    reading("conversation_list"),
    reading("suggestion_list"),
    ToolSpec(
        "conversation_search",
        "",
        {"properties": {"query": {"type": "string"}}, "required": ["query"]},
    ),
    reading("system_status"),
    ToolSpec("mission_get", "", {"properties": {"id": {}}, "required": ["id"]}),
)


@pytest.mark.promise("D44")
@pytest.mark.parametrize(
    ("question", "tool", "given"),
    [
        ("Which missions are still pending?", "mission_list", {"status": "pending"}),
        ("Quelles missions sont encore en attente ?", "mission_list",
         {"status": "pending"}),
        ("How much did this conversation cost so far?", "cost_summary", {}),
        ("Combien a coûté cette conversation jusqu'ici ?", "cost_summary", {}),
        ("Show me the open decisions.", "decision_list", {"status": "open"}),
        ("Montre-moi les décisions ouvertes.", "decision_list", {"status": "open"}),
        ("List the tasks of mission Blue Harbor.", "task_list",
         {"query": "Blue Harbor"}),
        ("Why was my proposal rejected?", "decision_list", {"status": "rejected"}),
        ("Which suggestions do we have?", "suggestion_list", {}),
        ("Quelles conversations sont ouvertes ?", "conversation_list", {}),
        ("What did we say about the gateway?", "conversation_search",
         {"query": "gateway"}),
        ("Are there any workflows?", "workflow_list", {}),
        ("What is the system status?", "system_status", {}),
    ],
)  # fmt: skip
def test_a_question_picks_its_tool(
    question: str, tool: str, given: dict[str, str]
) -> None:
    said, end = ask(question, tools=SERVED)
    assert said == ""
    assert [call.name for call in end.tool_requests] == [tool]
    assert json.loads(end.tool_requests[0].arguments) == given


def test_a_question_without_a_tool_says_so() -> None:
    said, end = ask("Which missions are open?", tools=(propose(),))
    assert end.tool_requests == ()
    assert "cannot look that up" in said


@pytest.mark.parametrize(
    "question",
    ["How do I create a mission?", "What does 'create mission' do exactly?",
     "Comment crée-t-on une mission ?", "What would happen if you created a mission?"],
)  # fmt: skip
def test_how_it_works_needs_no_tool(question: str) -> None:
    said, end = ask(question, tools=SERVED)
    assert end.tool_requests == ()
    assert "Decisions" in said or "décisions" in said


def test_a_list_is_read_out() -> None:
    items = [{"title": "Move logs", "status": "in_progress"}, {"name": "Audit"}]
    text = json.dumps({"items": items, "total": 5})
    assert answer_results([("mission_list", text)], "en") == (
        "5 found (missions):\n- Move logs — in progress\n- Audit\n… and 3 more."
    )
    assert answer_results([("task_list", '{"items": []}')], "fr") == (
        "Il n’y a rien dans les tâches."
    )


def test_a_record_is_read_out() -> None:
    text = json.dumps({"total_cost": "0.02", "calls": 3, "by_site": {"chat": 3}})
    said = answer_results([("cost_summary", text)], "en")
    assert "- total cost: 0.02" in said
    assert "- by site: chat: 3" in said


def test_several_proposals_are_named_together() -> None:
    one = json.dumps({"status": "awaiting_decision", "title": "One"})
    two = json.dumps({"status": "awaiting_decision", "title": "Two"})
    said = answer_results([("mission_propose", one), ("mission_propose", two)], "en")
    assert "- One\n- Two" in said
