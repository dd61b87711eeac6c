"""The requests that the planner is read on, and their page, `docs/planner.md`.

The page lists the requests of `docs/planner-requests.txt`, where that file stands.
Two earlier sets of sixty, `sixty_first.txt` and `sixty_second.txt` beside this module,
prompted repairs of the rules; they stay under test alone.

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
FIRST_REQUESTS = Path(__file__).with_name("sixty_first.txt")
SECOND_REQUESTS = Path(__file__).with_name("sixty_second.txt")
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

It is built not to turn what a person said. Each task and criterion is held to the
clause that it was drawn from: where that clause carries a negation, an exclusion or a
condition (not, never, nobody, without, except, only, if, unless; ne ... pas, rien,
sans, sauf, si, quand) that the derived sentence has lost, or where a rule shows that it
misread, the person's own clause stands there instead, without greeting and words of
asking, with a capital and a full stop. One turning is meant: a bare complaint that
something does not work ("The export does not work") sets the criterion that it works.
The rules cannot tell a clumsy sentence from a good one, and they do fail: the judgement
below says how often, and how. Whole clauses are dropped now and then, and a complaint
is sometimes set as the thing to reach.

`test_sixty.py` fails when this page is out of date, when a request that is not listed
there as silent becomes no well-formed proposal, and when a word of a proposal comes
neither from the person nor from the test's list of small words. `test_polarity.py`
beside it holds negations and conditions of many sentences to what is derived from them.

## Two sets that the rules have seen

The first set, thirty English and thirty French requests, was read before any repair: 12
proposals were good (could be approved as they stood), 26 acceptable (the main need
right, a line clumsy) and 22 poor (an operator would send them back; one of these became
no proposal). General repairs of the rules followed; after them 21 were good, 32
acceptable and 7 poor, by then of requests that had been seen. The set stands in
`tests/tooling/llm/planner/sixty_first.txt`.

The second set, again thirty and thirty, was written without sight of the rules, the
tests or the first set, and judged with nothing repaired: 15 good, 22 acceptable and 23
poor. Three became no proposal (12, 20, 56), four set a criterion that was the contrary
of the request (21, 27, 51, 55; one line of 34 besides), one lost a condition (25), and
nine held a word of the planner's own such as "fix" or "corriger". After that judgement
the rules about negation, conditions and the fall-back to the person's own words were
repaired, so the second set counts as seen too, and its figures tell of the rules as
they were. It has not been judged anew. It stands in
`tests/tooling/llm/planner/sixty_second.txt`. The same hand wrote the requests and
judged them; the judgements are opinions.
"""
_LISTED = """## Sixty requests that were not read while the rules were written

The requests below stand in [planner-requests.txt](planner-requests.txt). They were
written without sight of the rules, and nobody who worked on the rules read them. Only
the numbers of those that became no proposal were seen; what followed from that is said
below.
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
