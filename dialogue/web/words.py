"""Names of tools and states as people read them."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dialogue import tool_names
from dialogue.models import TurnState
from dialogue.turns.failures import FAILURES
from tooling.models import ToolCallState
from tooling.tiers import Basis

_TOOLS: dict[str, str | Promise] = {
    "conversation_get": _("Read a conversation"),
    "conversation_list": _("Looked through the conversations"),
    "conversation_search": _("Searched the messages"),
    "cost_summary": _("Added up the costs"),
    "decision_brief": _("Had a model brief on a request"),
    "decision_create": _("Ask a question"),
    "decision_get": _("Read a request for a decision"),
    "decision_list": _("Looked through the Decisions queue"),
    "dialogue_check_mission": _("Looked where it stands"),
    "dialogue_get_mission_results": _("Read the results of a Mission"),
    "dialogue_propose_mission": _("Create a pending Mission"),
    "expert_ask": _("Asked an expert model"),
    "mission_add_task": _("Add a task"),
    "mission_create": _("Create a Mission"),
    "mission_get": _("Read a Mission"),
    "mission_list": _("Looked through the Missions"),
    "mission_propose": _("Propose a Mission"),
    "mission_summarise": _("Had a model summarise a Mission"),
    "mission_update": _("Change a Mission"),
    "suggestion_create": _("Note a suggestion"),
    "suggestion_list": _("Looked through the suggestions"),
    "system_status": _("Looked at the state of the system"),
    "task_create": _("Create a task"),
    "task_list": _("Looked through the tasks"),
    "task_update": _("Change a task"),
    "workflow_draft_update": _("Change a workflow draft"),
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
    "cap_per_answer": _("limit of one answer"),
    "cap_per_turn": _("limit of one turn"),
    "deployment_switch": _("switch of the deployment"),
    "dispose_name": _("a conversation settles nothing"),
    "held_back": _("reads that cost money"),
    "no_explicit_request": _("no explicit request"),
    "not_allow_listed": _("allow-list"),
    "repeated_call": _("repeated call"),
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
    failure = FAILURES.get(error_code)
    if failure and state != TurnState.STOPPED:
        return str(failure)
    return str(_ENDINGS.get(state, ""))


def turn_mark(state: str, error_code: str) -> str:
    """Return what stands at a message whose turn is not the one shown below.

    Only what happened: a newer turn exists, so this one can no longer be retried.
    """
    if state == TurnState.QUEUED:
        return str(_("Waits for its turn"))
    failure = FAILURES.get(error_code)
    if failure and state != TurnState.STOPPED:
        return str(failure.happened)
    return str(_ENDINGS.get(state, ""))
