"""Filters of the chat pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.safestring import SafeString

from dialogue.rendering.markdown import render_markdown
from dialogue.rendering.money import format_money
from tooling.visible import show_hidden

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    """Return a model's Markdown as safe HTML."""
    return render_markdown(text)


@register.filter
def visible(text: Any) -> SafeString:
    """Return plain text as HTML in which hidden characters show."""
    return show_hidden(str(text))


@register.filter
def grouped(number: int) -> str:
    """Return a whole number with its thousands set apart."""
    return number_format(number, decimal_pos=0, use_l10n=True, force_grouping=True)


@register.filter
def money(nano_usd: int) -> str:
    """Return nano-dollars as an amount."""
    return format_money(nano_usd)
