"""What must work for this process to serve; asked by `/readyz` and `doctor`.

Apps above register a check; it returns None, or what is wrong in one English line
without a secret:

    register_check("worker", lambda: None if alive() else "the worker has ended")
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

Check = Callable[[], str | None]

_CHECKS: dict[str, Check] = {}


def register_check(name: str, check: Check) -> None:
    """Add a check; one of the same name takes the other's place."""
    _CHECKS[name] = check


def forget_check(name: str) -> None:
    """Take a check away, when what it looks at was stopped on purpose."""
    _CHECKS.pop(name, None)


def run_checks() -> dict[str, str]:
    """Return each check's fault, "" where there is none. Closes its connections."""
    try:
        found = {"database": check_database()}
        if not found["database"]:
            found["migrations"] = check_migrations()
        for name, check in list(_CHECKS.items()):
            found[name] = check() or ""
    finally:
        connections.close_all()
    return found


def check_database() -> str:
    """Return why the database does not answer, "" if it does."""
    try:
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return f"does not answer ({type(error).__name__})"
    return ""


class _Applied:
    """Remembers that nothing is pending: that stays true while the code runs."""

    known = False


def check_migrations() -> str:
    """Return how many migrations are pending, "" for none."""
    if _Applied.known:
        return ""
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        return f"{len(plan)} pending: run manage.py migrate"
    _Applied.known = True
    return ""
