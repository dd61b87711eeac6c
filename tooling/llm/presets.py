"""Which model answers: a preset row, the environment, or the offline planner."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tooling.errors import DomainError
from tooling.llm.call_sites import find_call_site
from tooling.llm.keys import key_is_stated
from tooling.models.llm import BackendKind, Preset

if TYPE_CHECKING:
    from collections.abc import Callable

CACHE_SECONDS = 2.0
ENVIRONMENT = "environment"
PLANNER = "planner"
# A server beside Dialogue is near and slow: it answers its port at once and takes
# its time over tokens.
_ENVIRONMENT_TIMES = {
    BackendKind.SIDECAR: (1.0, 60.0, 120.0),
    BackendKind.OPENAI: (5.0, 60.0, 60.0),
    BackendKind.ANTHROPIC: (5.0, 60.0, 60.0),
}


class UnknownPreset(DomainError):
    """A preset that was named and does not exist."""

    code = "unknown_preset"
    status = HTTPStatus.NOT_FOUND
    message = _("There is no model preset of this name.")


class BadModelSettings(DomainError):
    """Settings of the environment from which no model can be reached."""

    code = "bad_model_settings"
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    message = _(
        "DIALOGUE_LLM_KIND must be planner, openai, anthropic or sidecar, with "
        "DIALOGUE_LLM_MODEL and, for a sidecar, DIALOGUE_LLM_BASE_URL."
    )


@dataclass(frozen=True, slots=True)
class Prices:
    """Nano-dollars a token. What has no price of its own costs what input costs."""

    fresh: int
    output: int
    cache_read: int
    cache_write: int


@dataclass(frozen=True, slots=True)
class ResolvedPreset:
    """A preset as values: how a model is reached, and what it costs.

    Times are seconds; `retries` counts further attempts; `fallback` names the preset
    that is tried next, if any; `version` says when the preset was last changed.
    """

    name: str
    kind: str
    model: str = ""
    base_url: str = ""
    key_env: str = ""
    temperature: float | None = None
    max_output_tokens: int = 2048
    connect_seconds: float = 5.0
    first_token_seconds: float = 60.0
    read_seconds: float = 60.0
    retries: int = 2
    prices: Prices | None = None
    fallback: str | None = None
    version: str = ""


PLANNER_PRESET = ResolvedPreset(
    name=PLANNER, kind=BackendKind.PLANNER.value, model="planner", retries=0
)


def resolve_preset(*, call_site: str) -> ResolvedPreset:
    """Return what answers for a call site.

    In this order: the preset that the call site names, the default preset, the
    environment, the offline planner. Answers are kept for two seconds, so a change
    is felt within that time. Raises `UnknownCallSite` and `BadModelSettings`.
    """
    site = find_call_site(call_site)
    return _cached(f"site/{site.preset}", lambda: _resolve(site.preset))


def cached_preset(*, call_site: str) -> ResolvedPreset | None:
    """Return the answer of `resolve_preset` if it is at hand, without a query."""
    return _look_up(f"site/{find_call_site(call_site).preset}")


def resolve_named(name: str) -> ResolvedPreset:
    """Return a preset by its name. Raises `UnknownPreset`."""
    return _cached(f"name/{name}", lambda: _resolve_named(name))


def forget_presets() -> None:
    """Forget kept answers, after a preset was changed."""
    with _lock:
        _kept.clear()


def preset_from_row(row: Preset) -> ResolvedPreset:
    """Return a row of the table as values."""
    return ResolvedPreset(
        name=row.name,
        kind=row.backend,
        model=row.model,
        base_url=row.base_url,
        key_env=row.key_env,
        temperature=row.temperature,
        max_output_tokens=row.max_output_tokens,
        connect_seconds=row.connect_seconds,
        first_token_seconds=row.first_token_seconds,
        read_seconds=row.read_seconds,
        retries=row.retries,
        prices=_prices(row),
        fallback=row.fallback.name if row.fallback else None,
        version=row.updated_at.strftime("%Y%m%dT%H%M%SZ"),
    )


def preset_from_environment() -> ResolvedPreset | None:
    """Return the preset that the environment states, None when it states none.

    Raises `BadModelSettings`.
    """
    kind = settings.LLM_KIND
    if not kind:
        return None
    if kind == BackendKind.PLANNER:
        return PLANNER_PRESET
    needs_address = kind == BackendKind.SIDECAR and not settings.LLM_BASE_URL
    if kind not in _ENVIRONMENT_TIMES or not settings.LLM_MODEL or needs_address:
        raise BadModelSettings
    connect, first_token, read = _ENVIRONMENT_TIMES[kind]
    key_env = settings.LLM_API_KEY_ENV
    # A local server may well want no key; a provider's own address always does.
    keyed = key_is_stated(key_env) or not settings.LLM_BASE_URL
    return ResolvedPreset(
        name=ENVIRONMENT,
        kind=kind,
        model=settings.LLM_MODEL,
        base_url=settings.LLM_BASE_URL,
        key_env=key_env if keyed else "",
        connect_seconds=connect,
        first_token_seconds=first_token,
        read_seconds=read,
    )


def _resolve(named: str) -> ResolvedPreset:
    wanted = Q(is_default=True) | Q(name=named) if named else Q(is_default=True)
    rows = list(Preset.objects.filter(wanted).select_related("fallback"))
    rows.sort(key=lambda row: row.name != named)
    if rows:
        return preset_from_row(rows[0])
    return preset_from_environment() or PLANNER_PRESET


def _resolve_named(name: str) -> ResolvedPreset:
    row = Preset.objects.filter(name=name).select_related("fallback").first()
    if row is None:
        raise UnknownPreset(extra={"preset": name})
    return preset_from_row(row)


def _prices(row: Preset) -> Prices | None:
    if row.input_price is None or row.output_price is None:
        return None
    read, write = row.cache_read_price, row.cache_write_price
    return Prices(
        fresh=row.input_price,
        output=row.output_price,
        cache_read=row.input_price if read is None else read,
        cache_write=row.input_price if write is None else write,
    )


_kept: dict[str, tuple[float, ResolvedPreset]] = {}
_lock = threading.Lock()


def _cached(key: str, make: Callable[[], ResolvedPreset]) -> ResolvedPreset:
    known = _look_up(key)
    if known is not None:
        return known
    preset = make()
    with _lock:
        _kept[key] = (time.monotonic() + CACHE_SECONDS, preset)
    return preset


def _look_up(key: str) -> ResolvedPreset | None:
    with _lock:
        expiry, preset = _kept.get(key, (0.0, None))
    return preset if time.monotonic() < expiry else None
