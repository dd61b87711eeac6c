"""Names of tools and states as people read them."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dialogue import tool_names
from dialogue.models import TurnState
from dialogue.turns.engine import ERROR_SENTENCES
from tooling.models import ToolCallState
from tooling.tiers import Basis

_TOOLS: dict[str, str | Promise] = {
    "conversation_get": _("Read a conversation"),
    "conversation_list": _("Looked through the conversations"),
    "conversation_search": _("Searched the messages"),
    "cost_summary": _("Added up the costs"),
    "decision_get": _("Read a request for a decision"),
    "decision_list": _("Looked through the Decisions queue"),
    "mission_create": _("Create a Mission"),
    "mission_get": _("Read a Mission"),
    "mission_list": _("Looked through the Missions"),
    "mission_propose": _("Propose a Mission"),
    "suggestion_list": _("Looked through the suggestions"),
    "system_status": _("Looked at the state of the system"),
    "task_list": _("Looked through the tasks"),
    "workflow_get": _("Read a workflow"),
    "why_not": _("Looked up why something was not done"),
    "workflow_list": _("Looked through the workflows"),
}
_TONES = {
    ToolCallState.DONE.value: "ok",
    ToolCallState.REFUSED.value: "warn",
    ToolCallState.SURFACED.value: "warn",
    ToolCallState.FAILED.value: "bad",
    ToolCallState.CANCELLED.value: "bad",
}
_GATES: dict[str, str | Promise] = {
    "cap_per_turn": _("limit of one turn"),
    "deployment_switch": _("switch of the deployment"),
    "dispose_name": _("a conversation settles nothing"),
    "held_back": _("reads that cost money"),
    "no_explicit_request": _("no explicit request"),
    "not_allow_listed": _("allow-list"),
    "tenant_toggle": _("toggle of the team"),
    "unclassified": _("no tier"),
    "unknown_tool": _("unknown tool"),
}
_ENDINGS: dict[str, str | Promise] = {
    TurnState.STOPPED.value: _("The answer was stopped."),
    TurnState.INTERRUPTED.value: _("The answer was interrupted."),
    TurnState.FAILED.value: _("The answer failed."),
}


def tool_words(name: str) -> str:
    """Return what a tool does in words; its name, spelt out, where we have none."""
    return str(_TOOLS.get(name) or tool_names.tool_words(name))


def tool_state(state: str) -> tuple[str, str]:
    """Return the words for a call's state, and the tone of its badge."""
    words = dict(ToolCallState.choices).get(state, state)
    return str(words), _TONES.get(state, "plain")


def gate_words(gate: str) -> str:
    """Return which gate spoke; empty for the open one."""
    return str(_GATES.get(gate, ""))


def basis_words(basis: str) -> str:
    """Return by what a write ran where nobody asked for it in words."""
    return str(Basis(basis).label) if basis in (Basis.GRANT, Basis.RUN_ONCE) else ""


def ending(state: str, error_code: str) -> str:
    """Return the sentence for a turn that ended otherwise than well."""
    sentence = ERROR_SENTENCES.get(error_code)
    if sentence and state != TurnState.STOPPED:
        return str(_(sentence))
    return str(_ENDINGS.get(state, ""))


def turn_mark(state: str, error_code: str) -> str:
    """Return what stands at a message whose turn is not the one shown below."""
    if state == TurnState.QUEUED:
        return str(_("Waits for its turn"))
    return ending(state, error_code)
