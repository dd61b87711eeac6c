"""The one shape of an error that a caller may be told."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class DomainError(Exception):
    """A refusal with a machine code and a sentence that says what to do.

    Subclasses stand beside the function that raises them. `code` is stable and
    English; `message` is translated; `status` is the HTTP status of the answer;
    `field` names the input at fault, empty when there is none; `extra` holds facts
    for the caller, fit for JSON.
    """

    code: ClassVar[str] = "error"
    status: ClassVar[int] = HTTPStatus.BAD_REQUEST
    message: str | Promise = _("This could not be done.")
    field: str = ""

    def __init__(
        self,
        message: str | Promise | None = None,
        *,
        field: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        if message is not None:
            self.message = message
        if field is not None:
            self.field = field
        self.extra = extra or {}
        super().__init__(self.code)

    def __str__(self) -> str:
        return str(self.message)


class NotFound(DomainError):
    """The same answer for a foreign id and for one that never existed."""

    code = "not_found"
    status = HTTPStatus.NOT_FOUND
    message = _("There is no such thing here, or you may not see it.")


class NotAllowed(DomainError):
    """A member of the tenant without the right."""

    code = "not_allowed"
    status = HTTPStatus.FORBIDDEN
    message = _("Your role does not allow this. Ask an admin of your team.")


class ScopeMissing(NotAllowed):
    """A token whose owner may, and which was not made for it."""

    code = "scope_missing"
    message = _("This token lacks the scope for this. Create one that has it.")


class InvalidInput(DomainError):
    """Input that does not fit; `field` names it."""

    code = "invalid"
    message = _("This value does not fit.")


class Conflict(DomainError):
    """The state has moved on since the caller looked."""

    code = "conflict"
    status = HTTPStatus.CONFLICT
    message = _("This has changed in the meantime. Look again and decide anew.")
