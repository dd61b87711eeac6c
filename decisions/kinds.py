"""What may be asked: the registry of subjects.

`decisions` shows and settles requests whose payload it does not know. Apps above
register a subject with its schema, the effect of an approval, and what followed.
Every text that a subject returns is in the active language and computed from rows;
a model's prose is never a statement of effect.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from decisions.models import AttentionRequest, RequestKind
from tooling.errors import DomainError
from tooling.policy import Principal


class ApprovalOption(models.TextChoices):
    """The three answers to a request of kind Approval; the values are identifiers."""

    APPROVE = "Approve and create", _("Approve and create")
    CHANGES = "Request changes", _("Request changes")
    REJECT = "Reject", _("Reject")


APPROVAL_OPTIONS: tuple[str, ...] = tuple(ApprovalOption.values)


def option_label(option: str) -> str:
    """Return an option in the active language; unknown ones as they are."""
    if option in APPROVAL_OPTIONS:
        return str(ApprovalOption(option).label)
    return option


@dataclass(frozen=True, slots=True)
class EffectLine:
    """One sentence on what an approval does, or (`negative`) does not do."""

    text: str
    negative: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A way to a row that belongs to a request. `kind` names the row's kind."""

    label: str
    url: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """A payload in short, for cards: an excerpt, and facts of a few words each."""

    text: str = ""
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What followed an approval.

    `state` is waiting, erring, blocked or created; `text` says it in words, `advice`
    what a person can do. `can_retry`: a person may start another attempt, which
    needs no second decision.
    """

    state: str
    text: str
    advice: str = ""
    links: tuple[Link, ...] = ()
    can_retry: bool = False


class Retry(Protocol):
    """Starts another attempt at what an approval leads to."""

    def __call__(
        self, *, principal: Principal, request_id: uuid.UUID, now: dt.datetime
    ) -> Any:
        """Try again; raise a `DomainError` where that makes no sense."""
        ...


class Edited(Protocol):
    """Hears of an operator's edit inside its transaction."""

    def __call__(
        self, *, old: AttentionRequest, new: AttentionRequest, now: dt.datetime
    ) -> None:
        """Make what the new revision refers to."""
        ...


@dataclass(frozen=True, slots=True)
class EditableList:
    """A list of a payload to which an operator may add, and from which they may take.

    entry_label: what one entry is called. blank: an entry that says nothing: "" or an
    object of empty texts. tall: those texts of an object that may have several lines.
    """

    entry_label: str | Promise
    add_label: str | Promise
    blank: str | Mapping[str, str] = ""
    tall: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestSubject:
    """How requests about one thing are checked, shown and followed.

    check_payload: returns the canonical payload or raises `InvalidInput`.
    options_of: the options of one payload, where they are its own (questions).
    title_of: the title of a payload, at most 200 characters.
    effect: what *Approve and create* does, from the payload alone.
    summarise: a payload in short.
    links: rows that the request led to or refers to, for one tenant's pages.
    detail_template: shows the whole payload, and what belongs to it; gets `request`
      (the row), `payload` and what `detail_context` returns. Empty: every field of
      the payload is listed by the page itself.
    labels: names for the payload's parts, by dotted path without list indices.
    editable: top-level parts that an operator may edit; None for all.
    lists: lists that an operator may lengthen and shorten, by dotted path.
    aftermaths: what followed the approved ones among many requests, by key.
    """

    name: str
    kind: RequestKind
    options: tuple[str, ...]
    check_payload: Callable[[Any], dict[str, Any]]
    title_of: Callable[[dict[str, Any]], str]
    effect: Callable[[dict[str, Any]], list[EffectLine]]
    summarise: Callable[[dict[str, Any]], Summary] = lambda _payload: Summary()
    links: Callable[[AttentionRequest], list[Link]] = lambda _request: []
    detail_template: str = ""
    detail_context: Callable[[AttentionRequest], dict[str, Any]] = lambda _request: {}
    labels: Mapping[str, str | Promise] = field(default_factory=dict)
    aftermaths: Callable[[list[AttentionRequest]], dict[uuid.UUID, Aftermath]] = (
        lambda _requests: {}
    )
    options_of: Callable[[dict[str, Any]], tuple[str, ...]] | None = None
    editable: tuple[str, ...] | None = None
    lists: Mapping[str, EditableList] = field(default_factory=dict)
    retry: Retry | None = None
    on_edited: Edited | None = None

    def can_read(self, payload: Any) -> bool:
        """Tell whether a stored payload is one of ours; a damaged one is shown raw."""
        try:
            self.check_payload(payload)
        except (DomainError, AttributeError, KeyError, TypeError, ValueError):
            return False
        return True

    def options_for(self, payload: dict[str, Any]) -> tuple[str, ...]:
        """Return the options of a request with this payload."""
        return self.options_of(payload) if self.options_of else self.options

    def aftermath(self, request: AttentionRequest) -> Aftermath | None:
        """Return what followed one request."""
        return self.aftermaths([request]).get(request.pk)


_SUBJECTS: dict[str, RequestSubject] = {}


def register_subject(subject: RequestSubject) -> None:
    """Register a subject; apps do so when they are ready."""
    _SUBJECTS[subject.name] = subject


def find_subject(name: str) -> RequestSubject:
    """Return a registered subject. A name that nobody registered is a `KeyError`."""
    return _SUBJECTS[name]
