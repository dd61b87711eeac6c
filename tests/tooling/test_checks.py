"""System checks warn of settings that would not hold."""

from __future__ import annotations

import pytest
from django.core.checks import run_checks
from pytest_django.fixtures import Settings

pytestmark = pytest.mark.shape("embedded", reason="settings alone")
SQLITE = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
POSTGRES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "x"}}


def found(*, deploy: bool = True) -> set[str]:
    from tooling import checks

    every = [checks.check_write_switch, checks.check_shape] if deploy else []
    return {
        str(message.id)
        for check in [*every, checks.check_times]
        for message in check(None)
    }


def test_the_checks_are_registered() -> None:
    assert not [m for m in run_checks() if str(m.id).startswith("tooling.")]
    ids = {m.id for m in run_checks(include_deployment_checks=True)}
    assert "tooling.W001" not in ids


@pytest.mark.promise("D49")
def test_a_deployment_with_the_switch_on_is_warned(settings: Settings) -> None:
    settings.WRITE_TOOLS_SERVED = True
    assert "tooling.W001" in found()
    ids = {m.id for m in run_checks(include_deployment_checks=True)}
    assert "tooling.W001" in ids


@pytest.mark.parametrize(
    ("databases", "redis_url", "expected"),
    [
        (SQLITE, "", set()),
        (SQLITE, "redis://127.0.0.1/0", {"tooling.W002"}),
        (POSTGRES, "", {"tooling.W003"}),
        (POSTGRES, "redis://127.0.0.1/0", set()),
    ],
)
def test_mixed_shapes_are_warned_of(
    monkeypatch: pytest.MonkeyPatch,
    databases: dict[str, dict[str, str]],
    redis_url: str,
    expected: set[str],
) -> None:
    from tooling import checks

    class Fake:
        DATABASES = databases
        REDIS_URL = redis_url

    monkeypatch.setattr(checks, "settings", Fake)
    assert {message.id for message in checks.check_shape(None)} == expected


def test_times_that_contradict_are_errors(settings: Settings) -> None:
    assert found(deploy=False) == set()
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 180}
    settings.CELERY_TASK_TIME_LIMIT = 180
    settings.TURN_LEASE_SECONDS, settings.TURN_HEARTBEAT_SECONDS = 10, 5.0
    assert found(deploy=False) == {"tooling.E001", "tooling.E002"}
