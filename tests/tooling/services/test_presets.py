"""Presets are staff's; a key is never among what is stored."""

from __future__ import annotations

import uuid
from dataclasses import asdict, replace

import pytest

from tests.support.api import make_member
from tooling.errors import NotAllowed, NotFound
from tooling.models import AuditEntry, Preset, User
from tooling.services.presets import (
    BadPreset,
    PresetExists,
    PresetValues,
    delete_preset,
    save_preset,
)

pytestmark = pytest.mark.django_db
GOOD = PresetValues(
    name="main",
    backend="openai",
    model="model-one",
    base_url="http://127.0.0.1:8080/v1",
    key_env="MY_MODEL_KEY",
    is_default=True,
)
PRICED = replace(GOOD, input_price=3000, output_price=15_000)


@pytest.fixture
def staff() -> User:
    return User.objects.create_user("staff@acme.test", is_staff=True)


def test_a_preset_is_made_changed_and_deleted(staff: User) -> None:
    made = save_preset(staff=staff, preset_id=None, values=GOOD)
    save_preset(staff=staff, preset_id=made.pk, values=replace(GOOD, model="model-two"))
    assert Preset.objects.get().model == "model-two"
    delete_preset(staff=staff, preset_id=made.pk)
    assert not Preset.objects.exists()
    actions = AuditEntry.objects.order_by("at", "id").values_list("action", flat=True)
    assert list(actions) == ["preset.saved", "preset.saved", "preset.deleted"]


def test_a_new_default_takes_the_old_ones_place(staff: User) -> None:
    save_preset(staff=staff, preset_id=None, values=GOOD)
    save_preset(staff=staff, preset_id=None, values=replace(GOOD, name="second"))
    assert Preset.objects.get(is_default=True).name == "second"


def test_a_name_is_taken_once(staff: User) -> None:
    save_preset(staff=staff, preset_id=None, values=GOOD)
    with pytest.raises(PresetExists):
        save_preset(staff=staff, preset_id=None, values=replace(GOOD, is_default=False))
    assert Preset.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("backend", "telepathy"),
        ("model", ""),
        ("base_url", "ftp://example.org"),
        ("base_url", "javascript:alert(1)"),
        ("key_env", "sk-abcdef123456"),
        ("key_env", "not a name"),
        ("key_env", "lower_case"),
        ("input_price", -1),
        ("output_price", 1_000_001),
        ("cache_read_price", -5),
        ("connect_seconds", 0),
        ("connect_seconds", float("nan")),
        ("first_token_seconds", 601),
        ("read_seconds", float("inf")),
        ("fallback_id", uuid.UUID(int=1)),
    ],
)
def test_what_reaches_no_model_is_refused(
    staff: User, field: str, value: object
) -> None:
    values = PresetValues(**{**asdict(PRICED), field: value})
    with pytest.raises(BadPreset) as refused:
        save_preset(staff=staff, preset_id=None, values=values)
    assert refused.value.field == field
    assert not Preset.objects.exists()


def test_a_sidecar_needs_an_address(staff: User) -> None:
    values = replace(GOOD, backend="sidecar", base_url="")
    with pytest.raises(BadPreset):
        save_preset(staff=staff, preset_id=None, values=values)


def test_nobody_but_staff(staff: User) -> None:
    made = save_preset(staff=staff, preset_id=None, values=GOOD)
    admin = make_member("acme", "admin").user
    with pytest.raises(NotAllowed):
        save_preset(staff=admin, preset_id=made.pk, values=GOOD)
    with pytest.raises(NotAllowed):
        delete_preset(staff=admin, preset_id=made.pk)
    assert Preset.objects.count() == 1


def test_an_unknown_preset_is_not_there(staff: User) -> None:
    with pytest.raises(NotFound):
        save_preset(staff=staff, preset_id=uuid.uuid4(), values=GOOD)
    with pytest.raises(NotFound):
        delete_preset(staff=staff, preset_id=uuid.uuid4())


@pytest.mark.parametrize("missing", ["input_price", "output_price"])
def test_half_a_price_is_none(staff: User, missing: str) -> None:
    values = replace(PRICED, cache_read_price=300, **{missing: None})  # type: ignore[arg-type]
    with pytest.raises(BadPreset) as refused:
        save_preset(staff=staff, preset_id=None, values=values)
    assert refused.value.field == missing


def test_a_fallback_never_leads_back(staff: User) -> None:
    first, second, third = (
        save_preset(
            staff=staff,
            preset_id=None,
            values=replace(GOOD, name=name, is_default=False),
        )
        for name in ("first", "second", "third")
    )
    chain = ((first, second), (second, third))
    for preset, following in chain:
        values = replace(GOOD, name=preset.name, fallback_id=following.pk)
        save_preset(staff=staff, preset_id=preset.pk, values=values)
    for target in (first, second, third):
        values = replace(GOOD, name="third", fallback_id=str(target.pk))
        with pytest.raises(BadPreset) as refused:
            save_preset(staff=staff, preset_id=third.pk, values=values)
        assert refused.value.field == "fallback_id"
    third.refresh_from_db()
    assert third.fallback_id is None
