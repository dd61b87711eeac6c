"""Reads that cost money: what each does, what a call costs at most, and who opened it.

For staff of the deployment. Saving goes by a page that says what changes; ticking
all or none is a link, so that nothing here needs a script.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tooling.errors import DomainError
from tooling.money import format_money
from tooling.paid_reads import NoLanguageModel, estimate_call
from tooling.registry import Tool, held_back_tools
from tooling.selectors import paid_read_opt_ins
from tooling.services.paid_reads import save_paid_reads
from tooling.web.tenant import staff_view

if TYPE_CHECKING:
    import datetime as dt

    from tooling.models import PaidReadOptIn
    from tooling.web.tenant import SignedInRequest

Ticked = Callable[[str, bool], bool]
TICKS = {"all": True, "none": False}


@dataclass(frozen=True, slots=True)
class Row:
    """One held-back read as the page shows it."""

    name: str
    summary: str | Promise
    estimate: str
    opt_in: PaidReadOptIn | None
    ticked: bool

    @property
    def is_open(self) -> bool:
        """Tell whether it runs now."""
        return self.opt_in is not None

    @property
    def changes(self) -> bool:
        """Tell whether saving would open it or hold it back."""
        return self.ticked != self.is_open


@staff_view
@require_http_methods(["GET", "HEAD", "POST"])
def paid_reads(request: SignedInRequest) -> HttpResponse:
    """Show the reads; a POST asks for confirmation, a confirmed one saves."""
    now = timezone.now()
    if request.method != "POST":
        ticked = TICKS.get(request.GET.get("tick", ""))
        return _page(request, _rows(now, lambda _tool, is_open: _or(ticked, is_open)))
    chosen = set(request.POST.getlist("released"))
    if "confirmed" in request.POST:
        return _save(request, chosen, now)
    shown = set(request.POST.getlist("known"))
    rows = _rows(
        now, lambda tool, is_open: tool in chosen if tool in shown else is_open
    )
    if not any(row.changes for row in rows):
        messages.info(request, _("Nothing was changed."))
        return redirect("tooling:paid_reads")
    return _page(request, rows, confirming=True)


def _save(request: SignedInRequest, chosen: set[str], now: dt.datetime) -> HttpResponse:
    changed = save_paid_reads(
        staff=request.user,
        known=request.POST.getlist("known"),
        released=sorted(chosen),
        now=now,
    )
    text = ngettext(
        "Saved: %(count)s read changed. It holds from the next call on.",
        "Saved: %(count)s reads changed. It holds from the next call on.",
        len(changed),
    )
    messages.success(request, text % {"count": len(changed)})
    return redirect("tooling:paid_reads")


def _or(ticked: bool | None, is_open: bool) -> bool:
    return is_open if ticked is None else ticked


def _rows(now: dt.datetime, is_ticked: Ticked) -> list[Row]:
    opened = paid_read_opt_ins()
    return [
        Row(
            name=tool.name,
            summary=tool.paid.summary if tool.paid else tool.description,
            estimate=_estimate(tool, now),
            opt_in=opened.get(tool.name),
            ticked=is_ticked(tool.name, tool.name in opened),
        )
        for tool in held_back_tools()
    ]


def _estimate(tool: Tool, now: dt.datetime) -> str:
    """Return the worst case of one call in words; never a price that is a guess."""
    if tool.paid is None:
        return _("unknown price")
    try:
        found = estimate_call(paid=tool.paid, at=now)
    except NoLanguageModel:
        return _("not answered by the offline planner; connect a model first")
    except DomainError as error:
        return str(error)
    words = {"model": found.model or found.preset}
    if found.nano_usd is None:
        return _("unknown price (%(model)s)") % words
    if found.nano_usd == 0:
        return _("nothing (%(model)s is free)") % words
    words["amount"] = format_money(found.nano_usd)
    return _("at most %(amount)s a call (%(model)s)") % words


def _page(
    request: SignedInRequest, rows: list[Row], *, confirming: bool = False
) -> HttpResponse:
    context = {
        "rows": rows,
        "opening": [row for row in rows if row.changes and row.ticked],
        "closing": [row for row in rows if row.changes and not row.ticked],
        "confirming": confirming,
        "tab": "paid_reads",
    }
    return render(request, "tooling/paid_reads.html", context)
