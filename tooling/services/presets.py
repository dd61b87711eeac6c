"""Presets of models, which staff of the deployment keep."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from tooling.boundary import check_text
from tooling.errors import Conflict, InvalidInput, NotAllowed, NotFound
from tooling.llm.presets import forget_presets
from tooling.llm.prices import MAX_NANO_PER_TOKEN
from tooling.models import AuditEntry, Preset
from tooling.models.llm import BackendKind
from tooling.policy import PrincipalKind

if TYPE_CHECKING:
    from tooling.models import User


class BadPreset(InvalidInput):
    """A preset with which no model can be reached."""

    code = "bad_preset"


class PresetExists(Conflict):
    """Two presets of one name."""

    code = "preset_exists"
    message = _("There is a preset of this name. Choose another name.")


# Nano-dollars a token: the most that a ledger row may cost, and what is not stated.
MAX_PRICE = MAX_NANO_PER_TOKEN
PRICES = ("input_price", "output_price", "cache_read_price", "cache_write_price")
# Seconds: the least, the most and the usual of each time-out.
TIMES = {
    "connect_seconds": (0.1, 60.0, 5.0),
    "first_token_seconds": (1.0, 600.0, 60.0),
    "read_seconds": (1.0, 600.0, 60.0),
}


@dataclass(frozen=True, slots=True)
class PresetValues:
    """What staff state of a preset. `key_env` names a variable, never holds a key.

    Prices are nano-dollars a token, None where they are not known; times are seconds.
    """

    name: str
    backend: str
    model: str
    base_url: str
    key_env: str
    is_default: bool
    input_price: int | None = None
    output_price: int | None = None
    cache_read_price: int | None = None
    cache_write_price: int | None = None
    connect_seconds: float = 5.0
    first_token_seconds: float = 60.0
    read_seconds: float = 60.0
    fallback_id: uuid.UUID | str | None = None


def save_preset(
    *, staff: User, preset_id: uuid.UUID | None, values: PresetValues
) -> Preset:
    """Create a preset, or change one; a new default takes the old one's place.

    Raises `NotAllowed`, `NotFound`, `BadPreset` and `PresetExists`.
    """
    _require_staff(staff)
    _check(values)
    try:
        with transaction.atomic():
            preset = _loaded(preset_id)
            before = _facts(preset) if preset_id else {}
            _check_fallback(preset, values.fallback_id)
            if values.is_default:
                Preset.objects.filter(is_default=True).exclude(pk=preset.pk).update(
                    is_default=False
                )
            for name, value in asdict(values).items():
                setattr(preset, name, value)
            preset.save()
            _record(staff, "preset.saved", preset, before, _facts(preset))
    except IntegrityError as error:
        raise PresetExists(field="name") from error
    forget_presets()
    return preset


def delete_preset(*, staff: User, preset_id: uuid.UUID) -> None:
    """Delete a preset; the ledger keeps its name. Raises `NotAllowed`, `NotFound`."""
    _require_staff(staff)
    with transaction.atomic():
        preset = _loaded(preset_id)
        _record(staff, "preset.deleted", preset, _facts(preset), {})
        preset.delete()
    forget_presets()


def _require_staff(user: User) -> None:
    if not (user.is_staff and user.is_active):
        raise NotAllowed


def _loaded(preset_id: uuid.UUID | None) -> Preset:
    if preset_id is None:
        return Preset()
    preset = Preset.objects.select_for_update().filter(pk=preset_id).first()
    if preset is None:
        raise NotFound
    return preset


def _check(values: PresetValues) -> None:
    for name in ("name", "model", "base_url", "key_env"):
        check_text(getattr(values, name), field=name, max_chars=300)
    if values.backend not in BackendKind.values:
        raise BadPreset(_("Choose one of the kinds."), field="backend")
    if values.backend != BackendKind.PLANNER and not values.model:
        raise BadPreset(_("Name the model, as the provider calls it."), field="model")
    if values.backend == BackendKind.SIDECAR and not values.base_url:
        raise BadPreset(_("A sidecar needs an address."), field="base_url")
    if values.base_url and not values.base_url.startswith(("http://", "https://")):
        message = _("An address begins with http:// or https://.")
        raise BadPreset(message, field="base_url")
    if values.key_env and not _is_variable(values.key_env):
        message = _("This is the name of an environment variable, never the key.")
        raise BadPreset(message, field="key_env")
    _check_prices(values)
    _check_times(values)


def _check_prices(values: PresetValues) -> None:
    stated = [name for name in PRICES if getattr(values, name) is not None]
    for name in stated:
        if not 0 <= getattr(values, name) <= MAX_PRICE:
            message = _("A price is from 0 to 1000 dollars for a million tokens.")
            raise BadPreset(message, field=name)
    for name in ("input_price", "output_price"):
        if stated and name not in stated:
            message = _("State the prices of input and output both, or no price.")
            raise BadPreset(message, field=name)


def _check_times(values: PresetValues) -> None:
    for name, (lowest, highest, _usual) in TIMES.items():
        # Also false for what is no number at all.
        if not lowest <= getattr(values, name) <= highest:
            message = _("This is from %(lowest)s to %(highest)s seconds.")
            span = {"lowest": f"{lowest:g}", "highest": f"{highest:g}"}
            raise BadPreset(message % span, field=name)


def _check_fallback(preset: Preset, wanted: uuid.UUID | str | None) -> None:
    """Refuse a fallback that is not there or leads back to the preset.

    All rows are locked: two changes at once cannot close a loop together.
    """
    rows = Preset.objects.select_for_update().values_list("pk", "fallback_id")
    following = {str(key): str(next_) if next_ else None for key, next_ in rows}
    at = str(wanted) if wanted else None
    if at is not None and at not in following:
        raise BadPreset(_("There is no such preset."), field="fallback_id")
    seen = {str(preset.pk)}
    while at is not None:
        if at in seen:
            message = _("This fallback leads back to the preset itself.")
            raise BadPreset(message, field="fallback_id")
        seen.add(at)
        at = following[at]


def _is_variable(name: str) -> bool:
    # Capitals only: a pasted key has lower-case letters and would be stored.
    return name.isascii() and name.isidentifier() and name == name.upper()


def _facts(preset: Preset) -> dict[str, Any]:
    names = ("name", "backend", "model", "base_url", "key_env", "is_default")
    facts = {name: getattr(preset, name) for name in (*names, *PRICES, *TIMES)}
    fallback = preset.fallback_id
    return {**facts, "fallback": str(fallback) if fallback else None}


def _record(
    staff: User,
    action: str,
    preset: Preset,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    AuditEntry.objects.create(
        actor_id=staff.pk,
        actor_kind=PrincipalKind.SESSION.value,
        action=action,
        target_type="preset",
        target_id=preset.pk,
        before=before,
        after=after,
    )
