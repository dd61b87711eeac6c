"""What a person is told when a model cannot be reached, by the error's code."""

from __future__ import annotations

from django.utils.translation import gettext as _


def fault_sentence(code: str) -> str:
    """Return the translated sentence for a `BackendError` code: what to do."""
    sentences = {
        "unreachable": _(
            "Nothing answers at the model's address. Check that the server is "
            "running and that the address is right."
        ),
        "timeout": _("The model did not answer in time. Try again."),
        "rate_limited": _(
            "The provider takes no more requests just now. Wait a little and try "
            "again; if that does not help, check the account's credit."
        ),
        "unavailable": _("The provider is out of order just now. Try again later."),
        "unauthorized": _(
            "The provider does not accept the key. Check the variable that holds it."
        ),
        "bad_request": _(
            "The provider refuses the request. Check the model's name and address."
        ),
        "context_too_long": _(
            "The conversation is longer than this model can read. Branch it, or "
            "choose a model with a longer context."
        ),
        "cut_off": _("The answer broke off in the middle. Try again."),
        "bad_response": _(
            "The provider sent an answer that cannot be read. Check that its address "
            "is that of a model interface."
        ),
        "refused": _("The provider refused this text by its content rules."),
    }
    return sentences.get(code) or _("The model could not be used. Try again.")
