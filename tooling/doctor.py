"""What `manage.py doctor` looks at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import redis
from django.conf import settings

from tooling.errors import DomainError
from tooling.health import check_database, check_migrations
from tooling.llm.call_sites import CONNECTION_TEST
from tooling.llm.presets import resolve_preset

REDIS_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, and what to do if it is at fault."""

    name: str
    ok: bool
    text: str


def examine() -> list[Finding]:
    """Return the findings, in the order in which one would repair them."""
    findings = [_database()]
    if findings[0].ok:
        findings += [_migrations(), _model()]
    return [*findings, _static_files(), _redis(), _switch()]


def _database() -> Finding:
    engine = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
    fault = check_database()
    if fault:
        text = f"{engine} {fault}. Check DATABASE_URL and that the server runs."
        return Finding("database", ok=False, text=text)
    return Finding("database", ok=True, text=f"{engine} answers.")


def _migrations() -> Finding:
    fault = check_migrations()
    return Finding("migrations", ok=not fault, text=fault or "all applied.")


def _model() -> Finding:
    try:
        preset = resolve_preset(call_site=CONNECTION_TEST.name)
    except DomainError as error:
        return Finding("model", ok=False, text=str(error))
    text = f"preset {preset.name} ({preset.kind}) answers conversations."
    return Finding("model", ok=True, text=text)


def _static_files() -> Finding:
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if manifest.exists():
        return Finding("static files", ok=True, text="collected.")
    return Finding(
        "static files", ok=False, text="missing: run manage.py collectstatic."
    )


def _redis() -> Finding:
    if not settings.REDIS_URL:
        return Finding("redis", ok=True, text="not used; the worker is in the server.")
    client = redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=REDIS_SECONDS,
        socket_timeout=REDIS_SECONDS,
    )
    try:
        client.ping()
    except (redis.RedisError, OSError) as error:
        text = f"does not answer ({type(error).__name__}). Check REDIS_URL."
        return Finding("redis", ok=False, text=text)
    finally:
        client.close()
    return Finding("redis", ok=True, text="answers.")


def _switch() -> Finding:
    state = "on" if settings.WRITE_TOOLS_SERVED else "off"
    text = f"{state} (DIALOGUE_INPROCESSTOOLS_WRITEENABLED)."
    return Finding("write switch", ok=True, text=text)
