"""The requests that the planner is read on, and their page, `docs/planner.md`.

The page lists the requests of `docs/planner-requests.txt`, where that file stands.
Three earlier sets of sixty beside this module prompted repairs of the rules; they stay
under test alone.

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
REQUESTS = DOCS / "planner-requests.txt"
SEEN = tuple(
    Path(__file__).with_name(f"sixty_{name}.txt")
    for name in ("first", "second", "third")
)
PAGE = DOCS / "planner.md"
BEGIN, END = "<!-- judged: begin -->", "<!-- judged: end -->"
TOOL = "mission_propose"
_SEPARATOR = "\n---\n"
_HEAD = """# The offline planner

The planner is the embedded default behind the interface of every model backend: rules
in the product's own process, English and French. It calls no model and opens no
connection. It reads a person's message and the tools that are served to it, and
nothing else. From a wish, a need, an order, a rule or a complaint it draws a proposal:
title, objective, tasks, acceptance criteria and, where there are several tasks, a plan.

**It quotes.** Each task and each criterion is one piece of the message as the person
typed it, without greeting and words of asking, behind one of a few labels: *Set up*,
*Ensure:*, *Deal with:* for tasks; *In place:*, *Done:*, *As asked:*, *Dealt with:* for
criteria (French: *Mettre en place*, *À garantir*, *À traiter*, *En place*, *Fait*,
*Comme demandé*, *Traité*). Inside a quotation two words may change: "the till to open"
reads "the till should open", and "I want to see" or "they could see" reads "can see".
Nothing else is inflected, moved or left out within a piece, so a proposal cannot turn
what a person said; where no rule knows how a sentence asks, it stands whole. The
objective is the person's own sentences. The price is style: a criterion often says the
same as its task, and a title may be long or cut short, which its "…" shows. The planner
does not understand what it reads. A person decides every proposal, may ask for changes,
and may connect a real model on the set-up page.

`test_sixty.py` and `test_properties.py` hold it to this: for the sets below and for
generated texts, each line without its label must stand in the message, word behind
word. `test_polarity.py` holds negations and conditions. `test_sixty.py` also fails when
this page is out of date.

## What came before

Until version 0.1 the rules built sentences of their own from the person's words. Three
sets of thirty English and thirty French requests were read against them, each written
without sight of the rules. Of the third, 27 read poorly and six became no proposal;
that was the reason to quote. The three sets have been seen since, and stay under test
beside `test_sixty.py` (`sixty_first.txt`, `sixty_second.txt`, `sixty_third.txt`): each
of their 180 requests becomes a proposal, and each line of it is a quotation.
"""
_LISTED = """## Sixty requests that were not read while the rules were written

The requests below stand in [planner-requests.txt](planner-requests.txt). They were
written without sight of the rules, and nobody who worked on the rules read them before
the judgement that follows.
"""


@dataclass(frozen=True, slots=True)
class Written:
    """A request as a person typed it, with its language code."""

    number: int
    language: str
    text: str


def read_requests(path: Path = REQUESTS) -> list[Written]:
    """Return the requests of a file in order, none where there is no such file."""
    if not path.exists():
        return []
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
    parts = [_HEAD]
    listed = read_requests()
    if listed:
        parts += [_LISTED, f"{BEGIN}\n{judged}\n{END}\n", "## One by one\n"]
    for request in listed:
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
