"""Which model answers, and where the answer comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tooling.llm.call_sites import (
    CallSite,
    UnknownCallSite,
    find_call_site,
    register_call_site,
)
from tooling.llm.presets import (
    BadModelSettings,
    Prices,
    UnknownPreset,
    forget_presets,
    resolve_named,
    resolve_preset,
)
from tooling.models import Preset

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db
SITE = register_call_site(CallSite("Tests:Site", output_limit=500))
OWN = register_call_site(CallSite("Tests:OwnPreset", preset="own"))


@pytest.fixture(autouse=True)
def _no_environment(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LLM_KIND = settings.LLM_MODEL = settings.LLM_BASE_URL = ""
    monkeypatch.delenv("DIALOGUE_LLM_API_KEY", raising=False)
    monkeypatch.delenv("DIALOGUE_LLM_API_KEY_FILE", raising=False)


@pytest.mark.promise("D39")
def test_without_anything_the_planner_answers() -> None:
    found = resolve_preset(call_site=SITE.name)
    assert (found.name, found.kind) == ("planner", "planner")


def test_the_environment_comes_before_the_planner(settings: Settings) -> None:
    settings.LLM_KIND = "sidecar"
    settings.LLM_MODEL = "local"
    settings.LLM_BASE_URL = "http://127.0.0.1:8080/v1"
    found = resolve_preset(call_site=SITE.name)
    assert (found.name, found.kind, found.model) == ("environment", "sidecar", "local")
    assert (found.connect_seconds, found.read_seconds) == (1, 120)
    assert found.key_env == ""


def test_the_environments_key_is_used_where_it_is_stated(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LLM_KIND = "openai"
    settings.LLM_MODEL = "local"
    settings.LLM_BASE_URL = "http://127.0.0.1:8080/v1"
    monkeypatch.setenv("DIALOGUE_LLM_API_KEY", "x")
    assert resolve_preset(call_site=SITE.name).key_env == "DIALOGUE_LLM_API_KEY"


def test_a_providers_own_address_always_wants_a_key(settings: Settings) -> None:
    settings.LLM_KIND = "anthropic"
    settings.LLM_MODEL = "claude"
    assert resolve_preset(call_site=SITE.name).key_env == "DIALOGUE_LLM_API_KEY"


@pytest.mark.parametrize(
    "values",
    [
        {"LLM_KIND": "opnai", "LLM_MODEL": "m"},
        {"LLM_KIND": "openai"},
        {"LLM_KIND": "sidecar", "LLM_MODEL": "m"},
    ],
)
def test_settings_that_lead_nowhere_are_said(
    settings: Settings, values: dict[str, str]
) -> None:
    for name, value in values.items():
        setattr(settings, name, value)
    with pytest.raises(BadModelSettings):
        resolve_preset(call_site=SITE.name)


def test_the_default_row_comes_before_the_environment(
    settings: Settings,
) -> None:
    settings.LLM_KIND, settings.LLM_MODEL = "openai", "m"
    spare = Preset.objects.create(name="spare", backend="openai", model="other")
    Preset.objects.create(
        name="main",
        backend="openai",
        model="large",
        is_default=True,
        fallback=spare,
        input_price=5,
        output_price=9,
        cache_read_price=1,
    )
    found = resolve_preset(call_site=SITE.name)
    assert (found.name, found.model, found.fallback) == ("main", "large", "spare")
    assert found.prices == Prices(fresh=5, output=9, cache_read=1, cache_write=5)
    assert len(found.version) == 16


def test_half_a_price_is_no_price() -> None:
    Preset.objects.create(
        name="main", backend="openai", model="m", is_default=True, input_price=5
    )
    assert resolve_preset(call_site=SITE.name).prices is None


def test_a_call_sites_own_preset_comes_first() -> None:
    Preset.objects.create(name="main", backend="openai", model="m", is_default=True)
    assert resolve_preset(call_site=OWN.name).name == "main"
    forget_presets()
    Preset.objects.create(name="own", backend="openai", model="m")
    assert resolve_preset(call_site=OWN.name).name == "own"
    assert resolve_preset(call_site=SITE.name).name == "main"


def test_the_answer_is_kept_for_two_seconds(
    django_assert_num_queries: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("tooling.llm.presets.time.monotonic", lambda: now)
    with django_assert_num_queries(1):
        resolve_preset(call_site=SITE.name)
    Preset.objects.create(name="main", backend="openai", model="m", is_default=True)
    now = 101.9
    with django_assert_num_queries(0):
        assert resolve_preset(call_site=SITE.name).name == "planner"
    now = 102.1
    assert resolve_preset(call_site=SITE.name).name == "main"


def test_a_named_preset_that_is_none() -> None:
    with pytest.raises(UnknownPreset):
        resolve_named("nobody")


@pytest.mark.promise("D31")
def test_an_unregistered_purpose_has_no_preset() -> None:
    with pytest.raises(UnknownCallSite):
        resolve_preset(call_site="Tests:Nobody")


@pytest.mark.promise("D31")
def test_the_products_purposes_are_registered() -> None:
    for name in ("Dialogue:GeneralDialogue", "Dialogue:MissionAssistant"):
        assert find_call_site(name).name == name
