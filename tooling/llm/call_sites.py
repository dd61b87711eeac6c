"""Call sites: each purpose for which a model is called has a name of its own.

Every row of the ledger names one, so that what a purpose costs can be told.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from tooling.errors import DomainError


class UnknownCallSite(DomainError):
    """A model call for a purpose that nobody registered."""

    code = "unknown_call_site"
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    message = _("A model was to be called for a purpose that is not registered.")


@dataclass(frozen=True, slots=True)
class CallSite:
    """A purpose of model calls, such as `Dialogue:GeneralDialogue`.

    `preset` names the preset that serves it, empty for the default one;
    `output_limit` is the most tokens that an answer may have.
    """

    name: str
    preset: str = ""
    output_limit: int = 4096


_SITES: dict[str, CallSite] = {}


def register_call_site(site: CallSite) -> CallSite:
    """Register a call site when its app is ready, and return it.

    Registering an equal one again is harmless. Raises `ImproperlyConfigured` for an
    empty name, and for a second site of the same name that differs.
    """
    known = _SITES.get(site.name)
    if not site.name or (known is not None and known != site):
        message = f"call site {site.name!r}: empty, or registered twice"
        raise ImproperlyConfigured(message)
    _SITES[site.name] = site
    return site


def find_call_site(name: str) -> CallSite:
    """Return the call site of exactly this name. Raises `UnknownCallSite`."""
    try:
        return _SITES[name]
    except KeyError:
        raise UnknownCallSite(extra={"call_site": name}) from None


def all_call_sites() -> tuple[CallSite, ...]:
    """Return every registered call site by name."""
    return tuple(_SITES[name] for name in sorted(_SITES))


CONNECTION_TEST = register_call_site(
    CallSite(name="Tooling:ConnectionTest", output_limit=16)
)
