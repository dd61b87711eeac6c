"""What the planner's tests share."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import re
from pathlib import Path
from typing import Any

from tooling.llm.planner import PlannerBackend
from tooling.llm.planner.labels import labels_for
from tooling.llm.planner.stems import words_of
from tooling.llm.planner.wording import calm, tidy
from tooling.llm.types import (
    Finished,
    LLMRequest,
    PromptMessage,
    TextDelta,
    ToolSpec,
)

REQUESTS = [
    part.strip()
    for part in (Path(__file__).parent / "requests.txt").read_text().split("\n====\n")
]
LABELS = tuple(
    sorted(
        (
            value.partition("{}")[0].strip()
            for code in ("en", "fr")
            for value in dataclasses.asdict(labels_for(code)).values()
        ),
        key=len,
        reverse=True,
    )
)
# One word of the planner's own inside a quotation: "to" read as "should", "could" and
# "want to" as "can", and the person who says so.
JOINTS = frozenset({"should", "can", "peux", "peut", "pouvons"})
SPEAKERS = frozenset("i we je nous on".split())


def propose(*words: str) -> ToolSpec:
    return ToolSpec("mission_propose", " ".join(words), {"type": "object"})


def reading(name: str, **properties: Any) -> ToolSpec:
    return ToolSpec(name, "", {"type": "object", "properties": properties})


def ask(
    *messages: PromptMessage | str,
    tools: tuple[ToolSpec, ...] = (propose(),),
    **more: Any,
) -> tuple[str, Finished]:
    """Run one call to the planner; a plain string is a person's message."""
    prompt = tuple(
        PromptMessage("user", one) if isinstance(one, str) else one for one in messages
    )
    request = LLMRequest(system="", messages=prompt, tools=tools, **more)
    return asyncio.run(collect(PlannerBackend(delay=0), request))


async def collect(backend: PlannerBackend, request: LLMRequest) -> tuple[str, Finished]:
    """Read a stream to its end."""
    text, end = "", None
    async for event in backend.stream(request):
        if isinstance(event, TextDelta):
            assert end is None
            text += event.text
        else:
            end = event
    assert end is not None
    return text, end


def arguments(end: Finished, index: int = 0) -> dict[str, Any]:
    """Return the arguments of a call, parsed."""
    value = json.loads(end.tool_requests[index].arguments)
    assert isinstance(value, dict)
    return value


def words(text: str) -> list[str]:
    """Return the folded words of a text, elisions apart."""
    return words_of(text)


def _stands(piece: list[str], source: list[str]) -> bool:
    """Say whether words stand in the source one behind the other."""
    if not piece:
        return True
    size = len(piece)
    return any(source[i : i + size] == piece for i in range(len(source) - size + 1))


def is_quoted(source: list[str], line: str) -> bool:
    """Say whether a line is one piece of the source, but for one joint."""
    piece = words(line)
    if _stands(piece, source):
        return True
    for index, word in enumerate(piece):
        if word in JOINTS:
            head, tail = piece[:index], piece[index + 1 :]
            if head and head[-1] in SPEAKERS:
                head = head[:-1]
            if _stands(head, source) and _stands(tail, source):
                return True
    return False


def without_label(line: str) -> str:
    """Return a line without the planner's own label before it."""
    for label in LABELS:
        if line.startswith(label):
            return line[len(label) :]
    return line


def unquoted(text: str, spec: dict[str, Any]) -> list[str]:
    """Return the lines of a proposal that are no quotation of the person's text."""
    source = words(calm(tidy(text)))
    lines = [task["title"] for task in spec["tasks"]]
    lines += spec["acceptance_criteria"]
    lines += [step["title"] for step in (spec["plan"] or {"steps": []})["steps"]]
    lines = [without_label(line) for line in lines if line not in LABELS]
    # Several sentences or items of a list, each of them quoted.
    lines += re.split(r" – |: |, |\u00a0: ", spec["title"])
    lines += re.split(r"(?<=[.!?…:;]) ", spec["objective"])
    lines += [
        part
        for task in spec["tasks"]
        for part in without_label(task["detail"]).split(". ")
    ]
    return [line for line in lines if not is_quoted(source, line.rstrip("….!?"))]


def assert_shape(spec: dict[str, Any]) -> None:
    """Check the shape that `mission_propose` takes."""
    assert set(spec) == {
        "title", "objective", "tasks", "acceptance_criteria", "plan", "revises",
    }  # fmt: skip
    assert 0 < len(spec["title"]) <= 200
    assert not spec["title"].endswith(".")
    assert 0 < len(spec["objective"]) <= 4_000
    assert spec["tasks"]
    for task in spec["tasks"]:
        assert set(task) == {"title", "detail"}
        assert 0 < len(task["title"]) <= 200
        assert len(task["detail"]) <= 1_000
    assert all(isinstance(one, str) and one for one in spec["acceptance_criteria"])
    assert all(len(one) <= 500 for one in spec["acceptance_criteria"])
    if spec["plan"] is not None:
        known: set[str] = set()
        for step in spec["plan"]["steps"]:
            assert set(step) == {"id", "title", "kind", "after"}
            assert step["kind"] in {"task", "check", "wait"}
            assert set(step["after"]) <= known
            assert 0 < len(step["title"]) <= 200
            known.add(step["id"])
        assert len(known) == len(spec["plan"]["steps"])
