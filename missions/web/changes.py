"""What was changed of a Mission since it was made, from the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from missions.selectors import mission_acts
from missions.words import field_label, field_words
from tooling.models import AuditEntry, User
from tooling.policy import PrincipalKind

if TYPE_CHECKING:
    import datetime as dt
    import uuid

    from missions.models import Mission
    from tooling.policy import Principal

FIELDS = ("title", "objective", "priority", "acceptance_criteria", "detail", "status")


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field, and what it said before and says since."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One act: what it was, who did it, when, and which fields moved."""

    text: str
    who: str
    at: dt.datetime
    fields: list[FieldChange]


def changes_of(*, principal: Principal, mission: Mission) -> list[ChangeView]:
    """Return the changes of a Mission and its tasks, the newest first."""
    entries = mission_acts(principal=principal, mission=mission)
    people = {entry.actor_id for entry in entries if entry.actor_id}
    names = {user.pk: str(user) for user in User.objects.filter(pk__in=people)}
    return [
        ChangeView(_sentence(entry), _who(entry, names), entry.at, _fields(entry))
        for entry in entries
    ]


def _sentence(entry: AuditEntry) -> str:
    return {
        "mission.changed": _("The Mission was changed"),
        "task.added": _("A task was added"),
        "task.changed": _("A task was changed"),
    }[entry.action]


def _who(entry: AuditEntry, names: dict[uuid.UUID, str]) -> str:
    name = names.get(entry.actor_id, "") if entry.actor_id else ""
    if entry.actor_kind == PrincipalKind.MODEL:
        return _("the model, for %(name)s") % {"name": name}
    return name


def _fields(entry: AuditEntry) -> list[FieldChange]:
    return [
        FieldChange(
            field_label(name),
            field_words(name, entry.before.get(name, "")),
            field_words(name, entry.after[name]),
        )
        for name in FIELDS
        if name in entry.after
    ]
