"""System checks: settings that start but would not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

SWITCH_IS_ON = "tooling.W001"
REDIS_WITH_SQLITE = "tooling.W002"
POSTGRES_WITHOUT_REDIS = "tooling.W003"
REDELIVERED_TOO_SOON = "tooling.E001"
LEASE_TOO_SHORT = "tooling.E002"


@register(deploy=True)
def check_write_switch(
    app_configs: Sequence[AppConfig] | None, **_kwargs: Any
) -> list[CheckMessage]:
    """Warn where the write and propose tools are served in a deployment."""
    if not settings.WRITE_TOOLS_SERVED:
        return []
    return [
        Warning(
            "DIALOGUE_INPROCESSTOOLS_WRITEENABLED is on: the model is offered tools "
            "that propose and, where a team allows it, write.",
            hint="Leave it unset unless that is what you want.",
            id=SWITCH_IS_ON,
        )
    ]


@register(deploy=True)
def check_shape(
    app_configs: Sequence[AppConfig] | None, **_kwargs: Any
) -> list[CheckMessage]:
    """Warn where the database and the queue are of two different shapes."""
    sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    found: list[CheckMessage] = []
    if sqlite and settings.REDIS_URL:
        found.append(
            Warning(
                "REDIS_URL is set, and the database is SQLite: workers on other "
                "machines cannot reach it.",
                hint="Set DATABASE_URL to PostgreSQL, or leave REDIS_URL unset.",
                id=REDIS_WITH_SQLITE,
            )
        )
    if not sqlite and not settings.REDIS_URL:
        found.append(
            Warning(
                "The database is a server, and REDIS_URL is not set: hints stay "
                "within one process, so several would wait for sweeps.",
                hint="Set REDIS_URL where more than one process runs.",
                id=POSTGRES_WITHOUT_REDIS,
            )
        )
    return found


@register()
def check_times(
    app_configs: Sequence[AppConfig] | None, **_kwargs: Any
) -> list[CheckMessage]:
    """Refuse time limits that contradict one another."""
    found: list[CheckMessage] = []
    visible_again = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("visibility_timeout")
    if visible_again is not None and visible_again <= settings.CELERY_TASK_TIME_LIMIT:
        found.append(
            Error(
                "A task could be delivered again while it still runs.",
                hint="visibility_timeout must be above CELERY_TASK_TIME_LIMIT.",
                id=REDELIVERED_TOO_SOON,
            )
        )
    if settings.TURN_LEASE_SECONDS < 3 * settings.TURN_HEARTBEAT_SECONDS:
        found.append(
            Error(
                "A turn's lease would end after two missed heartbeats.",
                hint="DIALOGUE_TURN_LEASE_SECONDS must be at least three times "
                "DIALOGUE_TURN_HEARTBEAT_SECONDS.",
                id=LEASE_TOO_SHORT,
            )
        )
    return found
