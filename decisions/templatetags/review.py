"""Tags for pages on which somebody decides: nothing of a text stays unseen.

{{ text|visible }}      plain text; direction marks and the like as escapes
{% show_detail view %}  the subject's own template for the whole payload
{% review_text text %}  the same as a block that folds where it is long; the page's
                        script holds *Approve* back until each was opened once
"""

from __future__ import annotations

from django import template
from django.template.loader import get_template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from decisions.kinds import option_label
from decisions.presenting import DecisionView
from decisions.visible import has_hidden
from tooling.visible import show_hidden

register = template.Library()

FOLD_AT = 600


@register.filter
def visible(text: object) -> SafeString:
    """Return a text with hidden characters as escapes."""
    return show_hidden(str(text))


@register.filter
def hides_something(value: object) -> bool:
    """Tell whether a text or plain JSON has hidden characters."""
    return has_hidden(value)


@register.filter
def plain(value: object) -> str:
    """Return part of a payload as lines of text."""
    if isinstance(value, dict):
        return "\n".join(filter(None, (plain(item) for item in value.values())))
    if isinstance(value, list):
        return "\n".join(plain(item) for item in value)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return "" if value is None else str(value)


@register.filter
def choice_label(option: str) -> str:
    """Return an option in the reader's language."""
    return option_label(option)


@register.simple_tag
def review_text(text: object) -> SafeString:
    """Return a text as a block that keeps its lines; long ones can be folded.

    Whole without JavaScript. `data-fold` holds the length in characters.
    """
    value = str(text)
    if len(value) <= FOLD_AT:
        return format_html('<div class="review-text">{}</div>', show_hidden(value))
    return format_html(
        '<div class="review-text" data-fold="{}">{}</div>',
        len(value),
        show_hidden(value),
    )


@register.simple_tag
def show_detail(view: DecisionView) -> SafeString:
    """Return the subject's own view of the payload.

    The template gets `request` (the row), `payload` and what the subject adds.
    """
    detail = get_template(view.subject.detail_template)
    row = view.request
    html = detail.render({"request": row, "payload": row.payload, **view.detail})
    # Rendered by a template, which escapes.
    return mark_safe(html)  # noqa: S308
