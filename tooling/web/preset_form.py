"""The form of a model preset. Prices are typed in dollars for a million tokens."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from tooling.models import Preset
from tooling.models.llm import BackendKind
from tooling.selectors import list_presets
from tooling.services.presets import (
    MAX_PRICE,
    PRICES,
    TIMES,
    PresetValues,
)

if TYPE_CHECKING:
    import uuid

# One nano-dollar a token is a thousandth of a dollar for a million tokens.
_NANO = 1000

_price = partial(
    forms.DecimalField,
    min_value=0,
    max_value=Decimal(MAX_PRICE) / _NANO,
    decimal_places=3,
    required=False,
    widget=forms.NumberInput(attrs={"inputmode": "decimal"}),
)


def _span(name: str) -> dict[str, Any]:
    lowest, highest, usual = TIMES[name]
    return {"min_value": lowest, "max_value": highest, "initial": usual}


_seconds = partial(
    forms.FloatField,
    required=False,
    widget=forms.NumberInput(attrs={"inputmode": "decimal", "step": "any"}),
)


class PresetForm(forms.Form):
    """How to reach a model."""

    name = forms.SlugField(
        label=_("Name"),
        max_length=60,
        help_text=_("Lower-case letters, digits and hyphens, such as main-model."),
    )
    backend = forms.ChoiceField(label=_("Kind"), choices=BackendKind.choices)
    model = forms.CharField(
        label=_("Model"),
        max_length=120,
        required=False,
        help_text=_("As the provider calls it."),
    )
    base_url = forms.CharField(
        label=_("Address"),
        max_length=300,
        required=False,
        help_text=_(
            "Empty for the provider's own. A local server: http://127.0.0.1:8080/v1"
        ),
    )
    key_env = forms.CharField(
        label=_("Variable that holds the key"),
        max_length=80,
        required=False,
        help_text=_(
            "The NAME of an environment variable of the server, never the key itself."
        ),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "placeholder": "DIALOGUE_LLM_API_KEY"}
        ),
    )
    is_default = forms.BooleanField(
        label=_("Used by default"),
        required=False,
        help_text=_("Conversations use it from the next message on."),
    )
    input_price = _price(label=_("Input"))
    output_price = _price(label=_("Output"))
    cache_read_price = _price(label=_("Read from the cache"))
    cache_write_price = _price(label=_("Written to the cache"))
    connect_seconds = _seconds(label=_("To connect"), **_span("connect_seconds"))
    first_token_seconds = _seconds(
        label=_("Until the first word"), **_span("first_token_seconds")
    )
    read_seconds = _seconds(label=_("Between two words"), **_span("read_seconds"))
    fallback_id = forms.TypedChoiceField(
        label=_("Fallback"),
        required=False,
        empty_value=None,
        help_text=_(
            "Answers in its stead when this one cannot be reached. Without one the "
            "turn fails and says so; no other model ever steps in."
        ),
    )

    def __init__(self, data: Any = None, *, preset_id: uuid.UUID | None = None) -> None:
        row = Preset.objects.filter(pk=preset_id).first() if preset_id else None
        super().__init__(data, initial=_initial(row))
        others = list_presets().exclude(pk=preset_id) if preset_id else list_presets()
        field = self.fields["fallback_id"]
        if isinstance(field, forms.ChoiceField):
            rows = [(str(other.pk), other.name) for other in others]
            field.choices = [("", _("None")), *rows]

    def connection(self) -> list[BoundField]:
        """Return the fields that say how the model is reached."""
        return [self[name] for name in _CONNECTION]

    def prices(self) -> list[BoundField]:
        """Return the fields of prices."""
        return [self[name] for name in PRICES]

    def times(self) -> list[BoundField]:
        """Return the fields of time-outs."""
        return [self[name] for name in TIMES]

    def values(self) -> PresetValues:
        """Return what a valid form says, in the units of the table."""
        data: dict[str, Any] = dict(self.cleaned_data)
        for name in PRICES:
            price = data[name]
            data[name] = None if price is None else int(price * _NANO)
        for name in TIMES:
            if data[name] is None:
                data[name] = self.fields[name].initial
        return PresetValues(**data)


_CONNECTION = ("name", "backend", "model", "base_url", "key_env", "is_default")


def _initial(row: Preset | None) -> dict[str, Any]:
    if row is None:
        return {"backend": BackendKind.SIDECAR.value}
    names = (*_CONNECTION, *TIMES, "fallback_id")
    shown = {name: getattr(row, name) for name in names}
    for name in PRICES:
        price = getattr(row, name)
        shown[name] = None if price is None else Decimal(price) / _NANO
    return shown
