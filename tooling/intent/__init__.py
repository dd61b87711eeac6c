"""The intent of a person's message, judged from that message alone."""

from __future__ import annotations

from tooling.intent.judge import judge_intent
from tooling.intent.types import Intent, IntentLabel

__all__ = ["Intent", "IntentLabel", "judge_intent"]
