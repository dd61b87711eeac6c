"""The requests that the planner is read on, and their page, `docs/planner.md`.

The page shows the second sixty, `docs/planner-requests-2.txt`, to which no rule was
tuned. The first sixty, `sixty_first.txt` beside this module, prompted repairs of the
rules; they stay under test alone.

`python -m tests.tooling.llm.planner.sixty` writes the page anew; what is written by
hand between its markers stays.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

from tooling.llm.planner.backend import plan_reply
from tooling.llm.types import LLMRequest, PromptMessage

DOCS = Path(__file__).parents[4] / "docs"
REQUESTS = DOCS / "planner-requests-2.txt"
FIRST_REQUESTS = Path(__file__).with_name("sixty_first.txt")
PAGE = DOCS / "planner.md"
BEGIN, END = "<!-- judged: begin -->", "<!-- judged: end -->"
TOOL = "mission_propose"
_SEPARATOR = "\n---\n"
_HEAD = """# The offline planner

The planner is the embedded default behind the interface of every model backend: rules
in the product's own process, English and French. It calls no model and opens no
connection. It reads a person's message and the tools that are served to it, and
nothing else. From a wish, a need, an order or a complaint it draws a proposal: title,
objective, tasks, acceptance criteria and, where there are several tasks, a plan. All
content words are the person's own, inflected where the sentence needs it; the planner
adds only words of a closed list, such as "set up" or "mettre en place". It does not
understand what it reads. A person decides every proposal, may ask for changes, and may
connect a real model on the set-up page.

The sixty requests below (thirty English, thirty French) stand in
[planner-requests-2.txt](planner-requests-2.txt). They were written after the planner's
rules and without sight of its code, its tests or any earlier request, and no rule was
changed for them. This page is written by `python -m tests.tooling.llm.planner.sixty`;
`test_sixty.py` beside it fails when the page is out of date, when a request becomes no
well-formed proposal, and when a word of a proposal comes neither from the person nor
from the test's list of small words. The requests for which that is known to fail are
named in the test and below. An earlier sixty stand under the same test, without
exception.
"""


@dataclass(frozen=True, slots=True)
class Written:
    """A request as a person typed it, with its language code."""

    number: int
    language: str
    text: str


def read_requests(path: Path = REQUESTS) -> list[Written]:
    """Return the sixty requests of a file in order."""
    blocks = path.read_text(encoding="utf-8").rstrip("\n").split(_SEPARATOR)
    found = []
    for number, block in enumerate(blocks, start=1):
        language, _, text = block.partition("\n")
        found.append(Written(number, language, text.strip()))
    return found


def proposals(request: Written) -> list[dict[str, Any]]:
    """Return the arguments of each proposal that the planner makes of a request."""
    # Needs Django set up, which running the module does last.
    from tooling.registry import find_tool

    tool = find_tool(TOOL)
    assert tool is not None
    reply = plan_reply(
        LLMRequest(
            system="",
            messages=(PromptMessage("user", request.text),),
            tools=(tool.spec(),),
            language=request.language,
        )
    )
    assert {name for name, _ in reply.calls} <= {TOOL}
    return [arguments for _, arguments in reply.calls]


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _described(arguments: dict[str, Any]) -> str:
    lines = [
        f"**{arguments['title']}**",
        "",
        arguments["objective"],
        "",
        "Tasks",
        "",
        *(f"{n}. {task['title']}" for n, task in enumerate(arguments["tasks"], 1)),
        "",
        "Acceptance criteria",
        "",
        *(f"- {line}" for line in arguments["acceptance_criteria"]),
    ]
    return "\n".join(lines)


def render(judged: str) -> str:
    """Return the page around the part that is written by hand."""
    parts = [_HEAD, f"{BEGIN}\n{judged}\n{END}\n", "## The sixty, one by one\n"]
    for request in read_requests():
        parts.append(f"### {request.number} ({request.language})\n")
        parts.append(_quoted(request.text) + "\n")
        found = proposals(request)
        parts += [_described(arguments) + "\n" for arguments in found]
        if not found:
            parts.append("No proposal.\n")
    return "\n".join(parts)


def judged_part(page: str) -> str:
    """Return what stands between the markers of a page."""
    return page.partition(BEGIN)[2].partition(END)[0].strip("\n")


def write_page() -> None:
    """Write the page anew and keep what was written by hand."""
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    PAGE.write_text(render(judged_part(old)), encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    write_page()
