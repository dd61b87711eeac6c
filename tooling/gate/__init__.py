"""The gate: what a model may do, decided where the tool runs."""

from tooling.gate.judge import (
    WRITE_ALLOWLIST,
    CallFacts,
    Decision,
    Gate,
    GateContext,
    GrantFact,
    Verdict,
    is_served,
    judge,
)

__all__ = [
    "WRITE_ALLOWLIST",
    "CallFacts",
    "Decision",
    "Gate",
    "GateContext",
    "GrantFact",
    "Verdict",
    "is_served",
    "judge",
]
