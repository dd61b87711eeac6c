"""Whatever a person types, the planner answers in shape and in their words."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tooling.llm.planner.helpers import (
    REQUESTS,
    arguments,
    ask,
    assert_shape,
    reading,
    unquoted,
)
from tooling.llm.planner.drafting import build_specifications
from tooling.llm.planner.language import detect_language

_FRAMES = [
    "We need {}", "Please add {}", "Il nous faut {}", "Ajoute {}", "Could we have {}?",
    "J'aimerais que {}", "The {} is too slow", "Propose a mission for {}", "{}",
    "- {}\n- {}", "1. Add {}\n2. Remove {}", "If it fails, send {}", "When {}, {}",
]  # fmt: skip
_TEXT = st.text(max_size=300) | st.text(
    alphabet="ab e'-,;:.!?\n>“”«»()[]1 ", max_size=300
)
_MIXED = st.lists(
    st.sampled_from([w for r in REQUESTS for w in r.split(" ")]), max_size=60
).map(" ".join)
_ANYTHING = st.tuples(st.sampled_from(_FRAMES), _TEXT | _MIXED).map(
    lambda pair: pair[0].replace("{}", pair[1])
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(_ANYTHING)
def test_any_text_is_answered_in_shape(text: str) -> None:
    said, end = ask(text, tools=(reading("mission_list", status={}),))
    assert said or end.tool_requests
    said, end = ask(text)
    assert said or end.tool_requests
    for index, call in enumerate(end.tool_requests):
        assert call.name == "mission_propose"
        assert json.loads(call.arguments)
        assert_shape(arguments(end, index))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(_ANYTHING)
def test_a_specification_is_made_of_quotations(text: str) -> None:
    for spec in build_specifications(text, detect_language(text)):
        assert unquoted(text, spec.as_arguments()) == []


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(max_size=200), st.text(max_size=200))
def test_the_same_prompt_gets_the_same_answer(first: str, second: str) -> None:
    assert ask(first, second) == ask(first, second)
