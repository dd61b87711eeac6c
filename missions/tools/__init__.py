"""The tools over Missions: found by the registry, one module for each effect."""

from missions.tools import following, making, paid, reads, writes
from missions.tools.arguments import ProposeArguments

__all__ = ["ProposeArguments", "following", "making", "paid", "reads", "writes"]
