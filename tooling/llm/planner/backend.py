"""The planner behind the interface of every backend."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tooling.intent import IntentLabel, judge_intent
from tooling.intent.cleaning import fold
from tooling.llm.planner.answers import answer_results, say
from tooling.llm.planner.drafting import build_specifications
from tooling.llm.planner.instances import smallest
from tooling.llm.planner.language import detect_language
from tooling.llm.planner.lookups import asks_about_itself, choose_lookup
from tooling.llm.planner.revise import (
    CREATE,
    PROPOSE,
    Situation,
    is_note,
    is_notice,
    is_revision,
    may_be_a_request,
    read_situation,
    revise,
    says_only_again,
)
from tooling.llm.planner.stems import stems
from tooling.llm.planner.wording import tidy
from tooling.llm.types import (
    BackendEvent,
    Finished,
    FinishReason,
    LLMRequest,
    PromptMessage,
    TextDelta,
    ToolRequest,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

# Words of an order for a Mission that do not say which.
_NAMELESS = stems(
    "create make open start add new mission missions another two three four five now"
    " please called named titled creer cree creez ouvre ouvrez lance nouvelle deux"
    " trois quatre cinq appelee nommee intitulee maintenant"
)
_CREATE_TAKES = ("title", "objective", "tasks", "acceptance_criteria")
# What the planner has no tool for is put forward, for a person to decide.
_ASKING = frozenset({IntentLabel.FEATURE_REQUEST, IntentLabel.EXECUTION_COMMAND})
MODEL_NAME = "offline-planner"
_BYTES_PER_TOKEN = 4
_PIECE = re.compile(r"\s*\S+\s*")
MAX_SHORT = 25
# "Execute it": no request, whatever its verb.
_BARE_DECISION = re.compile(
    r"\W*(?:(?:please|ok|okay|yes|oui|now|then),? )?(?:approve|reject|accept|execute"
    r"|run|publish|confirm|merge|approuve[rz]?|rejette|rejete[rz]|valide[rz]?|execute[rz]?"
    r"|publie[rz]?|confirme[rz]?)(?:[ -](?:it|this|that|them|all|everything|now|la|le"
    r"|les|tout|ca|cela|please|svp))*\W*"
)
# What is no request and no question, by how it begins.
_SHORT_ANSWERS = (
    (
        "decide",
        re.compile(
            r"\W*(?:(?:please|ok|okay|yes|oui|alors|then|go ahead and|i|we|je|nous|you"
            r"|can you|could you|peux-tu|vous)[ ,!.]+)*(?:approve[ds]?|reject|accept"
            r"|decline|deny|refuse|publish|execute|run|merge|confirm|yes|yep|go ahead"
            r"|do it|ok|okay|lgtm|approuve[rz]?|rejette|rejete[rz]|accepte[rz]?"
            r"|refuse[rz]?|valide[rz]?|publie[rz]?|execute[rz]?|confirme[rz]?|oui"
            r"|d'accord|vas-y|allez-y|c'est bon)\b"
        ),
    ),
    (
        "held",
        re.compile(
            r"\W*(?:please |surtout |but |mais |so )?(?:do not|don't|dont|never|not yet"
            r"|no need|no\b|nope|hold off|wait|ne |n'|pas |non\b|inutile|attends?"
            r"|attendez|laisse)"
        ),
    ),
    (
        "welcome",
        re.compile(r"\W*(?:thanks|thank you|thx|merci|cheers|perfect|great|super)\b"),
    ),
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the planner answers: a text, or calls to tools."""

    text: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()


