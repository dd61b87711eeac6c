"""What a person reads of a turn that did not end well, by its error code."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Failure:
    """What happened, and what the person can do about it."""

    happened: str | Promise
    advice: str | Promise

    def __str__(self) -> str:
        return f"{self.happened} {self.advice}"


_AGAIN = _("Try again.")
_SHORTLY = _("Try again shortly.")
_STAFF = _("Ask staff to look at the model's set-up.")

FAILURES: dict[str, Failure] = {
    "unreachable": Failure(_("The model could not be reached."), _AGAIN),
    "timeout": Failure(_("The model took too long to answer."), _AGAIN),
    "rate_limited": Failure(_("The model's provider is busy."), _SHORTLY),
    "unavailable": Failure(_("The model's provider has a fault."), _SHORTLY),
    "unauthorized": Failure(
        _("The model's provider refused our key."), _("Staff must set it up again.")
    ),
    "bad_request": Failure(_("The model's provider refused the request."), _STAFF),
    "context_too_long": Failure(
        _("The conversation is too long for this model."),
        _("Start a new conversation."),
    ),
    "cut_off": Failure(_("The answer was cut off on its way."), _AGAIN),
    "bad_response": Failure(_("The model's answer could not be read."), _AGAIN),
    "refused": Failure(
        _("The model's provider declined to answer."), _("Ask in other words.")
    ),
    "empty_answer": Failure(_("The model gave an empty answer."), _AGAIN),
    "arguments_incomplete": Failure(
        _("The model's call was incomplete, so nothing was done."), _AGAIN
    ),
    "step_limit": Failure(
        _("The model took as many steps as one turn may."),
        _("Send a message to go on."),
    ),
    "turn_timeout": Failure(_("The turn took too long and was ended."), _AGAIN),
    "interrupted": Failure(_("The answer was interrupted."), _AGAIN),
    "internal": Failure(_("Something went wrong on our side."), _AGAIN),
}


def failure_of(error_code: str) -> Failure:
    """Return what to tell of an error; a code without words is one of our own."""
    return FAILURES.get(error_code, FAILURES["internal"])
