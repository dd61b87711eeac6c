"""The frame's sections, and numbers of what waits beside them.

Apps above register a badge when they are ready:

    register_badge("decisions", waiting_count)    # (principal) -> int

Sections name addresses that other apps own; one that is not there is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tooling.policy import Act, Principal, allows

Badge = Callable[[Principal], int]

_BADGES: dict[str, Badge] = {}


@dataclass(frozen=True, slots=True)
class Section:
    """A link of the frame for those who have `act`, and do not have `unless`."""

    name: str
    label: str | Promise
    url_name: str
    act: Act = Act.READ
    unless: Act | None = None
    in_tenant: bool = True


@dataclass(frozen=True, slots=True)
class NavItem:
    """A section as one page shows it."""

    name: str
    label: str | Promise
    url: str
    badge: int
    current: bool


SECTIONS = (
    Section("conversations", _("Conversations"), "dialogue:list"),
    Section("missions", _("Missions"), "missions:mission_list"),
    Section("workflows", _("Workflows"), "missions:draft_list"),
    Section("suggestions", _("Suggestions"), "missions:suggestions"),
    Section(
        "decisions",
        _("Decisions"),
        "admin:decisions_attentionrequest_changelist",
        act=Act.DECIDE,
        in_tenant=False,
    ),
    Section("decisions", _("Decisions"), "decisions:queue", unless=Act.DECIDE),
)


def register_badge(name: str, count: Badge) -> None:
    """Show `count(principal)` beside the section `name` when it is not 0."""
    _BADGES[name] = count


def items_for(request: HttpRequest) -> list[NavItem]:
    """Return the sections of the tenant whose page this is; empty outside one."""
    principal: Principal | None = getattr(request, "principal", None)
    tenant = getattr(request, "tenant", None)
    if principal is None or tenant is None:
        return []
    items = []
    for section in SECTIONS:
        url = _address(section, tenant.slug)
        if url and _is_for(principal, section):
            badge = _BADGES.get(section.name)
            items.append(
                NavItem(
                    name=section.name,
                    label=section.label,
                    url=url,
                    badge=badge(principal) if badge else 0,
                    current=_is_current(request.path, section, url, tenant.slug),
                )
            )
    return items


def _is_for(principal: Principal, section: Section) -> bool:
    if section.unless is not None and allows(principal, section.unless):
        return False
    return allows(principal, section.act)


def _address(section: Section, slug: str) -> str:
    try:
        return reverse(section.url_name, args=[slug] if section.in_tenant else [])
    except NoReverseMatch:
        return ""


def _is_current(path: str, section: Section, url: str, slug: str) -> bool:
    if section.name != "conversations":
        return path.startswith(url)
    # The list of conversations is the tenant's front page; chats lie below it.
    return path == url or path.startswith(f"/t/{slug}/c/")
