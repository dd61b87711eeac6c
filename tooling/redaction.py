"""Keep secrets out of logs."""

from __future__ import annotations

import logging
import re

_SECRET = re.compile(
    r"(?i)\b(?:bearer\s+[\w.~+/=-]{8,}|sk-[\w-]{8,}|dlg_[\w-]{8,}"
    r"|(?:api[_-]?key|password|token|secret)[\"']?\s*[=:]\s*[\"']?[^\s\"',;&]{4,})"
    r"|(?<=://)[^/\s:@]*:[^/\s@]+(?=@)"
)


def redact(text: str) -> str:
    """Return `text` with what looks like a key, token or password struck out."""
    return _SECRET.sub("[redacted]", text)


class SecretsFilter(logging.Filter):
    """Redact a record's final text before a handler sees it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record in place; never drop it."""
        record.msg = redact(record.getMessage())
        record.args = None
        if record.exc_info and not record.exc_text:
            record.exc_text = redact(
                logging.Formatter().formatException(record.exc_info)
            )
        return True
