"""What the planner's tests share."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tooling.intent.cleaning import fold
from tooling.intent.frames import WORD
from tooling.llm.planner import PlannerBackend, en_forms, fr_forms
from tooling.llm.planner.wording import tidy
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
# All that the planner may add to a person's words.
GLUE = frozenset(
    """a an the is are am be in place set up get add fix make have let sure speed of for
    with when if it this that no longer happens not do does can use delivered sent
    available to produced run runs every night day week month hour quarter year two
    weeks
    come comes stay stays takes take there need and under complete check against
    criteria
    requested change one they she he we i its their available gone obtained
    mettre en place prevoir faire sorte que qu corriger accelerer permettre aux au
    obtenir
    un une des le la les l d de du est sont n ne pas plus il y a ont lieu tourne
    tournent
    chaque nuit jour semaine mois trimestre annee part partent parait paraissent
    disponible
    disponibles alimente alimentent parvient parviennent peut peuvent utiliser pouvons
    nous
    pour comporte comportent permet permettent objectif atteint besoin verifier selon
    criteres modification demandee envoye envoyee envoyes envoyees c s j ceci arrive
    doit
    doivent has stopped si celui celle ceux ci se et and""".split()
)


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
    return [w for part in WORD.findall(fold(text)) for w in part.split("'") if w]


def forms_of(text: str) -> set[str]:
    """Return the words of a text with the other forms of its verbs."""
    found = set(words(text))
    for word in list(found):
        base = en_forms.base_form(word)
        if base:
            found |= {base, en_forms.third(base), en_forms.participle(base)}
            found.add(en_forms.gerund(base))
        guessed = word if fr_forms.is_infinitive(word) else ""
        infinitive = fr_forms.infinitive_of(word) or guessed
        if infinitive:
            for many in (False, True):
                for wish in (False, True):
                    found.add(fold(fr_forms.present(infinitive, many, wish)))
            for like in ("un x", "une x", "les photo", "les mois"):
                found.add(fold(fr_forms.participle(infinitive, like)))
            found.add(fold(infinitive))
        found |= {en_forms.third(word), en_forms.participle(word)}
        found.add(en_forms.gerund(word))
    return found


def strangers(source: str, written: str) -> set[str]:
    """Return words of `written` that come neither from `source` nor from the glue."""
    known = forms_of(tidy(source)) | GLUE
    return {w for w in words(written) if w not in known and not w.isdigit()}


def everything(spec: dict[str, Any]) -> str:
    """Return all text of a proposal's arguments."""
    parts = [spec["title"], spec["objective"], *spec["acceptance_criteria"]]
    for task in spec["tasks"]:
        parts += [task["title"], task["detail"]]
    for step in (spec["plan"] or {"steps": []})["steps"]:
        parts.append(step["title"])
    return "\n".join(parts)


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