def _tokens(text: str) -> int:
    size = len(text.encode("utf-8", "surrogatepass"))
    return -(-size // _BYTES_PER_TOKEN)


def _input_text(request: LLMRequest) -> str:
    parts = [request.system]
    for message in request.messages:
        parts.append(message.text)
        parts += [call.name + call.arguments for call in message.tool_calls]
    for tool in request.tools:
        parts.append(f"{tool.name}{tool.description}{json.dumps(tool.parameters)}")
    return "".join(parts)


def _results(messages: Sequence[PromptMessage]) -> list[tuple[str, str]]:
    """Return the tool results that follow the person's last message."""
    last = -1
    for index, message in enumerate(messages):
        if message.role == "user" and not is_note(message):
            last = index
    names = {c.id: c.name for m in messages for c in m.tool_calls}
    return [
        (m.tool_name or names.get(m.tool_call_id, ""), m.text)
        for m in messages[last + 1 :]
        if m.role == "tool"
    ]


def plan_reply(request: LLMRequest) -> Reply:
    """Decide what to answer. Pure: same request, same reply.

    Only text in the user role decides; tool results are shown and never obeyed.
    """
    messages = [m for m in request.messages if not is_notice(m)]
    situation = read_situation(messages)
    language = detect_language(tidy(situation.text), request.language)
    results = _results(messages)
    if results:
        return Reply(answer_results(results, language))
    if request.json_schema is not None:
        value = smallest(request.json_schema, tidy(situation.text)[:200])
        return Reply(json.dumps(value, ensure_ascii=False))
    return _answer(situation, request, language)


def _answer(situation: Situation, request: LLMRequest, language: str) -> Reply:
    text = tidy(situation.text)
    if _BARE_DECISION.fullmatch(fold(text)):
        return Reply(say("decide", language))
    intent = judge_intent(text)
    again = is_revision(situation)
    if not situation.request and says_only_again(text):
        return Reply(say("about", language))
    if not again and intent.label is IntentLabel.EXECUTION_COMMAND:
        if CREATE not in intent.tools:
            return Reply(say("order", language))
        if not stems(text) - _NAMELESS:
            return Reply(say("unnamed", language))
        if _serves(request, CREATE):
            return Reply(calls=_creations(text, language))
    if again or intent.label in _ASKING:
        if not stems(text):
            return Reply(say("about", language))
        if not _serves(request, PROPOSE):
            return Reply(say("off", language))
        found = revise(situation, language) if again else []
        found = found or build_specifications(text, language)
        calls = tuple((PROPOSE, spec.as_arguments()) for spec in found if spec.title)
        return Reply(calls=calls) if calls else Reply(say("about", language))
    if intent.label is IntentLabel.QUESTION:
        return _answer_question(text, request, language)
    folded = fold(text.strip())
    for key, pattern in _SHORT_ANSWERS:
        if len(folded.split()) <= MAX_SHORT and pattern.match(folded):
            return Reply(say(key, language))
    offers = _serves(request, PROPOSE) and may_be_a_request(text)
    return Reply(say("offer" if offers else "about", language))


def _serves(request: LLMRequest, name: str) -> bool:
    return any(tool.name == name for tool in request.tools)


def _creations(text: str, language: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return calls that create what an explicit order names; the gate judges them."""
    return tuple(
        (CREATE, {name: spec.as_arguments()[name] for name in _CREATE_TAKES})
        for spec in build_specifications(text, language)
        if spec.title
    )


def _answer_question(text: str, request: LLMRequest, language: str) -> Reply:
    if asks_about_itself(text):
        about_rows = "mission" in fold(text) or "propos" in fold(text)
        return Reply(say("how" if about_rows else "about", language))
    lookup = choose_lookup(text, request.tools)
    if lookup is None:
        return Reply(say("unknown", language))
    return Reply(calls=((lookup.name, lookup.arguments),))


def _tool_request(index: int, name: str, arguments: str, turn: int) -> ToolRequest:
    digest = hashlib.sha256(f"{turn}:{index}:{name}:{arguments}".encode()).hexdigest()
    return ToolRequest(f"call_{digest[:16]}", name, arguments)


class PlannerBackend:
    """The embedded default: rules in this process, no model, no network, no database.

    `delay` is the pause in seconds after each streamed word.
    """

    kind = "planner"

    def __init__(self, delay: float = 0.012) -> None:
        self._delay = delay

    async def stream(self, request: LLMRequest) -> AsyncIterator[BackendEvent]:
        """Yield the answer word by word, then `Finished`."""
        # Long odd texts take the rules a while; other streams must not wait for it.
        reply = await asyncio.to_thread(plan_reply, request)
        budget = request.max_output_tokens * _BYTES_PER_TOKEN
        written = ""
        for piece in _PIECE.findall(reply.text):
            if len((written + piece).encode()) > budget:
                usage = self._usage(request, written)
                yield Finished(FinishReason.LENGTH, usage, MODEL_NAME)
                return
            written += piece
            yield TextDelta(piece)
            await asyncio.sleep(self._delay)
        calls = tuple(
            _tool_request(i, name, _dump(arguments), len(request.messages))
            for i, (name, arguments) in enumerate(reply.calls)
        )
        output = written + "".join(call.name + call.arguments for call in calls)
        reason = FinishReason.TOOL_CALLS if calls else FinishReason.STOP
        yield Finished(reason, self._usage(request, output), MODEL_NAME, calls)

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _usage(self, request: LLMRequest, output: str) -> Usage:
        return Usage(fresh=_tokens(_input_text(request)), output=_tokens(output))


def _dump(arguments: dict[str, Any]) -> str:
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
