"""What others need for the same job, and the goals: known figures to compare with.

Measured once, on two cores and loopback, with a provider without delay and
PostgreSQL with fsync; medians of quiet rounds. They move by 10 to 40 % from run to
run, so they are read as ratios.
"""

from __future__ import annotations

HEADINGS = (
    "",
    "overhead of a send, p50",
    "CPU a send",
    "sends/s, 16 at once",
    "first token",
    "200 streams: lag p95 (held)",
    "send at 10 / 200 / 1,000 messages",
    "list of 10,000",
    "idle memory",
    "cold start",
)
PEERS = (
    (
        *("Open WebUI 0.12 (SQLite)", "99 ms", "103 ms", "11", "76 ms"),
        *("7 ms (115, the rest refused)", "119 / 158 / 398 ms"),
        *("15 ms", "786 MB", "30 s"),
    ),
    (
        *("LangGraph dev server (polls)", "1,001 ms", "18 ms", "15", "713 ms"),
        *("10.2 s (200)", "1,008 / 1,002 / 1,015 ms", "14 ms", "137 MB", "4.7 s"),
    ),
    (
        *("Aegra 0.11", "65 ms", "83 ms", "14", "43 ms", "0.97 s (113)"),
        *("64 / 131 / 417 ms", "17 ms", "197 MB", "6.2 s"),
    ),
    (
        *("django-ai-assistant 0.4", "43 ms", "40 ms", "39-46", "none"),
        *("no streaming", "30 / 128 / 312 ms", "11.7 s", "228 MB", "1.5 s"),
    ),
    (
        *("agno AgentOS 3.1", "40 ms", "49 ms", "27", "26 ms", "1.95 s (200)"),
        *("28 / 100 / 320 ms", "36 ms", "140 MB", "5.7 s"),
    ),
    (
        *("Chainlit 2.12 (socket.io)", "26 ms", "40 ms", "26", "20 ms"),
        *("5.0 s (200)", "39 / 121 / 402 ms", "162 ms", "146 MB", "4.1 s"),
    ),
    (
        *("pydantic-ai's own chat server (stores nothing)", "22 ms", "24 ms", "41"),
        *("19 ms", "9.5 s (200)", "27 / 91 / 413 ms", "-", "93 MB", "2.9 s"),
    ),
    (
        *("plain FastAPI + SQLAlchemy + openai SDK, 60 lines", "24 ms", "24 ms", "46"),
        *("15 ms", "0.24 s (200)", "25 / 97 / 315 ms", "7.4 ms", "97 MB", "2.1 s"),
    ),
    (
        *("plain Django + DRF + openai SDK, gunicorn 2 x 16 threads", "21 ms"),
        *("22 ms", "78", "15 ms", "2 ms (32, the rest wait)"),
        *("36 / 115 / 303 ms", "6.5 ms", "200 MB", "1.4 s"),
    ),
    (
        *("*probe: what Django can reach* (no SDK, no ORM, no turns)", "3.1 ms"),
        *("3.7 ms", "346", "3.1 ms", "1.5 ms (200)", "6 / 4 / 9 ms"),
        *("1.6 ms", "63 MB", "0.8 s"),
    ),
)
GOAL_ROW = (
    *("**goal (grown)**", "10 ms", "10 ms", "150", "8 ms", "50 ms (200)"),
    *("at 1,000 at most 1.2 x at 10", "4 ms", "150 MB a process", "3 s"),
)

# What is measured: its name, its unit, the goal, and the same of plain Django + DRF
# and of the probe where they have one.
FIGURES: dict[str, tuple[str, str, float | None, float | None, float | None]] = {
    "overhead_p50": ("overhead of a send, p50", "ms", 10, 21, 3.1),
    "overhead_p95": ("overhead of a send, p95", "ms", None, None, None),
    "wait_p50": ("the same with `Prefer: wait`, p50", "ms", 10, 21, 3.1),
    "wait_p95": ("the same with `Prefer: wait`, p95", "ms", None, None, None),
    "cpu_send": ("CPU a send", "ms", 10, 22, 3.7),
    "sends_second": ("sends a second, 16 at once", "", 150, 78, 346),
    "first_token_p50": ("time to first token, p50", "ms", 8, 15, 3.1),
    "first_token_p95": ("time to first token, p95", "ms", None, None, None),
    "lag_50": ("50 streams: lag p95", "ms", 50, None, None),
    "lag_200": ("200 streams: lag p95", "ms", 50, None, 1.5),
    "lag_500": ("500 streams: lag p95", "ms", 100, None, 5.7),
    "cpu_token_50": ("50 streams: CPU a streamed token", "ms", 0.3, None, 0.15),
    "cpu_token_200": ("200 streams: CPU a streamed token", "ms", 0.3, None, 0.15),
    "cpu_token_500": ("500 streams: CPU a streamed token", "ms", 0.3, None, 0.15),
    "history_10": ("a send at 10 messages, p50", "ms", None, 36, 6),
    "history_200": ("a send at 200 messages, p50", "ms", None, 115, 4),
    "history_1000": ("a send at 1,000 messages, p50", "ms", None, 303, 9),
    "history_ratio": ("at 1,000 to at 10 messages", "x", 1.2, 8.4, 1.5),
    "list_10000": ("list of 10,000, p50", "ms", 4, 6.5, 1.6),
    "list_100000": ("list of 100,000, p50", "ms", 4, None, None),
    "memory": ("idle memory of the largest process", "MB", 150, 200, 63),
    "judge_p50": ("one judgement of intent, p50", "ms", 2, None, None),
    "judge_p95": ("one judgement of intent, p95", "ms", 2, None, None),
    "cold_start": ("cold start of the web process", "s", 3, 1.4, 0.8),
}
