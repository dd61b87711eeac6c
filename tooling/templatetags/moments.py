"""How long ago something was, in words."""

from __future__ import annotations

import datetime as dt

from django import template
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def ago(moment: dt.datetime) -> str:
    """Return how long ago a moment was, in its largest unit."""
    now = timezone.now()
    if now - moment < dt.timedelta(minutes=1):
        return _("just now")
    return _("%(when)s ago") % {"when": timesince(moment, now, depth=1)}
