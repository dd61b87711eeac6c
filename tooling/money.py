"""Nano-dollars as people read them."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _

NANO = 1_000_000_000
_MAX_PLACES = 9


def format_money(nano_usd: int) -> str:
    """Return an amount in dollars: two decimals, more where it is a small one.

    Three figures are shown of an amount below a cent, so that it never reads as 0.
    """
    amount = Decimal(nano_usd) / NANO
    places = 2
    if 0 < abs(amount) < Decimal("0.01"):
        places = min(_MAX_PLACES, 2 - amount.adjusted())
    elif abs(amount) < 1:
        places = 4 if amount else 2
    amount = amount.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    number = number_format(amount, decimal_pos=places, use_l10n=True)
    return _("$%(amount)s") % {"amount": number}
