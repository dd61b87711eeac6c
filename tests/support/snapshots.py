"""Every row of a running product's database, before and after."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.support.stack import Stack

# The columns of a table that say when something was last touched, not what it is.
_TOUCHED = {"last_used_at", "last_login"}
# Kept by processes for themselves: leases, sessions, what a retry would be answered.
_HOUSEKEEPING = {"tooling_lease", "django_session", "tooling_idempotencyrecord"}

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The rows of each table by their first column, the key."""

    tables: dict[str, dict[str, Row]]

    @classmethod
    def of(cls, stack: Stack) -> Snapshot:
        """Read every table of a stack but the housekeeping ones."""
        names = [name for name in table_names(stack) if name not in _HOUSEKEEPING]
        return cls({name: _rows(stack, name) for name in names})

    def until(self, later: Snapshot) -> Difference:
        """Return what has happened since this snapshot."""
        difference = Difference()
        for table, before in self.tables.items():
            after = later.tables[table]
            added = [row for key, row in after.items() if key not in before]
            kept = before.keys() & after.keys()
            moved = [after[key] for key in kept if before[key] != after[key]]
            gone = [row for key, row in before.items() if key not in after]
            for rows, place in (
                (added, difference.added),
                (moved, difference.changed),
                (gone, difference.removed),
            ):
                if rows:
                    place[table] = rows
        return difference


@dataclass(slots=True)
class Difference:
    """Rows by table: added, changed (as they are now) and removed."""

    added: dict[str, list[Row]] = field(default_factory=dict)
    changed: dict[str, list[Row]] = field(default_factory=dict)
    removed: dict[str, list[Row]] = field(default_factory=dict)

    def count(self, table: str) -> int:
        """Return how many rows a table has got."""
        return len(self.added.get(table, ()))


def table_names(stack: Stack) -> list[str]:
    """Return the names of all tables."""
    query = (
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        if stack.shape == "grown"
        else "SELECT name FROM sqlite_master WHERE type = 'table'"
    )
    names = (str(name) for (name,) in stack.sql(query))
    return sorted(name for name in names if not name.startswith("sqlite_"))


def _rows(stack: Stack, table: str) -> dict[str, Row]:
    query = (
        "SELECT column_name FROM information_schema.columns "
        "WHERE table_schema = 'public' AND table_name = ? ORDER BY ordinal_position"
        if stack.shape == "grown"
        else "SELECT name FROM pragma_table_info(?) ORDER BY cid"
    )
    columns = [str(name) for (name,) in stack.sql(query, table)]
    rows: dict[str, Row] = {}
    for values in stack.sql(f'SELECT * FROM "{table}"'):  # noqa: S608 -- own names
        row = {
            name: str(value)
            for name, value in zip(columns, values, strict=True)
            if name not in _TOUCHED
        }
        rows[str(values[0])] = row
    return rows
