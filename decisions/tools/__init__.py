"""The tools over the Decisions queue: found by the registry."""

from decisions.tools import brief, queue

__all__ = ["brief", "queue"]
