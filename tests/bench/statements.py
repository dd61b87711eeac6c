"""Which SQL statements one send costs, from PostgreSQL's own log."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass

from tests.bench.measures import waiting_sends
from tests.bench.rig import Rig

SENDS = 20
_LINE = re.compile(r"^bench:(?P<who>\w*)\|.*?(?:statement|execute [^:]*): (?P<sql>.*)$")
_LITERAL = re.compile(r"'(?:[^']|'')*'(?:::\w+(?:\[\])?)?|\b\d+\b")
_LIST = re.compile(r"\((?:\?(?:, )?|NULL(?:, )?|true|false)+\)")
_ENDS = ("BEGIN", "COMMIT", "ROLLBACK")


@dataclass(frozen=True, slots=True)
class Statements:
    """Counts per send: statements and transactions of web and worker."""

    web: float
    worker: float
    web_commits: float
    worker_commits: float
    listing: list[tuple[str, str, float]]


async def count_statements(rig: Rig) -> Statements:
    """Log every statement of some sends that wait for their answer."""
    server = rig.factory.postgres
    rig.stack.sql("ALTER SYSTEM SET log_line_prefix = 'bench:%a|'")
    _log_all(rig, "all")
    start = len(server.log())
    await waiting_sends(rig, SENDS)
    written = server.log()[start:]
    _log_all(rig, "none")
    return _counted(written)


def _log_all(rig: Rig, which: str) -> None:
    rig.stack.sql(f"ALTER SYSTEM SET log_statement = '{which}'")
    rig.stack.sql("SELECT pg_reload_conf()")
    time.sleep(0.5)


def _counted(written: str) -> Statements:
    counts: Counter[tuple[str, str]] = Counter()
    for line in written.splitlines():
        found = _LINE.match(line)
        if found:
            counts[found["who"], _shape(found["sql"])] += 1
    work = {key: n for key, n in counts.items() if not key[1].startswith(_ENDS)}
    commits = {who: counts[who, "COMMIT"] for who in ("web", "worker")}
    return Statements(
        web=sum(n for (who, _sql), n in work.items() if who == "web") / SENDS,
        worker=sum(n for (who, _sql), n in work.items() if who == "worker") / SENDS,
        web_commits=commits["web"] / SENDS,
        worker_commits=commits["worker"] / SENDS,
        listing=[
            (who, sql, n / SENDS)
            for (who, sql), n in sorted(work.items(), key=lambda each: -each[1])
            if n >= SENDS / 4
        ],
    )


def _shape(sql: str) -> str:
    """Return a statement without its values."""
    return _LIST.sub("(…)", _LITERAL.sub("?", sql))[:400]
