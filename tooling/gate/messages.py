"""What a refusal says, to the model and to the person: the gate, and what opens it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from tooling.gate.judge import Decision, Gate, Verdict

_SENTENCES = {
    Gate.DISPOSE: _(
        "A conversation can never approve, reject or settle anything. A person does "
        "that in the Decisions queue."
    ),
    Gate.UNKNOWN: _("There is no tool of this name."),
    Gate.UNCLASSIFIED: _("This tool has no tier, so it is never served."),
    Gate.HELD_BACK: _(
        "This read costs money and is held back until staff of the deployment open it."
    ),
    Gate.ALLOWLIST: _("This tool may change things and is not on the allow-list."),
    Gate.SWITCH: _(
        "Write and propose tools are off in this deployment. Staff turn them on with "
        "DIALOGUE_INPROCESSTOOLS_WRITEENABLED."
    ),
    Gate.TOGGLE: _(
        "Write tools are off for this team. An admin turns them on in Settings, "
        "Features."
    ),
    Gate.INTENT: _(
        "The person did not ask for exactly this action, so it was not done. It is "
        "shown to them instead."
    ),
    Gate.CAP: _("This turn has already done as many actions as one turn may."),
    Gate.ANSWER_CAP: _(
        "One answer may ask for so many calls and no more, so this one was not made. "
        "Go on with the results that are there."
    ),
    Gate.REPEAT: _(
        "This very call was made twice in this turn already. Do not make it again: "
        "answer the person with what is there."
    ),
}


_OPENS = {
    Gate.DISPOSE: _("Nothing: only a person settles, in the Decisions queue."),
    Gate.UNKNOWN: _("Nothing: there is no such tool."),
    Gate.UNCLASSIFIED: _("Nothing: a tool without a tier is never served."),
    Gate.HELD_BACK: _("Staff of the deployment open this read."),
    Gate.ALLOWLIST: _("Nothing here: the allow-list is part of the product."),
    Gate.SWITCH: _(
        "Staff of the deployment set DIALOGUE_INPROCESSTOOLS_WRITEENABLED and start "
        "it again."
    ),
    Gate.TOGGLE: _("An admin of the team turns write tools on, in Settings, Features."),
    Gate.INTENT: _(
        "A message that asks for exactly this action, a click on Run once, or a grant "
        "for this tool."
    ),
    Gate.CAP: _("A further message, or a click on Run once."),
    Gate.ANSWER_CAP: _("The model's next answer, or a further message."),
    Gate.REPEAT: _("A further message: the same call was answered in this turn."),
}


def what_opens(gate: str) -> str:
    """Return what would open a gate, in the active language; empty for the open one."""
    return str(_OPENS[Gate(gate)]) if gate in set(_OPENS) else ""


def why_stopped(gate: str) -> str:
    """Return the sentence of a gate, in the active language; empty for the open one."""
    return str(_SENTENCES[Gate(gate)]) if gate in set(_SENTENCES) else ""


def refusal(verdict: Verdict) -> dict[str, Any]:
    """Return the stored result of a call that did not run, in the active language."""
    sentence = _SENTENCES[verdict.gate]
    return {
        "refused": True,
        "surfaced": verdict.decision is Decision.SURFACE,
        "gate": verdict.gate.value,
        "message": str(sentence),
    }
