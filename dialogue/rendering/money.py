"""Sums of the ledger as people read them."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tooling.money import format_money

__all__ = ["format_cost", "format_money"]


def format_cost(*, nano_usd: int, calls: int, unpriced_calls: int) -> str:
    """Return a sum of ledger rows; calls without a price are told, never 0."""
    if not unpriced_calls:
        return format_money(nano_usd)
    if calls == unpriced_calls:
        return _("unpriced")
    text = ngettext(
        "%(amount)s + %(calls)d unpriced call",
        "%(amount)s + %(calls)d unpriced calls",
        unpriced_calls,
    )
    return text % {"amount": format_money(nano_usd), "calls": unpriced_calls}
