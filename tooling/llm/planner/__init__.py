"""The offline planner: a rule-based, deterministic stand-in for a model."""

from __future__ import annotations

from tooling.llm.planner.backend import PlannerBackend

__all__ = ["PlannerBackend"]
