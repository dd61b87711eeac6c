"""The form of a proposal. Rules live in the service; the form reads and shows."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from missions.models import Priority
from missions.specification import MAX_CRITERIA, MAX_OBJECTIVE, MAX_TASKS, MAX_TITLE

if TYPE_CHECKING:
    from collections.abc import Sequence


class ProposalForm(forms.Form):
    """What is to be done; tasks and criteria are one on each line."""

    title = forms.CharField(label=_("Title"), max_length=MAX_TITLE)
    objective = forms.CharField(
        label=_("Objective"),
        max_length=MAX_OBJECTIVE,
        help_text=_("What will be true when this is done, and for whom."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    tasks = forms.CharField(
        label=_("Tasks"),
        required=False,
        max_length=MAX_TASKS * (MAX_TITLE + 2),
        help_text=_("One on each line."),
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    acceptance_criteria = forms.CharField(
        label=_("Acceptance criteria"),
        required=False,
        max_length=MAX_CRITERIA * 1_002,
        help_text=_("How somebody can tell that it is done: one on each line."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    priority = forms.ChoiceField(
        label=_("Priority"), choices=Priority.choices, initial=Priority.NORMAL.value
    )
    revises = forms.ChoiceField(
        label=_("This is"),
        required=False,
        help_text=_("A revision answers a proposal that came back."),
    )

    def __init__(
        self,
        *args: Any,
        revisable: Sequence[tuple[uuid.UUID, str]] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if not revisable:
            del self.fields["revises"]
            return
        words = _("a revision of “%(title)s”")
        choices = [(str(key), words % {"title": title}) for key, title in revisable]
        field = self.fields["revises"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [*choices, ("", _("a new proposal"))]
        if len(choices) == 1:
            self.initial.setdefault("revises", choices[0][0])
        else:
            self.initial.setdefault("revises", "")

    def proposal(self) -> dict[str, Any]:
        """Return what the service takes; needs a valid form."""
        data = self.cleaned_data
        revises = data.get("revises") or None
        return {
            "title": data["title"],
            "objective": data["objective"],
            "tasks": [{"title": line, "detail": ""} for line in _lines(data["tasks"])],
            "acceptance_criteria": _lines(data["acceptance_criteria"]),
            "priority": data["priority"],
            "revises": uuid.UUID(revises) if revises else None,
            # Whoever chose “a new proposal”, or had no choice, means just that.
            "new_proposal": revises is None,
        }


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
