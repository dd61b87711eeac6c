"""Rows that are never changed: database triggers, from one registry.

Triggers are made again after every migrate, since a table rebuild on SQLite drops
them silently. One flag, `maintenance()`, lets retention and test teardown through;
it holds for one connection and one block.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

_FLAG = "dialogue_maintenance"


@dataclass(frozen=True, slots=True)
class Guard:
    """What may not be changed in a table.

    `update` guards every update where `when` holds (SQL over OLD, empty: always);
    `columns` narrows it to updates that change one of these; `delete` guards
    deletion.
    """

    table: str
    name: str
    update: bool = True
    delete: bool = True
    columns: tuple[str, ...] = ()
    when: str = ""


_GUARDS: dict[tuple[str, str], Guard] = {}


def guard(*guards: Guard) -> None:
    """Register guards; each app does so when it is ready."""
    for one in guards:
        _GUARDS[(one.table, one.name)] = one


def registered() -> tuple[Guard, ...]:
    """Return every guard, in a stable order."""
    return tuple(_GUARDS[key] for key in sorted(_GUARDS))


def trigger_names(one: Guard) -> list[str]:
    """Return the names of a guard's triggers in the database."""
    kinds = [("u", one.update), ("d", one.delete)]
    return [f"keep_{one.table}_{one.name}_{kind}" for kind, wanted in kinds if wanted]


def install(db: BaseDatabaseWrapper) -> None:
    """Make every registered trigger anew whose table exists."""
    with db.cursor() as cursor:
        tables = set(db.introspection.table_names(cursor))
        if db.vendor == "postgresql":
            cursor.execute(_PG_FUNCTION)
        for one in registered():
            if one.table in tables:
                for statement in _statements(db.vendor, one):
                    cursor.execute(statement)


_PG_FUNCTION = f"""
CREATE OR REPLACE FUNCTION {_FLAG}_guard() RETURNS trigger AS $$
BEGIN
    IF current_setting('dialogue.maintenance', true) = 'on' THEN
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'append-only: % refuses %', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END $$ LANGUAGE plpgsql
"""


def _statements(vendor: str, one: Guard) -> Iterator[str]:
    for name in trigger_names(one):
        event = "UPDATE" if name.endswith("_u") else "DELETE"
        condition = _condition(vendor, one, event)
        if vendor == "postgresql":
            yield f'DROP TRIGGER IF EXISTS "{name}" ON "{one.table}"'
            when = f"WHEN ({condition})" if condition else ""
            yield (
                f'CREATE TRIGGER "{name}" BEFORE {event} ON "{one.table}" '
                f"FOR EACH ROW {when} EXECUTE FUNCTION {_FLAG}_guard()"
            )
        else:
            yield f'DROP TRIGGER IF EXISTS "{name}"'
            when = f"{_FLAG}() = 0" + (f" AND ({condition})" if condition else "")
            yield (
                f'CREATE TRIGGER "{name}" BEFORE {event} ON "{one.table}" '
                f"FOR EACH ROW WHEN {when} BEGIN "
                f"SELECT RAISE(ABORT, 'append-only: {one.table} refuses {event}'); END"
            )


def _condition(vendor: str, one: Guard, event: str) -> str:
    parts = [f"({one.when})"] if one.when else []
    if event == "UPDATE" and one.columns:
        differs = "IS DISTINCT FROM" if vendor == "postgresql" else "IS NOT"
        cast = "::text" if vendor == "postgresql" else ""
        changed = (f'OLD."{c}"{cast} {differs} NEW."{c}"{cast}' for c in one.columns)
        parts.append("(" + " OR ".join(changed) + ")")
    return " AND ".join(parts)


@contextmanager
def maintenance(using: str = "default") -> Iterator[None]:
    """Let guarded changes through on this connection for the block."""
    db = connections[using]
    _set_flag(db, on=True)
    try:
        yield
    finally:
        if db.connection is not None and not db.needs_rollback:
            _set_flag(db, on=False)


def _set_flag(db: BaseDatabaseWrapper, *, on: bool) -> None:
    db.ensure_connection()
    if db.vendor == "postgresql":
        with db.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('dialogue.maintenance', %s, false)",
                ["on" if on else "off"],
            )
    else:
        db.connection.create_function(_FLAG, 0, lambda: int(on))


def on_connection(connection: BaseDatabaseWrapper, **_kwargs: Any) -> None:
    """Give each SQLite connection the flag, off. Receiver of connection_created."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(_FLAG, 0, lambda: 0)


def on_migrated(using: str, **_kwargs: Any) -> None:
    """Make the triggers again. Receiver of post_migrate."""
    install(connections[using])


def installed(db: BaseDatabaseWrapper | None = None) -> set[str]:
    """Return the names of the guard triggers that the database has."""
    db = db or connection
    query = (
        "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
        if db.vendor == "postgresql"
        else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    )
    with db.cursor() as cursor:
        cursor.execute(query)
        return {row[0] for row in cursor.fetchall() if row[0].startswith("keep_")}
