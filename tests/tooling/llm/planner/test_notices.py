"""What the system did is no wish of the person's; costs read as sentences."""

from __future__ import annotations

import json

from tests.tooling.llm.planner.helpers import propose, reading
from tooling.llm.planner.backend import plan_reply
from tooling.llm.types import LLMRequest, PromptMessage, ToolRequest

NOTICE = PromptMessage("user", "[notice]\nThe Mission “Build an export” was created.")
COSTS = {"usd": "0.25", "calls": 3, "input_tokens": 900, "output_tokens": 40}


def request(*messages: PromptMessage) -> LLMRequest:
    return LLMRequest("", messages, tools=(propose(), reading("cost_summary")))


def test_a_notice_is_never_taken_as_the_persons_request() -> None:
    wish = PromptMessage("user", "We need a weekly report of late deliveries.")
    alone = plan_reply(request(wish))
    assert alone.calls
    assert plan_reply(request(NOTICE, wish)) == alone
    assert plan_reply(request(wish, NOTICE)) == alone
    assert not plan_reply(request(PromptMessage("user", "Thanks!"), NOTICE)).calls


def test_costs_are_answered_in_sentences() -> None:
    call = ToolRequest("c1", "cost_summary", "{}")
    answers = {}
    for text in ("How much did this cost?", "Combien cela a-t-il coûté ?"):
        result = json.dumps({"conversation": COSTS, "team": COSTS})
        answers[text] = plan_reply(
            request(
                PromptMessage("user", text),
                PromptMessage("assistant", tool_calls=(call,)),
                PromptMessage("tool", result, tool_call_id="c1"),
            )
        ).text
    english, french = answers.values()
    assert english.startswith("This conversation has cost $0.25 so far: 3 model calls")
    assert french.startswith("Cette conversation a coûté 0,25\u00a0$ jusqu’ici (appels")
