"""Keys that sort by time."""

from __future__ import annotations

import uuid

import uuid_utils.compat


def new_id() -> uuid.UUID:
    """Return a fresh UUIDv7."""
    return uuid_utils.compat.uuid7()
