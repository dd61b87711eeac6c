"""The form of a model preset: prices, time-outs and fallback."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from tests.support.api import Someone
from tooling.llm.presets import preset_from_row
from tooling.llm.prices import price_call
from tooling.llm.types import Usage
from tooling.models import Preset

pytestmark = pytest.mark.django_db
SignIn = Callable[[Someone], Client]
SIDECAR = {
    "name": "main",
    "backend": "sidecar",
    "model": "local",
    "base_url": "http://127.0.0.1:9/v1",
}
PRICE_FIELDS = ("input_price", "output_price", "cache_read_price", "cache_write_price")


def test_a_price_that_is_not_stated_is_unknown_and_never_free(
    staff: Someone, signed_in: SignIn
) -> None:
    blank = dict.fromkeys((*PRICE_FIELDS, "connect_seconds", "fallback_id"), "")
    signed_in(staff).post("/settings/model/", {**SIDECAR, **blank})
    row = Preset.objects.get()
    assert [getattr(row, name) for name in PRICE_FIELDS] == [None] * 4
    assert (row.connect_seconds, row.fallback) == (5.0, None)
    cost = price_call(
        preset=preset_from_row(row),
        model="local",
        usage=Usage(fresh=10, output=5),
        at=timezone.now(),
    )
    assert (cost.nano_usd, cost.version) == (None, "unpriced")


def test_prices_times_and_fallback_are_kept_and_shown_again(
    staff: Someone, signed_in: SignIn
) -> None:
    other = Preset.objects.create(name="spare", backend="planner")
    client = signed_in(staff)
    stated = {
        **SIDECAR,
        **dict(zip(PRICE_FIELDS, ("3", "15.075", "0.3", "0"), strict=True)),
        "connect_seconds": "2.5",
        "first_token_seconds": "90",
        "read_seconds": "30",
        "fallback_id": str(other.pk),
    }
    assert client.post("/settings/model/", stated).status_code == HTTPStatus.FOUND
    row = Preset.objects.get(name="main")
    prices = [getattr(row, name) for name in PRICE_FIELDS]
    assert prices == [3000, 15_075, 300, 0]
    times = (row.connect_seconds, row.first_token_seconds, row.read_seconds)
    assert times == (2.5, 90.0, 30.0)
    assert row.fallback == other
    html = client.get(f"/settings/model/{row.pk}/").content.decode()
    assert 'name="output_price" value="15.075"' in html
    assert f'<option value="{other.pk}" selected>spare</option>' in html
    assert f'<option value="{row.pk}"' not in html
    assert "then spare" in html


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("input_price", "-1"),
        ("input_price", "0.0001"),
        ("output_price", "1000.5"),
        ("output_price", "NaN"),
        ("cache_read_price", "cheap"),
        ("output_price", ""),
        ("connect_seconds", "0"),
        ("read_seconds", "601"),
        ("first_token_seconds", "inf"),
        ("fallback_id", str(uuid.UUID(int=1))),
        ("fallback_id", "x"),
    ],
)
def test_a_value_out_of_bounds_is_named_at_its_field(
    staff: Someone, signed_in: SignIn, field: str, value: str
) -> None:
    stated = {**SIDECAR, "input_price": "1", "output_price": "2", field: value}
    html = signed_in(staff).post("/settings/model/", stated).content.decode()
    assert not Preset.objects.exists()
    inside = html.split(f'id="id_{field}"')[1]
    assert "errorlist" in inside.split('class="field"')[0]
