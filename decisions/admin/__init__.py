"""The Decisions queue as a workplace."""

from decisions.admin.queue import DecisionAdmin

__all__ = ["DecisionAdmin"]
