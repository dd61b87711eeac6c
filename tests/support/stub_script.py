"""What the stub provider answers: scripted steps, and the checks on a request."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

Step = dict[str, Any]
Message = dict[str, Any]

STEP_TYPES = frozenset(
    {"text", "tool_calls", "error", "cut", "broken_json", "length", "endless"}
)
# What providers take as the name of a tool, in a request and in its history.
TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
DEFAULT_STEP: Step = {"type": "text", "text": "ok"}


class BadHistoryError(ValueError):
    """The messages of a request are not a history that a provider accepts."""


class BadStepError(ValueError):
    """A scripted step cannot be played."""


@dataclass
class Script:
    """Steps in order, each used once unless it says `repeat`; then the default.

    A step with `match` waits for a request whose last user message contains it.
    """

    steps: list[Step] = field(default_factory=list)
    default: Step = field(default_factory=lambda: dict(DEFAULT_STEP))

    def load(self, body: dict[str, Any]) -> None:
        """Replace the script by `{"steps": […], "default": {…}}`."""
        steps = list(body.get("steps", []))
        default = dict(body.get("default", DEFAULT_STEP))
        for step in [*steps, default]:
            if step.get("type") not in STEP_TYPES:
                message = f"unknown step type {step.get('type')!r}"
                raise BadStepError(message)
        self.steps, self.default = steps, default

    def take(self, request: dict[str, Any]) -> Step:
        """Return the step that answers this request."""
        asked = last_user_text(request)
        for index, step in enumerate(self.steps):
            if step.get("match", "") in asked:
                if not step.get("repeat"):
                    del self.steps[index]
                return step
        return self.default


def last_user_text(request: dict[str, Any]) -> str:
    """Return the text of the last user message, "" if there is none."""
    for message in reversed(request.get("messages", [])):
        if message.get("role") == "user":
            return text_of(message.get("content"))
    return ""


def text_of(content: object) -> str:
    """Return the text of a message's content, a string or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content)
    return ""


def check_history(messages: object) -> None:
    """Refuse what real providers refuse: every call answered, once, and at once."""
    if not isinstance(messages, list) or not messages:
        message = "'messages' must be a list with at least one message"
        raise BadHistoryError(message)
    unanswered: set[str] = set()
    for position, message in enumerate(messages):
        if message.get("role") == "tool":
            _answer(unanswered, message, position)
            continue
        _require_answered(unanswered)
        calls = message.get("tool_calls") or []
        for call in calls:
            _check_name(call["function"]["name"], position)
        unanswered = {call["id"] for call in calls}
    _require_answered(unanswered)


def _check_name(name: str, position: int) -> None:
    if not TOOL_NAME.fullmatch(name):
        rule = TOOL_NAME.pattern
        error = f"messages[{position}]: {name[:80]!r} does not match {rule}"
        raise BadHistoryError(error)


def _answer(unanswered: set[str], message: Message, position: int) -> None:
    call_id = message.get("tool_call_id")
    if call_id not in unanswered:
        error = (
            f"messages[{position}]: role 'tool' must answer a preceding tool call; "
            f"{call_id!r} is none"
        )
        raise BadHistoryError(error)
    unanswered.discard(call_id)


def _require_answered(unanswered: set[str]) -> None:
    if unanswered:
        error = (
            "an assistant message with 'tool_calls' must be followed by tool messages "
            f"for each: {', '.join(sorted(unanswered))} unanswered"
        )
        raise BadHistoryError(error)


def tokens_of(step: Step) -> list[str]:
    """Return the pieces in which a step's text is streamed."""
    if "tokens" in step:
        return [str(token) for token in step["tokens"]]
    return re.findall(r"\s*\S+\s*?(?=\s|$)|\s+", str(step.get("text", "")))


def tool_calls_of(step: Step, serial: int) -> list[dict[str, Any]]:
    """Return a step's tool calls in the wire's shape; arguments stay raw strings."""
    calls = step.get("calls") or [
        {"name": step.get("name", "tool"), "arguments": step.get("arguments", "")}
    ]
    return [
        {
            "id": call.get("id", f"call_{serial}_{index}"),
            "type": "function",
            "function": {"name": call["name"], "arguments": call["arguments"]},
        }
        for index, call in enumerate(calls)
    ]


def usage_of(step: Step, request: dict[str, Any]) -> dict[str, Any]:
    """Return the usage that a step states, or a count of words."""
    stated = step.get("usage", {})
    prompt = sum(
        len(text_of(message.get("content")).split())
        for message in request.get("messages", [])
    )
    prompt = int(stated.get("prompt_tokens", prompt))
    completion = int(stated.get("completion_tokens", len(tokens_of(step))))
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": int(stated.get("cached_tokens", 0))},
        "completion_tokens_details": {
            "reasoning_tokens": int(stated.get("reasoning_tokens", 0))
        },
    }
